import ODataText
import ODataValues
import ODataModel

extension EntityReader {
    /// What an object turns out to be.
    enum ObjectKind {
        case entity
        /// `{"@id": "…"}` in place of an entity.
        case reference(ByteCursor.Token, NavigationPropertyID)
        /// `@removed` (OData JSON 4.01 § 15.3).
        case removed
        /// `$deletedEntity` of version 4.0.
        case deletedEntity
        case link(isAdded: Bool)
        /// An entity of another set than the page's; nil where that set is unknown.
        case otherSet(CompiledPlan?)
    }

    /// Decides what an object is.
    mutating func kind(
        of head: Head,
        plan: CompiledPlan,
        as role: Role,
        from cursor: inout ByteCursor
    ) throws -> ObjectKind {
        if let error = head.error {
            throw inStreamError(at: error, &cursor)
        }
        if let removed = head.removed {
            try refuseStrayRemoval(at: removed, as: role)
            return .removed
        }
        switch role {
        case .inline(let navigation, _):
            if let id = head.id, head.isAtEnd, !head.isMoreThanReference {
                return .reference(id, navigation)
            }
            return .entity
        case .single: return .entity
        case .item:
            guard let context = head.context else { return .entity }
            return try kind(ofContext: context, plan: plan, from: &cursor)
        }
    }

    /// Refuses a removed entity among those of a collection, where what is unknown is refused too: a service that sends one is believed.
    private func refuseStrayRemoval(at index: Int, as role: Role) throws {
        let isAmongChanges = if case .inline(_, isDelta: true) = role { true } else { isDelta }
        guard expectation.refusesUnknown, !isAmongChanges else { return }
        throw PayloadFault(
            .unexpectedContent,
            at: index,
            "expected an entity, found one that is removed, which stands only among changes"
        )
    }

    private mutating func kind(
        ofContext token: ByteCursor.Token,
        plan: CompiledPlan,
        from cursor: inout ByteCursor
    ) throws -> ObjectKind {
        if token.hasEscapes { try unescape(token, from: &cursor) }
        let url = token.hasEscapes ? scratch : cursor.withSpan(token) { $0.copied() }
        switch ContextKind(url.span) {
        case .deletedEntity: return .deletedEntity
        case .link: return .link(isAdded: true)
        case .deletedLink: return .link(isAdded: false)
        case .delta, .other: return .entity
        case .entity: break
        }
        if isDelta, isPageOfSet || pageSet.isEmpty, !ContextKind.namesSet(url.span) {
            // Only its context names its container: the whole result shows both (OData JSON 4.0 § 14).
            throw PayloadFault(
                .unexpectedContent,
                at: cursor.index,
                "a change of an entity inside of another one, apart from it"
            )
        }
        guard let set = ContextKind.setName(url.span), url[set] != pageSet[...] else {
            return .entity
        }
        let found = plans.plan(ofSet: url.span.extracting(set), insteadOf: plan)
        if pageSet.isEmpty {
            // The page's own context comes behind its items: the set that was asked for is theirs unless they name another one.
            let isOther = found.map { $0.plan.destination != plan.plan.destination } ?? false
            return isOther ? .otherSet(found) : .entity
        }
        if found == nil {
            diagnose(.unknownEntitySet, named: String(decoding: url[set], as: UTF8.self))
        }
        return .otherSet(found)
    }

    /// Returns the fault of an error in place of data.
    func inStreamError(at index: Int, _ cursor: inout ByteCursor) -> PayloadFault {
        cursor.move(to: index)
        cursor.allowsDuplicateNames = true
        var fault = PayloadFault(.inStreamError, at: index, "the service reports an error")
        guard (try? cursor.skipValue(depth: 2, limit: limits.maximumDepth)) != nil else {
            return fault
        }
        fault.service = cursor.withSpan(from: index, to: cursor.index) {
            ODataErrorBody(errorObject: $0)
        }
        if let message = fault.service?.message, !message.isEmpty {
            fault.message = "the service reports: \(message)"
        }
        return fault
    }

    /// Reads a tombstone of version 4.01.
    mutating func removed(
        _ head: Head,
        plan: CompiledPlan,
        as role: Role,
        from cursor: inout ByteCursor,
        into sink: inout some EntitySink
    ) throws {
        var reason = RemovalReason.deleted
        if let place = head.removed {
            cursor.move(to: place)
            reason = try self.reason(inObjectAt: place, &cursor)
        }
        if let id = head.id {
            try text(id, from: &cursor) { try sink.removed(id: $0, reason: reason) }
        } else {
            let id = try keyedID(head, plan: plan, as: role, from: &cursor)
            try sink.removed(id: id.span, reason: reason)
        }
        try skip(head, from: &cursor)
    }

    /// Reads `{"reason": "changed"}`; a reason that is missing or unknown only says that the entity left the result.
    private mutating func reason(
        inObjectAt place: Int,
        _ cursor: inout ByteCursor
    ) throws -> RemovalReason {
        guard cursor.byte == UInt8(ascii: "{") else { return .changed }
        guard let token = try stringMembers(["reason"], inObjectAt: place, from: &cursor)[0] else {
            return .changed
        }
        return try string(token, from: &cursor) == "deleted" ? .deleted : .changed
    }

    /// Reads a tombstone of version 4.0: `id` and `reason` are members (OData JSON 4.0 § 14.3).
    mutating func deletedEntity(
        _ head: Head,
        from cursor: inout ByteCursor,
        into sink: inout some EntitySink
    ) throws {
        let found = try stringMembers(["id", "reason"], inObjectAt: head.start, from: &cursor)
        guard let id = found[0] ?? head.id else {
            throw PayloadFault(.unexpectedContent, at: head.start, "a deleted entity without id")
        }
        let isDeleted = try found[1].map { try string($0, from: &cursor) == "deleted" } ?? true
        try text(id, from: &cursor) {
            try sink.removed(id: $0, reason: isDeleted ? .deleted : .changed)
        }
        try skip(head, from: &cursor)
    }

    /// Reads a link of version 4.0 or 4.01 (OData JSON 4.01 §§ 15.4, 15.5).
    mutating func link(
        isAdded: Bool,
        head: Head,
        from cursor: inout ByteCursor,
        into sink: inout some EntitySink
    ) throws {
        let names = ["source", "relationship", "target"]
        let found = try stringMembers(names, inObjectAt: head.start, from: &cursor)
        guard let source = found[0], let relationship = found[1] else {
            throw PayloadFault(
                .unexpectedContent,
                at: head.start,
                "a link without source or relationship"
            )
        }
        guard found[2] != nil || !isAdded else {
            throw PayloadFault(.unexpectedContent, at: head.start, "a link without target")
        }
        let change = LinkChange(
            isAdded: isAdded,
            source: try string(source, from: &cursor),
            relationship: try string(relationship, from: &cursor),
            target: try found[2].map { try string($0, from: &cursor) }
        )
        try sink.link(change)
        try skip(head, from: &cursor)
    }

    /// Finds members of an object that are strings.
    func stringMembers(
        _ names: [String],
        inObjectAt place: Int,
        from cursor: inout ByteCursor
    ) throws -> [ByteCursor.Token?] {
        var found: [ByteCursor.Token?] = Array(repeating: nil, count: names.count)
        try forEachMember(ofObjectAt: place, among: names, from: &cursor) { index, cursor in
            guard cursor.byte == UInt8(ascii: "\"") else { return try skipMember(&cursor) }
            found[index] = try cursor.string()
        }
        return found
    }
}
