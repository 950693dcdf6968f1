package import ODataSQL
import ODataValues
import ODataSQLite
package import ODataModel
import ODataURL

/// Makes the links of rows: canonical where the key is known, else by the local id.
package struct EntityLink {
    private let rows: RowEditor
    private let layout: Layout
    private let version: ODataVersion
    private let includesDeleted: Bool
    private let urls: EntityURL

    /// Inside a store links are written as OData 4 has them; versions 1 to 3 are translated when they are sent.
    ///
    /// - Parameter includesDeleted: Whether what is deleted here, and has only its copy, has a link too.
    package init(_ rows: RowEditor, version: ODataVersion = .v4, includesDeleted: Bool = false) {
        self.rows = rows
        self.version = version
        self.includesDeleted = includesDeleted
        layout = rows.layout
        urls = version.isV4 ? layout.urls : EntityURL(model: layout.model, version: version)
    }

    /// Returns the link of an entity, relative to the service root; nil where the row is not there.
    package func link(_ entity: RowReference) throws -> String? {
        guard let table = rows.layout[entity.source], try rows.catalog.exists(table.name) else {
            return nil
        }
        guard let predicate = try predicate(entity, in: table) else { return nil }
        switch entity.source {
        case .entitySet(let index):
            return layout.model.container.entitySets[index].name + predicate
        case .singleton(let index): return layout.model.container.singletons[index].name
        case .contained(let id):
            guard let parent = try parent(of: entity, in: table), let link = try link(parent) else {
                return nil
            }
            let segment = link + path(from: parent.source, to: id)
            return layout.model[id].isCollection ? segment + predicate : segment
        }
    }

    /// Returns the segments from an entity to one of its navigation properties: `/Items`, or `/Model.Rush/Stops`.
    package func path(from source: NavigationSource, to navigation: NavigationPropertyID) -> String
    {
        let way = complexPath(from: source, to: navigation.type)
        return (way ?? cast(from: source, to: navigation.type)) + "/"
            + layout.model[navigation].name
    }

    /// The segments from an entity to the complex value that has a navigation property: `/Home`; nil where the entity itself has it,
    /// and where it has several such values.
    private func complexPath(from source: NavigationSource, to type: StructuredTypeID) -> String? {
        let model = layout.model
        guard model[type].kind == .complex, let owner = model.entityType(of: source) else {
            return nil
        }
        let paths = ComplexPaths(model: model, target: type).paths(from: owner)
        return paths.count == 1 ? paths[0] : nil
    }

    /// Returns the cast segment that the members of a type need; empty where the declared type of the source has them.
    ///
    /// OData 4.01 Part 2 § 4.11. Versions 1 and 2 know no such segment: it is left out when a request is sent.
    package func cast(from source: NavigationSource, to type: StructuredTypeID) -> String {
        let model = layout.model
        guard let declared = model.entityType(of: source), !model.type(declared, isOrExtends: type)
        else { return "" }
        return "/" + model[type].name
    }

    /// Returns the segments from an entity to one of its streams; the empty name is that of a media entity's own.
    package func path(from entity: RowReference, toStream property: String) throws -> String {
        guard !property.isEmpty else { return "/$value" }
        let model = layout.model
        guard let table = layout[entity.source],
            let type = try rows.type(of: entity.row, in: table),
            let owner = model.lineage(of: type).first(where: { id in
                model[id].properties.contains { $0.name == property }
            })
        else { return "/" + property }
        return cast(from: entity.source, to: owner) + "/" + property
    }

    /// Returns the link of an entity of a set that is about to be inserted, from its values alone; nil where they do not make it.
    package func link(
        of body: EntityBody,
        in table: TableLayout,
        _ local: LocalID
    ) -> String? {
        guard case .entitySet(let index) = table.source else { return nil }
        let key = table.keyColumns.map { body.value(of: $0) ?? .null }
        let predicate =
            isKnown(key, in: table)
            ? keyPredicate(of: table, key)
            : layout.urls.localPredicate(local.text)
        return predicate.map { layout.model.container.entitySets[index].name + $0 }
    }

    private func keyPredicate(of table: TableLayout, _ key: [Scalar]) -> String? {
        // A whole number, which most keys are, is its own literal.
        if version.isV4, key.count == 1, case .integer(let number) = key[0],
            case .integer? = table.columns[table.keyColumns[0]].form
        {
            return "(\(number))"
        }
        return urls.keyPredicate(of: table.entityType, key)
    }

    private func isKnown(_ key: [Scalar], in table: TableLayout) -> Bool {
        !key.isEmpty
            && zip(table.keyColumns, key).allSatisfy {
                $1 != .null && !UnknownValue.isUnknown($1, in: table.columns[$0])
            }
    }

    /// The key predicate, or the local id where the key is not known yet.
    private func predicate(_ entity: RowReference, in table: TableLayout) throws -> String? {
        let key =
            try includesDeleted
            ? rows.heldKey(of: entity.row, in: table) : rows.key(of: entity.row, in: table)
        if let key {
            return keyPredicate(of: table, key)
        }
        if let local = try localID(of: entity.row) { return layout.urls.localPredicate(local.text) }
        return table.keyColumns.isEmpty ? "" : nil
    }

    /// Returns the local id of a row that was created here.
    package func localID(of row: Int64) throws -> LocalID? {
        let bytes = try rows.connection.firstRow(
            "SELECT \"id\" FROM \"$local\" WHERE \"row\" = ?1",
            [.integer(row)]
        ) { $0.bytes(0) }
        return bytes.flatMap(LocalID.init(bytes:))
    }

    /// The row that contains a row.
    private func parent(of entity: RowReference, in table: TableLayout) throws -> RowReference? {
        guard case .contained(let id) = entity.source,
            let row = try parentRow(of: entity.row, in: table)
        else { return nil }
        // Any entity may have the complex value that contains others; ids of rows are unique over all tables.
        let isInComplex = layout.model[id.type].kind == .complex
        for candidate in layout.orderedTables
        where isInComplex
            || candidate.types.contains(where: { layout.model.type($0, isOrExtends: id.type) })
        {
            guard try isThere(row, in: candidate) else { continue }
            return RowReference(source: candidate.source, row: row)
        }
        return nil
    }

    private func parentRow(of row: Int64, in table: TableLayout) throws -> Int64? {
        if includesDeleted { return try rows.heldParent(of: row, in: table) }
        let parent = try rows.value(SystemColumn.parent.sql, of: row, in: table)
        if case .integer(let id)? = parent { return id }
        return nil
    }

    private func isThere(_ row: Int64, in table: TableLayout) throws -> Bool {
        if includesDeleted { return try rows.holder(of: row, in: table) != nil }
        return try rows.catalog.exists(table.name)
            && rows.value("\"$id\"", of: row, in: table) != nil
    }
}
