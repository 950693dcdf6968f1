import ODataValues
import ODataSQL
import ODataBinding
import StoreDownload
import StoreRecords
import ODataModel
import ODataPayload
import ODataAnswers
import ODataTables

/// Checks a file against the model as local changes are checked, before anything of it is in the store.
final class ImportCheck {
    private let schema: TableSchema
    private let source: NavigationSource
    /// Whether entities have all their properties: the file does not say that only some are in it.
    private let isComplete: Bool
    private let tolerance: ValueTolerance
    private var seen: Set<[Scalar]> = []
    private var entities = ImportedEntities()

    private init(
        _ schema: TableSchema,
        from source: NavigationSource,
        json: [UInt8],
        values: ImportedValues
    ) {
        self.schema = schema
        self.source = source
        // Versions 1 to 3 have no word for values that a service makes when none is given: there only a null is refused.
        isComplete = schema.layout.model.version.isV4 && ImportSelection(json) == nil
        var tolerance: ValueTolerance = [.unstatedNulls]
        if Self.isCopy(json, in: schema) { tolerance.insert(.unknownMembers) }
        if values == .served { tolerance.formUnion([.served, .unknownMembers]) }
        self.tolerance = tolerance
    }

    /// Whether a file is an export or the answer of a service: services add members to enumerations, and copies of their data
    /// have them.
    private static func isCopy(_ json: [UInt8], in schema: TableSchema) -> Bool {
        !schema.layout.model.version.isV4 || FileContext(json) != nil
    }

    /// Checks the entities of a set or singleton, and notes them.
    ///
    /// - Throws: `PayloadError` with the place of the first entity that breaks a rule.
    static func check(
        _ json: [UInt8],
        of set: String,
        in schema: TableSchema,
        values: ImportedValues,
        noting entities: inout ImportedEntities
    ) throws {
        let (model, source) = (schema.layout.model, try Self.source(set, in: schema))
        let check = ImportCheck(schema, from: source, json: json, values: values)
        swap(&check.entities, &entities)
        defer { swap(&check.entities, &entities) }
        let takesMembers = check.tolerance.contains(.unknownMembers)
        let info = try read(json, of: source, in: schema, takesMembers: takesMembers) { body in
            if let part = body.inline.first(where: \.isPartial) {
                throw PayloadRefusal(onePage, at: model[part.navigation].name)
            }
            try check.check(body)
            try check.entities.note(body, in: source, ofFile: set, schema: schema)
        }
        guard info.nextLink == nil else { throw StoreError(.invalid, onePage) }
        let found = Int64(info.entityCount)
        if let count = info.count, count != found {
            throw StoreError(
                .invalid,
                "the file says that there are \(count) entities, and has \(found): put in those that are missing, or leave the count out"
            )
        }
        let context = PageContext(info.context, model: model)
        if let other = context.otherSet(than: EntityPath(source: source)) {
            throw StoreError(
                .invalid,
                "the context names the entity set \(other), not \(set): name the file after its set, or correct @odata.context"
            )
        }
    }

    private static let onePage =
        "this is one page of several, as its nextLink says: put the entities of all pages into one file, without the link"

    /// Checks that what the entities of a set or singleton name is in a file or in the store.
    ///
    /// - Throws: `PayloadError` with the place of the first entity that names another which is not there.
    static func check(
        _ json: [UInt8],
        of set: String,
        in schema: TableSchema,
        references: ImportReferences
    ) throws {
        let source = try Self.source(set, in: schema)
        // The first check has refused members that are not to be taken.
        _ = try read(json, of: source, in: schema, takesMembers: true) { body in
            do {
                try references.check(body, in: source)
            } catch let error as EditError {
                throw PayloadRefusal(error.message, at: error.path)
            }
        }
    }

    /// Checks that no foreign key of a set or singleton leads to one of these entities.
    ///
    /// - Throws: `PayloadError` with the place of the first one.
    static func check(
        _ json: [UInt8],
        of set: String,
        in schema: TableSchema,
        absent: Set<ImportedPrincipals>
    ) throws {
        let source = try Self.source(set, in: schema)
        _ = try read(json, of: source, in: schema, takesMembers: true) { body in
            try body.refuseForeignKeys(to: absent, in: source, schema: schema)
        }
    }

    private static func source(_ set: String, in schema: TableSchema) throws -> NavigationSource {
        guard let source = schema.layout.model.navigationSource(named: set) else {
            throw StoreError(.invalid, "the metadata has no entity set '\(set)'")
        }
        return source
    }

    /// Reads a file entity by entity.
    ///
    /// - Parameter takesMembers: Whether enumerations may have members that the model does not know.
    private static func read(
        _ json: [UInt8],
        of source: NavigationSource,
        in schema: TableSchema,
        takesMembers: Bool,
        take: @escaping (EntityBody) throws -> Void
    ) throws -> PageInfo {
        guard let plan = schema.plans.plan(for: source) else {
            throw StoreError(.invalid, "the metadata has no entity set of this name")
        }
        var sink = EachBodySink(take)
        let isSingle = if case .singleton = source { true } else { false }
        var reader = PayloadReader(
            model: schema.layout.model,
            plan: plan,
            plans: schema.plans,
            expecting: PayloadExpectation(
                isSingle ? .entity : .collection,
                requiresIdentity: true,
                isIdentityKnown: isSingle,
                refusesUnknown: true,
                refusesUnknownMembers: !takesMembers
            ),
            limits: PayloadLimits(ofFile: json)
        )
        return try reader.read(json.span, into: &sink)
    }

