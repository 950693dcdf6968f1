import ODataText
import ODataValues
import ODataModel

extension EntityReader {
    /// A navigation property whose value is being read.
    struct NavigationPlace {
        var member: Int
        var action: MemberAction
        var table: MemberTable
        var plan: CompiledPlan
        /// Whether the entities are changes (`Nav@delta`).
        var isDelta: Bool

        var id: NavigationPropertyID { table.navigations[action.reference] }

        /// The property's name behind the path that leads to it.
        func name(below path: [UInt8]) -> String {
            String(decoding: path, as: UTF8.self) + table.names.name(member)
        }
    }

    /// Links to the rest of inline entities that were found ahead of them, or without them.
    struct PendingLinks {
        private var links: [(member: Int, token: ByteCursor.Token)] = []

        mutating func add(_ token: ByteCursor.Token, for member: Int) {
            links.append((member, token))
        }

        mutating func take(for member: Int) -> ByteCursor.Token? {
            guard let index = links.firstIndex(where: { $0.member == member }) else { return nil }
            return links.remove(at: index).token
        }

        var all: [(member: Int, token: ByteCursor.Token)] { links }
    }

    /// Reads the value of a navigation property.
    mutating func navigation(
        _ place: NavigationPlace,
        depth: Int,
        links: inout PendingLinks,
        from cursor: inout ByteCursor,
        into sink: inout some EntitySink
    ) throws {
        guard path.isEmpty,
            let target = plans.target(of: place.action.reference, in: place.table, from: place.plan)
        else {
            if try isVerbose && skipDeferred(depth: depth, &cursor) { return }
            if cursor.byte != UInt8(ascii: "n") {
                noteUnread(place.name(below: path))
            }
            return try cursor.skipValue(depth: depth + 1, limit: limits.maximumDepth)
        }
        if isVerbose, try skipDeferred(depth: depth, &cursor) { return }
        try sink.beginNavigation(place.id, isDelta: place.isDelta)
        var next: ByteCursor.Token?
        if cursor.take("null") {
            // No entity, or none any more; only a single-valued property can say so.
            if place.action.kind == .collection {
                noteUnread(place.name(below: path))
            }
        } else if place.action.kind == .single {
            guard cursor.byte == UInt8(ascii: "{") else {
                throw PayloadFault(.wrongType, at: cursor.index, "expected an entity or null")
            }
            try object(
                &cursor,
                declared: target,
                as: .inline(place.id, isDelta: place.isDelta),
                depth: depth + 1,
                into: &sink
            )
        } else {
            next = try collection(place, target: target, depth: depth, from: &cursor, into: &sink)
        }
        next =
            try next ?? links.take(for: place.member)
            ?? adjacentLink(place, depth: depth, from: &cursor)
        let link = try next.map { try string($0, from: &cursor) }
        try sink.endNavigation(place.id, nextLink: link)
    }

    /// Reads the entities of a collection; returns the link to the rest where it stands inside (JSON Verbose § 6.3).
    private mutating func collection(
        _ place: NavigationPlace,
        target: CompiledPlan,
        depth: Int,
        from cursor: inout ByteCursor,
        into sink: inout some EntitySink
    ) throws -> ByteCursor.Token? {
        if cursor.byte == UInt8(ascii: "[") {
            try array(place, target: target, depth: depth, from: &cursor, into: &sink)
            return nil
        }
        guard isVerbose, cursor.byte == UInt8(ascii: "{") else {
            throw PayloadFault(.wrongType, at: cursor.index, "expected an array of entities")
        }
        cursor.advance()
        cursor.skipSpace()
        var next: ByteCursor.Token?
        if cursor.byte == UInt8(ascii: "}") {
            cursor.advance()
            return nil
        }
        repeat {
            let name = try cursor.string()
            try cursor.colon()
            if cursor.byte == UInt8(ascii: "["),
                cursor.withSpan(name, body: { $0.isEqual(to: "results") })
            {
                try array(place, target: target, depth: depth + 1, from: &cursor, into: &sink)
            } else if cursor.byte == UInt8(ascii: "\""),
                cursor.withSpan(name, body: { $0.isEqual(to: "__next") })
            {
                next = try cursor.string()
            } else {
                try cursor.skipValue(depth: depth + 2, limit: limits.maximumDepth)
            }
        } while try cursor.comma(or: UInt8(ascii: "}"), "a comma or the end of the object")
        return next
    }

