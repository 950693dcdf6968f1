import ODataSQLite
import StoreRecords
import ODataSQL
import ODataBinding
import OfflineStore
import ODataModel
import ODataAnswers
import ODataTables

/// Checks that what a file names by a reference is in a file of the import or in the store: the link would be lost without a word.
///
/// A foreign key may lead to an entity that is in neither: it is a value of the entity itself, and the entity may come later.
struct ImportReferences {
    private let connection: SQLiteConnection
    private let schema: TableSchema
    private let entities: ImportedEntities
    private let convention: LinkConvention

    init(
        _ connection: SQLiteConnection,
        schema: TableSchema,
        among entities: ImportedEntities
    ) throws {
        (self.connection, self.schema, self.entities) = (connection, schema, entities)
        convention = LinkConvention(schema, root: try ServiceRoot.text(connection))
    }

    /// Checks an entity with those inline.
    ///
    /// - Parameter place: The path from the entity of the file, with a slash at its end; empty for that entity itself.
    /// - Throws: `EditError` that names the property.
    func check(_ body: EntityBody, in source: NavigationSource, at place: String = "") throws {
        let model = schema.model
        for binding in body.bindings {
            try checkTarget(of: binding, from: source, at: place)
            try checkType(of: binding, from: source, at: place)
            try checkForeignKey(body, binding, from: source, at: place)
            guard try !isThere(binding, from: source) else { continue }
            throw EditError(
                .notFound,
                "\(place)\(model[binding.navigation].name) refers to an entity that is neither in a file nor in the store:"
                    + " import that entity too, or leave the reference out",
                at: place + model[binding.navigation].name + "@odata.bind"
            )
        }
        for inline in body.inline {
            guard let target = model.target(of: inline.navigation, from: source) else { continue }
            let name = place + model[inline.navigation].name
            for (index, entity) in inline.entities.enumerated() {
                let item = model[inline.navigation].isCollection ? "\(name)[\(index)]/" : name + "/"
                try check(entity, in: target, at: item)
            }
        }
    }

    /// Refuses a reference by a property of which the model does not say in which set its entities are: no row could keep it.
    private func checkTarget(
        of binding: EntityBody.Binding,
        from source: NavigationSource,
        at place: String
    ) throws {
        let target = schema.model.target(of: binding.navigation, from: source)
        guard
            case .unbound = schema.layout.relationship(
                binding.navigation,
                from: source,
                to: target
            )
        else { return }
        let name = place + schema.model[binding.navigation].name
        throw EditError(.invalid, "\(name) leads to no known set", at: name + "@odata.bind")
    }

    /// Refuses a reference to an entity of another type than the property leads to: no row could keep it.
    private func checkType(
        of binding: EntityBody.Binding,
        from source: NavigationSource,
        at place: String
    ) throws {
        let model = schema.model
        guard let wanted = model[binding.navigation].target,
            let given = try type(of: binding, from: source),
            !model.type(given, isOrExtends: wanted), !model.type(wanted, isOrExtends: given)
        else { return }
        throw EditError(
            .invalid,
            "\(place)\(model[binding.navigation].name) leads to entities of \(model[wanted].name), not of \(model[given].name)",
            at: place + model[binding.navigation].name + "@odata.bind"
        )
    }

    /// Refuses a foreign key that leads to another entity than a reference does: one of the two statements would be lost.
    private func checkForeignKey(
        _ body: EntityBody,
        _ binding: EntityBody.Binding,
        from source: NavigationSource,
        at place: String
    ) throws {
        let target = schema.model.target(of: binding.navigation, from: source)
        guard let table = schema.layout[source], let there = target.flatMap({ schema.layout[$0] }),
            case .dependent(let pairs) = schema.layout.relationship(
                binding.navigation,
                from: source,
                to: target
            ),
            let path = try path(
                of: convention.normalized(binding.reference),
                binding.navigation,
                from: source
            ), path.source == target, case .key(let key)? = path.steps.last
        else { return }
        for pair in pairs {
            guard let here = body.value(of: pair.here),
                let index = there.keyColumns.firstIndex(of: pair.there),
                key.indices.contains(index), key[index] != here
            else { continue }
            let name = table.columns[pair.here].path.joined(separator: "/")
            throw EditError(
                .invalid,
                "\(place)\(name) leads to another entity than \(schema.model[binding.navigation].name)@odata.bind: make them the same, or leave one out",
                at: place + name
            )
        }
    }

    /// The type of the entities among which a reference's is; nil where nothing says it.
    private func type(of binding: EntityBody.Binding, from source: NavigationSource) throws
        -> StructuredTypeID?
    {
        if let stated = entities.source(ofID: binding.reference) {
            return schema.model.entityType(of: stated)
        }
        let id = convention.normalized(binding.reference)
        if let row = try EntityAddresses(connection).row(withID: id) {
            return schema.layout.table(named: row.table)?.entityType
        }
        return try path(of: id, binding.navigation, from: source)?.entityType(in: schema.model)
    }

    private func isThere(_ binding: EntityBody.Binding, from source: NavigationSource) throws
        -> Bool
    {
        if entities.source(ofID: binding.reference) != nil { return true }
        let id = convention.normalized(binding.reference)
        if try EntityAddresses(connection).row(withID: id) != nil { return true }
        guard let path = try path(of: id, binding.navigation, from: source) else { return false }
        if entities.holds(path, in: schema) { return true }
        return try TableQuery(connection, layout: schema.layout).rows(path).first != nil
            || QueueEditor(connection, schema: schema).deletedEntity(path) != nil
    }

    /// The path of an id; nil where it leads to no entity that the model knows.
    private func path(
        of id: String,
        _ navigation: NavigationPropertyID,
        from source: NavigationSource
    ) throws -> EntityPath? {
        var text = id
        // A key alone is that of an entity in the set that the property leads to.
        if text.hasPrefix("("), let target = schema.model.target(of: navigation, from: source) {
            text = schema.model.name(of: target) + text
        }
        guard !LinkConvention.isAbsolute(text),
            let path = EntityPath(ofService: text, in: schema.model),
            path.namesEntity(in: schema.model)
        else { return nil }
        return path
    }
}
