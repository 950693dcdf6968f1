import ODataText
import ODataSQL
package import ODataModel
package import ODataPayload

/// Reads one entity from the JSON text of a request or an answer.
package enum EntityBodyReader {
    /// Returns the entity; nil where the payload has none.
    ///
    /// - Throws: `PayloadError` where the text is no payload, or a value is of the wrong type.
    package static func read(
        _ json: [UInt8],
        plan: EntityPlan,
        in schema: TableSchema
    ) throws -> EntityBody? {
        let (entities, info) = try collect(json, plan: plan, in: schema)
        let entity = entities.first
        guard let entity, entity.plan.type == plan.type, let name = info.castType,
            let derived = schema.plans.plan(forTypeNamed: name, insteadOf: plan)
        else { return entity }
        return try collect(json, plan: derived, in: schema).entities.first
    }

    /// Returns the entity as `read` does; what the metadata does not know is refused, since it could be sent but never seen.
    ///
    /// - Throws: ``EditError`` that names the member.
    package static func readStrictly(
        _ json: [UInt8],
        plan: EntityPlan,
        in schema: TableSchema
    ) throws -> EntityBody? {
        let (entities, info) = try collect(json, plan: plan, in: schema)
        if let refusal = info.refusal(of: plan.type, in: schema.model) {
            throw EditError(.invalid, refusal, at: info.refusedMember)
        }
        return entities.first
    }

    /// A page of an entity set.
    package struct Page {
        package var entities: [EntityBody]
        /// Link to the next page as written.
        package var nextLink: String?
        /// The context URL as written.
        package var context: String?
    }

    /// Returns the entities of a page; nil where some of it cannot be read as entities.
    ///
    /// - Throws: `PayloadError` where the text is no payload.
    package static func readPage(_ json: [UInt8], plan: EntityPlan, in schema: TableSchema) throws
        -> Page?
    {
        let (entities, info) = try collect(json, plan: plan, in: schema)
        guard entities.count == info.entityCount else { return nil }
        return Page(entities: entities, nextLink: info.nextLink, context: info.context)
    }

    private static func collect(
        _ json: [UInt8],
        plan: EntityPlan,
        in schema: TableSchema
    ) throws -> (entities: [EntityBody], info: PageInfo) {
        var collector = EntityBodyCollector()
        var reader = PayloadReader(model: schema.model, plan: plan, plans: schema.plans)
        let info = try reader.read(json.span, into: &collector)
        return (collector.entities, info)
    }
}

extension PageInfo {
    /// Name behind the last slash of a single entity's context: that of its type, where the request's URL ended with a cast
    /// (OData 4.01 Part 1 § 10.5); the entity does not state its type then.
    fileprivate var castType: String? {
        guard let context, let mark = context.lastIndex(of: "#") else { return nil }
        var fragment = context[context.index(after: mark)...]
        if fragment.hasSuffix("/$entity") { fragment.removeLast("/$entity".count) }
        guard let slash = fragment.lastIndex(of: "/") else { return nil }
        return String(fragment[fragment.index(after: slash)...].prefix { $0 != "(" })
    }

    /// Says why a body of a type is refused: what cannot be kept would be lost (OData 4.01 Part 1 § 11.4.2); nil where all is understood.
    package func refusal(of id: StructuredTypeID, in model: EdmModel) -> String? {
        let type = model[id].name
        if let unread = unreadMembers.first {
            return
                "\(unread) of \(type) cannot be changed with the entity's values: change it by its own URL"
        }
        return unknown.map {
            switch $0.kind {
            case .unknownType: "the metadata has no type '\($0.name)' that can stand for \(type)"
            case .unknownEnumMember:
                "'\($0.name)' is no member of \($0.owner ?? "the enumeration")"
                    + Self.members(of: $0.owner, nearest: $0.name, in: model)
            default:
                "\(type) has no property '\($0.name)'" + Self.nearest($0.name, of: id, in: model)
            }
        }
    }

    private static func nearest(_ name: String, of type: StructuredTypeID, in model: EdmModel)
        -> String
    {
        let names =
            model.properties(of: type).map(\.name)
            + model.navigationProperties(of: type).map(\.name)
        return NearestName.question(name, among: names)
    }

    private static func members(of owner: String?, nearest name: String, in model: EdmModel)
        -> String
    {
        guard let owner, case .enumeration(let id) = model.type(named: owner) else { return "" }
        let names = model[id].members.map(\.name)
        // Of a short name every other short one is near.
        let question = name.count > 2 ? NearestName.question(name, among: names) : ""
        guard question.isEmpty else { return question }
        let more = names.count > 8 ? ", …" : ""
        return "; its members: " + names.prefix(8).joined(separator: ", ") + more
    }

    /// What is not known; a value beyond its facets is, and is refused by the rule that it breaks.
    private var unknown: PayloadDiagnostic? {
        diagnostics.first { $0.kind != .valueBeyondFacets }
    }

    /// The member for which a body is refused.
    fileprivate var refusedMember: String? { unreadMembers.first ?? unknown?.name }
}