    private mutating func array(
        _ place: NavigationPlace,
        target: CompiledPlan,
        depth: Int,
        from cursor: inout ByteCursor,
        into sink: inout some EntitySink
    ) throws {
        cursor.advance()
        cursor.skipSpace()
        if cursor.byte == UInt8(ascii: "]") { return cursor.advance() }
        repeat {
            try object(
                &cursor,
                declared: target,
                as: .inline(place.id, isDelta: place.isDelta),
                depth: depth + 2,
                into: &sink
            )
        } while try cursor.comma(or: UInt8(ascii: "]"), "a comma or the end of the array")
    }

    /// Passes `{"__deferred": …}`, which says only that there is something to be asked for.
    private func skipDeferred(depth: Int, _ cursor: inout ByteCursor) throws -> Bool {
        guard cursor.byte == UInt8(ascii: "{") else { return false }
        let start = cursor.index
        cursor.advance()
        cursor.skipSpace()
        let isDeferred =
            try cursor.byte == UInt8(ascii: "\"")
            && cursor.withSpan(cursor.string()) { $0.isEqual(to: "__deferred") }
        cursor.move(to: start)
        if isDeferred { try cursor.skipValue(depth: depth + 1, limit: limits.maximumDepth) }
        return isDeferred
    }

    /// Reads annotations of the same property that follow its value and returns the next link among them
    /// (OData JSON 4.01 § 4.5.5).
    private mutating func adjacentLink(
        _ place: NavigationPlace,
        depth: Int,
        from cursor: inout ByteCursor
    ) throws -> ByteCursor.Token? {
        guard place.action.kind == .collection else { return nil }
        let name = Array(place.table.names.name(place.member).utf8)
        var link: ByteCursor.Token?
        while true {
            let start = cursor.index
            cursor.skipSpace()
            guard cursor.byte == UInt8(ascii: ",") else { break }
            cursor.advance()
            cursor.skipSpace()
            guard cursor.byte == UInt8(ascii: "\"") else { break }
            let token = try cursor.string()
            let control = cursor.withSpan(token) { Self.control(of: $0, property: name.span) }
            guard case .some(.nextLink) = control else {
                guard case .some(.count) = control else {
                    cursor.move(to: start)
                    break
                }
                note(token, from: &cursor)
                try cursor.colon()
                try cursor.skipValue(depth: depth + 1, limit: limits.maximumDepth)
                continue
            }
            note(token, from: &cursor)
            try cursor.colon()
            guard cursor.byte == UInt8(ascii: "\"") else {
                throw PayloadFault(.unexpectedContent, at: cursor.index, "expected a link")
            }
            link = try cursor.string()
        }
        return link
    }

    /// The meaning of `Name@control` for a property; nil for any other name.
    private static func control(of name: Span<UInt8>, property: Span<UInt8>) -> ControlName? {
        guard name.count > property.count + 1, name[property.count] == UInt8(ascii: "@"),
            name.extracting(0..<property.count).isEqual(to: property)
        else { return nil }
        return ControlName(name.extracting((property.count + 1)..<name.count))
    }
}

// MARK: - Annotations

extension EntityReader {
    /// Reads `Property@annotation`; those of navigation properties may be links, references or changes.
    mutating func annotation(
        _ name: [UInt8],
        at: Int,
        in table: MemberTable,
        plan: CompiledPlan,
        depth: Int,
        links: inout PendingLinks,
        from cursor: inout ByteCursor,
        into sink: inout some EntitySink
    ) throws {
        let control = ControlName(name.span.extracting((at + 1)..<name.count))
        var member: Int?
        if path.isEmpty { member = table.names.find(name.span.extracting(0..<at)) }
        if let member, table.actions[member].kind == .stream, case .entity(let kind) = control,
            [.mediaETag, .mediaReadLink, .mediaEditLink, .mediaContentType].contains(kind),
            cursor.byte == UInt8(ascii: "\"")
        {
            return try streamControl(kind, name: name, at: at, from: &cursor, into: &sink)
        }
        if case .type = control, plan.plan.isOpen, path.isEmpty, !isVerbose,
            table.names.find(name.span.extracting(0..<at)) == nil
        {
            return try dynamicType(name, at: at, depth: depth, from: &cursor, into: &sink)
        }
        guard let member,
            table.actions[member].kind == .single || table.actions[member].kind == .collection
        else {
            // What changes a relation cannot be passed over as other annotations can.
            if control.changesRelation {
                if member == nil, path.isEmpty, !plan.plan.isOpen {
                    try noteUnknown(
                        .undeclaredMember,
                        named: String(decoding: name[..<at], as: UTF8.self),
                        of: plan,
                        at: cursor.index,
                        among: (0..<table.names.count).map { table.names.name($0) }
                    )
                } else {
                    noteUnread(String(decoding: path + name, as: UTF8.self))
                }
            }
            return try cursor.skipValue(depth: depth + 1, limit: limits.maximumDepth)
        }
        let place = NavigationPlace(
            member: member,
            action: table.actions[member],
            table: table,
            plan: plan,
            isDelta: true
        )
        switch control {
        case .bind: try bind(place, depth: depth, from: &cursor, into: &sink)
        case .delta: try navigation(place, depth: depth, links: &links, from: &cursor, into: &sink)
        case .nextLink where cursor.byte == UInt8(ascii: "\""):
            links.add(try cursor.string(), for: member)
        default: try cursor.skipValue(depth: depth + 1, limit: limits.maximumDepth)
        }
    }