    private func check(_ body: EntityBody) throws {
        guard let table = schema.layout[source] else { return }
        do {
            try check(body, in: table, keys: &seen)
        } catch let error as EditError {
            throw PayloadRefusal(error.message, at: error.path)
        }
    }

    /// Checks an entity with those inline.
    ///
    /// - Parameter place: The path from the entity of the file, with a slash at its end; empty for that entity itself.
    private func check(
        _ body: EntityBody,
        in table: TableLayout,
        at place: String = "",
        keys: inout Set<[Scalar]>
    ) throws {
        guard !schema.layout.model[body.plan.type].isAbstract else {
            throw EditError(
                .invalid,
                "\(schema.layout.model[body.plan.type].name) is abstract: name a derived type",
                at: place
            )
        }
        try checkValues(of: body, in: table, at: place)
        try checkKey(of: body, in: table, at: place, &keys)
        for inline in body.inline {
            try checkForeignKeys(of: inline, in: body, table, at: place)
            try check(inline, from: table.source, at: place)
        }
    }

    /// Checks values as local changes are checked.
    private func checkValues(of body: EntityBody, in table: TableLayout, at place: String) throws {
        var whole = body
        let rules = EntityRules(layout: schema.layout, tolerance: tolerance)
        // A store writes null for a collection that no answer has shown.
        if tolerance.contains(.unknownMembers) {
            rules.removeNullCollections(from: &whole, in: table)
        }
        rules.setAbsentCollections(of: &whole, in: table)
        do {
            try rules.check(whole, in: table, isComplete: isComplete)
        } catch let error as EditError {
            var refusal = PayloadRefusal(error.message, at: place + (error.path ?? ""))
            refusal.isOfDeclaration = true
            throw refusal
        }
    }

    private func checkKey(
        of body: EntityBody,
        in table: TableLayout,
        at place: String,
        _ keys: inout Set<[Scalar]>
    ) throws {
        let key = table.keyColumns.map { body.value(of: $0) ?? .null }
        guard !key.isEmpty, !key.contains(.null) else { return }
        guard keys.insert(key).inserted else {
            throw EditError(.duplicateKey, "the key is that of an entity before", at: place)
        }
    }

    /// Refuses foreign keys that lead elsewhere than the place of their entity does: one of the two statements would be lost.
    private func checkForeignKeys(
        of inline: EntityBody.Inline,
        in body: EntityBody,
        _ table: TableLayout,
        at start: String
    ) throws {
        let (layout, model) = (schema.layout, schema.layout.model)
        guard let target = model.target(of: inline.navigation, from: table.source),
            let targetTable = layout[target]
        else { return }
        let pairs: [Relationship.ColumnPair]
        let isForeignKeyHere: Bool
        switch layout.relationship(inline.navigation, from: table.source, to: target) {
        case .dependent(let found): (pairs, isForeignKeyHere) = (found, true)
        case .principal(let found): (pairs, isForeignKeyHere) = (found, false)
        case .contained, .links, .unbound: return
        }
        let name = model[inline.navigation].name
        for (index, entity) in inline.entities.enumerated() {
            for pair in pairs {
                guard let here = body.value(of: pair.here),
                    let there = entity.value(of: pair.there), here != there
                else { continue }
                let place = model[inline.navigation].isCollection ? "\(name)[\(index)]" : name
                let (inner, outer) = (
                    targetTable.columns[pair.there].path.joined(separator: "/"),
                    table.columns[pair.here].path.joined(separator: "/")
                )
                throw EditError(
                    .invalid,
                    isForeignKeyHere
                        ? "\(outer) leads to another entity than the one in \(place): make it the same as \(place)/\(inner), or leave it out"
                        : "\(place)/\(inner) leads to another entity than the one around it: make it the same as \(outer), or leave it out",
                    at: start + (isForeignKeyHere ? outer : "\(place)/\(inner)")
                )
            }
        }
    }

    /// Contained entities have keys among those of one parent; others may come with several entities, but with one only once.
    private func check(
        _ inline: EntityBody.Inline,
        from source: NavigationSource,
        at place: String
    ) throws {
        let model = schema.layout.model
        guard let target = model.target(of: inline.navigation, from: source),
            let table = schema.layout[target]
        else { return }
        var keys: Set<[Scalar]> = []
        let name = place + model[inline.navigation].name
        for (index, entity) in inline.entities.enumerated() {
            let item = model[inline.navigation].isCollection ? "\(name)[\(index)]/" : name + "/"
            try check(entity, in: table, at: item, keys: &keys)
        }
    }
}
