import ODataText
import ODataValues
import ODataModel

/// Reads one item of a payload, whose bytes are there as a whole, and drives a sink with it.
///
/// Holds what is kept from item to item: compiled plans, scratch memory, what is to be reported about the page.
struct EntityReader {
    let plans: CompiledPlans
    let limits: PayloadLimits
    /// Whether the forms of versions 1 to 3 are read: `__metadata`, numbers in quotation marks.
    var isVerbose: Bool
    /// Whether items may be tombstones and links.
    var isDelta: Bool
    /// What was asked for.
    let expectation: PayloadExpectation
    /// Whether an id has come behind other members of the entity being read.
    var hasLateID = false
    /// Whether a key was refused since it has more digits than are kept.
    var hasCutKey = false
    var info = PageInfo()
    /// Entity set of the page, from its context; empty where unknown.
    var pageSet: [UInt8] = []
    /// Whether the page is of the set itself, and not of a collection below one of its entities.
    var isPageOfSet = false

    /// Text on its way out of its escapes.
    var scratch: [UInt8] = []
    /// Bytes on their way out of their text.
    var blob: [UInt8] = []
    /// The bytes of the last Guid.
    var guid = [UInt8](repeating: 0, count: GuidText.byteCount)
    /// Path of the complex value being read, with a slash at the end.
    var path: [UInt8] = []
    /// Bits of the members seen in the objects being read, innermost last.
    var seen: [UInt64] = []
    /// Names of other members in the objects being read.
    var otherNames: [OtherName] = []
    /// Control information found ahead of the members of the entities being read.
    var controls: [Control] = []

    /// A member that no table knows.
    struct OtherName {
        /// Of the name's bytes, with a random seed, so that equal hashes mean equal names.
        var hash: Int
        var index: Int
    }

    /// How many of its declared members an object has.
    struct MemberCount {
        var declared = 0
        /// Key properties.
        var keys = 0
    }

    /// Control information of an entity and where its value stands.
    struct Control {
        var information: EntityControl
        var token: ByteCursor.Token
    }

    init(
        plans: CompiledPlans,
        limits: PayloadLimits,
        isVerbose: Bool,
        isDelta: Bool,
        expectation: PayloadExpectation
    ) {
        self.plans = plans
        self.limits = limits
        self.isVerbose = isVerbose
        self.isDelta = isDelta
        self.expectation = expectation
    }

    /// Where an object stands, which decides what it can be.
    enum Role {
        /// In the array of a page.
        case item
        /// The whole payload; its context is the page's.
        case single
        /// Inside another entity.
        case inline(NavigationPropertyID, isDelta: Bool)
    }
}

// MARK: - Objects

extension EntityReader {
    /// Reads an object: an entity, or in its place a reference, a tombstone or a link.
    mutating func object(
        _ cursor: inout ByteCursor,
        declared: CompiledPlan,
        as role: Role,
        depth: Int,
        into sink: inout some EntitySink
    ) throws {
        guard depth <= limits.maximumDepth else {
            throw PayloadFault(.limitExceeded, at: cursor.index, "entities are nested too deep")
        }
        let (firstControl, firstName) = (controls.count, otherNames.count)
        defer {
            controls.removeLast(controls.count - firstControl)
            otherNames.removeLast(otherNames.count - firstName)
        }
        let head = try readHead(&cursor, plan: declared, as: role)
        var plan = declared
        switch try kind(of: head, plan: declared, as: role, from: &cursor) {
        case .reference(let token, let navigation):
            return try text(token, from: &cursor) { try sink.bind(navigation, to: $0) }
        case .removed:
            return try removed(head, plan: declared, as: role, from: &cursor, into: &sink)
        case .deletedEntity:
            return try deletedEntity(head, from: &cursor, into: &sink)
        case .link(let isAdded):
            return try link(isAdded: isAdded, head: head, from: &cursor, into: &sink)
        case .otherSet(let found):
            guard let found else { return try skip(head, from: &cursor) }
            plan = found
        case .entity: break
        }
        try sink.beginEntity(plan.plan)
        plan = try resolveType(head, plan: plan, from: &cursor, into: &sink)
        for index in firstControl..<controls.count {
            try report(controls[index], from: &cursor, into: &sink)
        }
        let hadLateID = hasLateID
        hasLateID = false
        defer { hasLateID = hadLateID }
        let found =
            head.isAtEnd
            ? MemberCount()
            : try members(&cursor, in: plan.members, plan: plan, depth: depth, into: &sink)
        try requireIdentity(head, plan: plan, as: role, found: found)
        try refuseDuplicates(from: firstName)
        try sink.endEntity()
    }

    /// Refuses an entity of which nothing says which one it is: whatever it means, it must not stand for another one.
    private func requireIdentity(
        _ head: Head,
        plan: CompiledPlan,
        as role: Role,
        found: MemberCount
    ) throws {
        guard expectation.requiresIdentity, head.id == nil, !hasLateID,
            found.keys < plan.members.keyCount
        else { return }
        // Of the one entity that was asked for it is enough to be one.
        if case .single = role, expectation.isIdentityKnown, found.declared > 0 { return }
        let names = plans.key(of: plan).joined(separator: ", ")
        throw PayloadFault(
            .unexpectedContent,
            at: head.start,
            "expected an entity with its key (\(names)) or its id"
        )
    }

    /// Finds the plan of the type that the payload names and passes it to the sink.
    private mutating func resolveType(
        _ head: Head,
        plan: CompiledPlan,
        from cursor: inout ByteCursor,
        into sink: inout some EntitySink
    ) throws -> CompiledPlan {
        let found =
            if let token = head.type {
                try resolve(token, plan: plan, from: &cursor)
            } else {
                try castInContext(head, plan: plan, from: &cursor)
            }
        guard let found else { return plan }
        try sink.type(found.plan)
        return found
    }