    /// Passes the type of a dynamic property on as a member beside it; what is no name of a type is passed over as other annotations
    /// are, or refused where nothing may be lost.
    private mutating func dynamicType(
        _ name: [UInt8],
        at: Int,
        depth: Int,
        from cursor: inout ByteCursor,
        into sink: inout some EntitySink
    ) throws {
        let start = cursor.index
        var type: String?
        if cursor.byte == UInt8(ascii: "\"") {
            type = plans.types.canonical(name: try string(cursor.string(), from: &cursor))
        } else {
            try cursor.skipValue(depth: depth + 1, limit: limits.maximumDepth)
        }
        let property = String(decoding: name[..<at], as: UTF8.self)
        guard let type else {
            guard expectation.refusesUnknown else { return }
            throw PayloadFault(
                .wrongType,
                at: start,
                "expected the name of the type of \(property), such as \"#Date\" or \"#Collection(Int32)\""
            )
        }
        let member = DynamicTypeMember.name(of: property)
        // Both spellings say one thing: a second one is a second member of the name.
        if !member.utf8.elementsEqual(name) { note(Array(member.utf8).span, at: start) }
        try sink.undeclared(Array(member.utf8).span, json: Array("\"\(type)\"".utf8).span)
    }

    private mutating func streamControl(
        _ information: EntityControl,
        name: [UInt8],
        at: Int,
        from cursor: inout ByteCursor,
        into sink: inout some EntitySink
    ) throws {
        let token = try cursor.string()
        try text(token, from: &cursor) { value in
            if information == .mediaETag { try Self.refuseControlCharacters(value, at: token) }
            try sink.streamControl(name.span.extracting(0..<at), information, value: value)
        }
    }

    /// Reads one reference, several, or null for none (OData JSON 4.0 § 8.5).
    private mutating func bind(
        _ place: NavigationPlace,
        depth: Int,
        from cursor: inout ByteCursor,
        into sink: inout some EntitySink
    ) throws {
        let navigation = place.id
        let isCollection = place.action.kind == .collection
        if !isCollection, cursor.take("null") {
            try sink.beginNavigation(navigation, isDelta: false)
            return try sink.endNavigation(navigation, nextLink: nil)
        }
        guard isCollection, cursor.byte == UInt8(ascii: "[") else {
            return try bindOne(navigation, from: &cursor, into: &sink)
        }
        cursor.advance()
        cursor.skipSpace()
        if cursor.byte == UInt8(ascii: "]") { return cursor.advance() }
        repeat {
            try bindOne(navigation, from: &cursor, into: &sink)
        } while try cursor.comma(or: UInt8(ascii: "]"), "a comma or the end of the array")
    }

    private mutating func bindOne(
        _ navigation: NavigationPropertyID,
        from cursor: inout ByteCursor,
        into sink: inout some EntitySink
    ) throws {
        guard cursor.byte == UInt8(ascii: "\"") else {
            throw PayloadFault(.wrongType, at: cursor.index, "expected an entity reference")
        }
        let token = try cursor.string()
        try text(token, from: &cursor) { try sink.bind(navigation, to: $0) }
    }

    /// Reports next links of related entities that stand apart from them, or that have no inline entities.
    ///
    /// Members stand in any order (OData JSON 4.01 § 4.4): the link may come long after the entities that it continues.
    mutating func tellRemainingLinks(
        _ links: PendingLinks,
        in table: MemberTable,
        from cursor: inout ByteCursor,
        into sink: inout some EntitySink
    ) throws {
        for (member, token) in links.all {
            let id = table.navigations[table.actions[member].reference]
            let link = try string(token, from: &cursor)
            try sink.beginNavigation(id, isDelta: true)
            try sink.endNavigation(id, nextLink: link)
        }
    }
}
