import ODataSQL
import OfflineStore
import StoreRecords
import ODataBinding
import ODataSQLite
import ODataValues
import ODataModel
import ODataURL
import ODataTables

/// Which rows the ids in a payload mean.
extension StagedMerge {
    /// The entity around an id, and the navigation property in which the id stands.
    struct Place {
        var owner: RowReference
        var navigation: NavigationPropertyID
    }

    /// What an id means.
    enum Named {
        case row(RowReference)
        /// An entity of this service that the store does not have.
        case absent
        /// No entity of this service.
        case none

        var row: RowReference? { if case .row(let row) = self { row } else { nil } }
    }

    /// Finds the entity that an id means, also one that is deleted here.
    ///
    /// - Parameter place: What an id that is a key alone is relative to; nil for the collection that the query asks for.
    func named(_ id: String, at place: Place? = nil) throws -> Named {
        if let found = try addressedRow(id) { return .row(found) }
        guard let path = try path(of: id, at: place) else { return .none }
        let found = try TableQuery(connection, layout: layout).rows(path).first
        // Of two with one key the service has the one that is deleted here: the other is still to be created.
        if let found, try !isCreatedHere(found) { return .row(found) }
        if let deleted = try QueueEditor(connection, schema: schema).deletedEntity(path) {
            return .row(RowReference(source: deleted.source, row: deleted.row))
        }
        return found.map { .row($0) } ?? .absent
    }

    private func isCreatedHere(_ row: RowReference) throws -> Bool {
        guard let table = layout[row.source] else { return false }
        return try RowRebuild(connection, layout: layout).state(of: row.row, table).contains(
            .created
        )
    }

    /// The path of an entity-id; nil where it leads to another service, or to anything but one entity.
    private func path(of id: String, at place: Place?) throws -> EntityPath? {
        var text = convention.normalized(id)
        // Dataverse names what it has deleted by the bare key.
        if GuidText.parse(Array(text.utf8).span) != nil { text = "(\(text))" }
        if text.hasPrefix("(") { text = try collection(at: place) + text }
        guard !LinkConvention.isAbsolute(text),
            let path = EntityPath(ofService: text, in: schema.model),
            path.namesEntity(in: schema.model)
        else { return nil }
        return path
    }

    /// The URL of a collection, relative to the service root.
    private func collection(at place: Place?) throws -> String {
        guard let place else {
            if case .entitySet? = ownSource, let ownSource {
                return schema.model.name(of: ownSource)
            }
            return String(query.url.prefix { $0 != "?" })
        }
        if case .entitySet(let index)? = layout.model.target(
            of: place.navigation,
            from: place.owner.source
        ) {
            return layout.model.container.entitySets[index].name
        }
        let links = EntityLink(RowEditor(catalog))
        let link = try links.link(place.owner) ?? deletedLink(of: place.owner) ?? ""
        return link + links.path(from: place.owner.source, to: place.navigation)
    }

    /// The URL of an entity of a set that is deleted here; nil for any other.
    private func deletedLink(of row: RowReference) throws -> String? {
        guard let table = layout[row.source], !table.isContained, let values = try stored(row)
        else { return nil }
        return EntityURL(model: schema.model, version: .v4)
            .canonical(row.source, key: table.keyColumns.map { values[$0] })
    }

    /// Returns the place of a staged row's property.
    func place(_ staged: Int64, navigation: NavigationPropertyID) throws -> Place? {
        let row = try connection.integer(
            "SELECT \"row\" FROM \(self.staged("$map")) WHERE \"staged\" = ?1",
            [.integer(staged)]
        )
        guard let row else { return nil }
        let rows = RowRebuild(connection, layout: layout)
        for table in tables(with: navigation)
        where try rows.has(row, in: table.name) || rows.has(row, in: table.baseName) {
            let owner = RowReference(source: table.source, row: row)
            return Place(owner: owner, navigation: navigation)
        }
        return nil
    }

    /// The tables of entities that have a navigation property.
    func tables(with navigation: NavigationPropertyID) -> [TableLayout] {
        layout.orderedTables.filter {
            $0.types.contains(navigation.type)
                || layout.model.type($0.entityType, isOrExtends: navigation.type)
        }
    }
}