    /// Finds the plan of the derived type that the context of an entity names (OData 4.01 Part 1 § 10.6); nil where it names none.
    private mutating func castInContext(
        _ head: Head,
        plan: CompiledPlan,
        from cursor: inout ByteCursor
    ) throws -> CompiledPlan? {
        guard let token = head.context else { return nil }
        let plans = plans
        var found: CompiledPlan?
        try text(token, from: &cursor) { url in
            guard let name = ContextKind.castName(url) else { return }
            found = plans.plan(ofType: url.extracting(name), insteadOf: plan)
        }
        return found
    }

    /// Finds the plan of a type by its name; one that is not known is noted.
    mutating func resolve(
        _ token: ByteCursor.Token,
        plan: CompiledPlan,
        from cursor: inout ByteCursor
    ) throws -> CompiledPlan? {
        let plans = plans
        var found: CompiledPlan?
        var unknown: String?
        try text(token, from: &cursor) { name in
            // `#Namespace.Type`, or the URL of a metadata document with such a fragment.
            var start = name.count
            while start > 0, name[start - 1] != UInt8(ascii: "#") { start -= 1 }
            let name = name.extracting(start..<name.count)
            found = plans.plan(ofType: name, insteadOf: plan)
            if found == nil { unknown = String(decoding: name.copied(), as: UTF8.self) }
        }
        guard let unknown else { return found }
        guard !expectation.requiresIdentity || !plans.hasOtherType(named: unknown) else {
            throw PayloadFault(
                .wrongType,
                at: token.start - 1,
                "an entity of another type than the one asked for, \(unknown)"
            )
        }
        try noteUnknown(.unknownType, named: unknown, of: plan, at: token.start - 1)
        return nil
    }

    /// Passes the whole of an object.
    func skip(_ head: Head, from cursor: inout ByteCursor) throws {
        cursor.move(to: head.start)
        try cursor.skipValue(depth: 1, limit: limits.maximumDepth)
    }
}

// MARK: - Help

extension EntityReader {
    /// Passes control information of an entity to the sink.
    ///
    /// An ETag goes back to the service in a header field; one that no header field can hold is refused where it comes, since every
    /// change of its entity would fail (RFC 9110 §§ 5.5, 8.8.3).
    mutating func report(
        _ control: Control,
        from cursor: inout ByteCursor,
        into sink: inout some EntitySink
    ) throws {
        try text(control.token, from: &cursor) { value in
            if control.information == .etag || control.information == .mediaETag {
                try Self.refuseControlCharacters(value, at: control.token)
            }
            try sink.control(control.information, value: value)
        }
    }

    static func refuseControlCharacters(_ value: Span<UInt8>, at token: ByteCursor.Token) throws {
        for index in value.indices where value[index] < 0x20 || value[index] == 0x7F {
            throw PayloadFault(
                .wrongType,
                at: token.start - 1,
                "expected an ETag, found one with control characters"
            )
        }
    }

    /// Gives the text of a string, its escapes resolved.
    mutating func text(
        _ token: ByteCursor.Token,
        from cursor: inout ByteCursor,
        body: (Span<UInt8>) throws -> Void
    ) throws {
        guard token.hasEscapes else { return try cursor.withSpan(token, body: body) }
        try unescape(token, from: &cursor)
        try body(scratch.span)
    }

    /// Puts the text of a string with escapes into `scratch`.
    mutating func unescape(_ token: ByteCursor.Token, from cursor: inout ByteCursor) throws {
        scratch.removeAll(keepingCapacity: true)
        try cursor.withSpan(token) { span in
            guard let place = JSONString.unescape(span, into: &scratch) else { return }
            throw PayloadFault(.malformed, at: token.start + place, "no such escape")
        }
    }

    /// Returns the text of a string.
    mutating func string(
        _ token: ByteCursor.Token,
        from cursor: inout ByteCursor
    ) throws -> String {
        var result = ""
        try text(token, from: &cursor) { result = String(decoding: $0.copied(), as: UTF8.self) }
        return result
    }

    /// Returns the bytes of a string, its escapes resolved.
    mutating func bytes(
        _ token: ByteCursor.Token,
        from cursor: inout ByteCursor
    ) throws -> [UInt8] {
        guard token.hasEscapes else { return cursor.withSpan(token) { $0.copied() } }
        try unescape(token, from: &cursor)
        return scratch
    }

    /// Notes a member whose value is passed over, not without end.
    mutating func noteUnread(_ name: String) {
        if info.unreadMembers.count < 64 { info.unreadMembers.append(name) }
    }

    /// Notes what the model does not know, or refuses it where that is expected.
    mutating func noteUnknown(
        _ kind: PayloadDiagnostic.Kind,
        named name: String,
        of plan: CompiledPlan,
        at index: Int,
        among known: [String] = []
    ) throws {
        guard expectation.refusesUnknown else { return diagnose(kind, named: name) }
        let nearest = NearestName.question(name, among: known)
        let owner = plans.name(of: plan)
        let message =
            kind == .unknownType
            ? "the metadata has no type '\(name)' that can stand for \(owner)"
            : "\(owner) has no property '\(name)'\(nearest)"
        throw PayloadFault(.unexpectedContent, at: index, message)
    }

    /// Notes what the model does not know, each name once and not without end.
    mutating func diagnose(
        _ kind: PayloadDiagnostic.Kind,
        named name: String,
        of owner: String? = nil
    ) {
        let diagnostic = PayloadDiagnostic(kind, name, of: owner)
        if info.diagnostics.count < 64, !info.diagnostics.contains(diagnostic) {
            info.diagnostics.append(diagnostic)
        }
    }
}
