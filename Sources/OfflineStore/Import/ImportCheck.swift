import ODataModel
import ODataProtocol
import ODataService
import ODataTables

/// Checks a file against the model as local changes are checked, before anything of it is in the store.
final class ImportCheck {
    private let schema: TableSchema
    private let source: NavigationSource
    /// Whether entities have all their properties: the file does not say that only some are in it.
    private let isComplete: Bool
    private var seen: Set<[Scalar]> = []

    private init(_ schema: TableSchema, _ source: NavigationSource, isComplete: Bool) {
        self.schema = schema
        self.source = source
        self.isComplete = isComplete
    }

    /// Checks the entities of a set or singleton.
    ///
    /// - Throws: `PayloadError` with the place of the first entity that breaks a rule.
    static func check(_ json: [UInt8], of set: String, _ schema: TableSchema) throws {
        let model = schema.layout.model
        guard let source = model.navigationSource(named: set),
            let plan = schema.plans.plan(for: source)
        else { throw StoreError(.invalid, "the metadata has no entity set '\(set)'") }
        let check = ImportCheck(
            schema,
            source,
            // Versions 1 to 3 have no word for values that a service makes when none is given: there only a null is refused.
            isComplete: model.version.isV4 && ImportSelection(json) == nil
        )
        var sink = EachBodySink { try check.check($0) }
        let isSingle = if case .singleton = source { true } else { false }
        var reader = PayloadReader(
            model: model,
            plan: plan,
            plans: schema.plans,
            expecting: PayloadExpectation(
                isSingle ? .entity : .collection,
                requiresIdentity: true,
                isIdentityKnown: isSingle
            )
        )
        let info = try reader.read(json.span, into: &sink)
        if let unknown = info.diagnostics.first(where: { $0.kind != .valueBeyondFacets }) {
            throw StoreError(
                .invalid,
                "the metadata of \(model[plan.type].name) does not know \(unknown.name)"
            )
        }
    }

    private func check(_ body: EntityBody) throws {
        guard let table = schema.layout[source] else { return }
        do {
            try check(body, in: table, &seen)
        } catch let error as EditError {
            throw PayloadRefusal(error.message)
        }
    }

    private func check(
        _ body: EntityBody,
        in table: TableLayout,
        _ keys: inout Set<[Scalar]>
    ) throws {
        guard !schema.layout.model[body.plan.type].isAbstract else {
            throw EditError(
                .invalid,
                "\(schema.layout.model[body.plan.type].name) is abstract: name a derived type"
            )
        }
        var whole = body
        let rules = EntityRules(layout: schema.layout)
        rules.setAbsentCollections(of: &whole, in: table)
        try rules.check(whole, in: table, isComplete: isComplete)
        try checkKey(of: body, in: table, &keys)
        for inline in body.inline { try check(inline, from: table.source) }
    }

    private func checkKey(
        of body: EntityBody,
        in table: TableLayout,
        _ keys: inout Set<[Scalar]>
    ) throws {
        let key = table.keyColumns.map { body.value(of: $0) ?? .null }
        guard !key.isEmpty, !key.contains(.null) else { return }
        guard keys.insert(key).inserted else {
            throw EditError(.duplicateKey, "the key is that of an entity before")
        }
    }

    /// Contained entities have keys among those of one parent; others may come with several entities.
    private func check(_ inline: EntityBody.Inline, from source: NavigationSource) throws {
        let model = schema.layout.model
        guard let target = model.target(of: inline.navigation, from: source),
            let table = schema.layout[target]
        else { return }
        var keys: Set<[Scalar]> = []
        for entity in inline.entities {
            if !model[inline.navigation].containsTarget { keys = [] }
            try check(entity, in: table, &keys)
        }
    }
}
