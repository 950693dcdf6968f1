import ODataText
import ODataValues

extension EntityReader {
    /// Reads the members of an entity or complex value up to its closing brace; the first name stands at the cursor.
    ///
    /// The member that came after the last one in the object before is tried first, which is right nearly always.
    /// - Returns: How many declared members there were.
    @discardableResult
    mutating func members(
        _ cursor: inout ByteCursor,
        in table: MemberTable,
        plan: CompiledPlan,
        depth: Int,
        into sink: inout some EntitySink
    ) throws -> MemberCount {
        let names = table.names
        let firstSeen = seen.count
        for _ in 0..<((names.count + 63) / 64) { seen.append(0) }
        defer { seen.removeLast(seen.count - firstSeen) }
        var links = PendingLinks()
        var previous = names.count
        var count = 0
        var found = MemberCount()
        repeat {
            count += 1
            guard count <= limits.maximumMembers else {
                throw PayloadFault(
                    .limitExceeded,
                    at: cursor.index,
                    "an object has more than \(limits.maximumMembers) members"
                )
            }
            let start = cursor.index
            var index = names.expected(after: previous)
            if index >= names.count || !cursor.take(index, of: names) {
                let token = try cursor.string()
                guard let known = try member(token, in: table, from: &cursor) else {
                    try other(
                        token,
                        in: table,
                        plan: plan,
                        depth: depth,
                        links: &links,
                        from: &cursor,
                        into: &sink
                    )
                    continue
                }
                index = known
                names.learn(index, after: previous)
            }
            previous = index
            let (word, bit) = (firstSeen + index / 64, UInt64(1) << UInt64(index % 64))
            guard seen[word] & bit == 0 else { throw duplicate(at: start) }
            seen[word] |= bit
            try cursor.colon()
            found.declared += 1
            let action = table.actions[index]
            if action.isKey {
                found.keys += 1
                try refuseNullKey(cursor)
            }
            if action.kind == .scalar {
                try scalar(action, in: table, from: &cursor, into: &sink)
            } else {
                try value(
                    action,
                    at: index,
                    in: table,
                    plan: plan,
                    depth: depth,
                    links: &links,
                    from: &cursor,
                    into: &sink
                )
            }
        } while try cursor.comma(or: UInt8(ascii: "}"), "a comma or the end of the object")
        try tellRemainingLinks(links, in: table, from: &cursor, into: &sink)
        return found
    }

    /// A key has no null (OData CSDL 4.01 § 6.5).
    private func refuseNullKey(_ cursor: borrowing ByteCursor) throws {
        guard expectation.requiresIdentity, cursor.byte == UInt8(ascii: "n") else { return }
        throw PayloadFault(.wrongType, at: cursor.index, "expected the value of a key property")
    }

    /// Finds a member by the bytes of its name.
    private mutating func member(
        _ token: ByteCursor.Token,
        in table: MemberTable,
        from cursor: inout ByteCursor
    ) throws -> Int? {
        guard token.hasEscapes else { return cursor.withSpan(token) { table.names.find($0) } }
        try unescape(token, from: &cursor)
        return table.names.find(scratch.span)
    }

    /// Reads the value of a declared member that is not primitive.
    private mutating func value(
        _ action: MemberAction,
        at index: Int,
        in table: MemberTable,
        plan: CompiledPlan,
        depth: Int,
        links: inout PendingLinks,
        from cursor: inout ByteCursor,
        into sink: inout some EntitySink
    ) throws {
        switch action.kind {
        case .scalar: try scalar(action, in: table, from: &cursor, into: &sink)
        case .json: try json(action, in: table, depth: depth, from: &cursor, into: &sink)
        case .complex:
            try complex(
                action,
                at: index,
                in: table,
                plan: plan,
                depth: depth,
                from: &cursor,
                into: &sink
            )
        case .single, .collection:
            let place = NavigationPlace(
                member: index,
                action: action,
                table: table,
                plan: plan,
                isDelta: false
            )
            try navigation(place, depth: depth, links: &links, from: &cursor, into: &sink)
        case .stream:
            // Inline content of a stream (OData JSON 4.01 § 9); versions 1 to 3 describe it by an object.
            if cursor.byte == UInt8(ascii: "\"") {
                noteUnread(
                    String(decoding: path, as: UTF8.self) + table.names.name(index)
                )
            }
            try cursor.skipValue(depth: depth + 1, limit: limits.maximumDepth)
        }
    }

    /// Keeps a value of any kind as JSON text after a check of its syntax; numbers in it that came in other forms are plain
    /// numbers again.
    private mutating func json(
        _ action: MemberAction,
        in table: MemberTable,
        depth: Int,
        from cursor: inout ByteCursor,
        into sink: inout some EntitySink
    ) throws {
        if cursor.take("null") { return try sink.null(action.slot) }
        let range = try jsonRange(depth: depth, &cursor)
        try cursor.withSpan(from: range.lowerBound, to: range.upperBound) {
            if let spelled = plans.types.canonical($0) {
                return try json(spelled.span, action, in: table, into: &sink)
            }
            try json($0, action, in: table, into: &sink)
        }
    }

    private func json(
        _ json: Span<UInt8>,
        _ action: MemberAction,
        in table: MemberTable,
        into sink: inout some EntitySink
    ) throws {
        guard action.reference >= 0,
            let plain = table.wideNumbers[action.reference].numbers(
                json,
                leavesOutRelations: expectation.leavesOutRelations
            )
        else { return try sink.text(json, slot: action.slot) }
        try sink.text(plain.span, slot: action.slot)
    }

    /// Passes a value and returns its place; version 3 wraps collections into `{"results": […]}` (JSON Verbose § 4.4).
    private func jsonRange(depth: Int, _ cursor: inout ByteCursor) throws -> Range<Int> {
        let start = cursor.index
        try cursor.skipValue(depth: depth + 1, limit: limits.maximumDepth)
        let range = start..<cursor.index
        guard isVerbose,
            cursor.withSpan(from: start, to: start + 1, body: { $0[0] }) == UInt8(ascii: "{")
        else {
            return range
        }
        defer { cursor.move(to: range.upperBound) }
        cursor.move(to: start)
        cursor.advance()
        cursor.skipSpace()
        while cursor.byte == UInt8(ascii: "\"") {
            let name = try cursor.string()
            try cursor.colon()
            let value = cursor.index
            try cursor.skipValue(depth: depth + 2, limit: limits.maximumDepth)
            if cursor.withSpan(name, body: { $0.isEqual(to: "results") }) {
                return value..<cursor.index
            }
            guard try cursor.comma(or: UInt8(ascii: "}"), "a comma") else { break }
        }
        return range
    }

    /// Reads a complex value whose leaves have slots.
    private mutating func complex(
        _ action: MemberAction,
        at index: Int,
        in table: MemberTable,
        plan: CompiledPlan,
        depth: Int,
        from cursor: inout ByteCursor,
        into sink: inout some EntitySink
    ) throws {
        let complex = table.complexes[action.reference]
        if cursor.take("null") { return try null(complex, into: &sink) }
        guard depth < limits.maximumDepth else {
            throw PayloadFault(.limitExceeded, at: cursor.index, "values are nested too deep")
        }
        guard cursor.byte == UInt8(ascii: "{") else {
            throw PayloadFault(.wrongType, at: cursor.index, "expected an object or null")
        }
        cursor.advance()
        cursor.skipSpace()
        if let presence = complex.presence { try sink.integer(1, slot: presence) }
        if cursor.byte == UInt8(ascii: "}") { return cursor.advance() }
        let (firstName, length) = (otherNames.count, path.count)
        path.append(contentsOf: table.names.name(index).utf8)
        path.append(UInt8(ascii: "/"))
        defer {
            otherNames.removeLast(otherNames.count - firstName)
            path.removeLast(path.count - length)
        }
        try members(&cursor, in: complex.members, plan: plan, depth: depth + 1, into: &sink)
        try refuseDuplicates(from: firstName)
    }

    /// Makes every leaf of a complex value null.
    private func null(_ complex: MemberTable.Complex, into sink: inout some EntitySink) throws {
        if let presence = complex.presence { try sink.null(presence) }
        for action in complex.members.actions {
            switch action.kind {
            case .scalar, .json: try sink.null(action.slot)
            case .complex: try null(complex.members.complexes[action.reference], into: &sink)
            case .single, .collection, .stream: break
            }
        }
    }
}

// MARK: - Members that no table knows

extension EntityReader {
    /// Reads a member that is not declared: control information, an annotation or a dynamic property.
    private mutating func other(
        _ token: ByteCursor.Token,
        in table: MemberTable,
        plan: CompiledPlan,
        depth: Int,
        links: inout PendingLinks,
        from cursor: inout ByteCursor,
        into sink: inout some EntitySink
    ) throws {
        if token.hasEscapes { try unescape(token, from: &cursor) }
        let name = token.hasEscapes ? scratch : cursor.withSpan(token) { $0.copied() }
        note(name.span, at: token.start - 1)
        try cursor.colon()
        if let at = name.firstIndex(of: UInt8(ascii: "@")) {
            if at == 0 || isVerbose && name.starts(with: "odata.".utf8) {
                return try lateControl(
                    name.span,
                    plan: plan,
                    depth: depth,
                    from: &cursor,
                    into: &sink
                )
            }
            return try annotation(
                name,
                at: at,
                in: table,
                plan: plan,
                depth: depth,
                links: &links,
                from: &cursor,
                into: &sink
            )
        }
        if isVerbose, name.starts(with: "odata.".utf8) || name.elementsEqual("__metadata".utf8) {
            return try lateControl(name.span, plan: plan, depth: depth, from: &cursor, into: &sink)
        }
        let start = cursor.index
        try cursor.skipValue(depth: depth + 1, limit: limits.maximumDepth)
        // An operation that the service offers for this entity (OData JSON 4.01 § 16).
        if name.first == UInt8(ascii: "#") { return }
        // Values of open complex types are kept whole: what is read member by member is of a closed one.
        guard plan.plan.isOpen, path.isEmpty else {
            return try noteUnknown(
                .undeclaredMember,
                named: String(decoding: path + name, as: UTF8.self),
                of: plan,
                at: token.start - 1,
                among: expectation.refusesUnknown
                    ? (0..<table.names.count).map { table.names.name($0) } : []
            )
        }
        try cursor.withSpan(from: start, to: cursor.index) {
            guard let spelled = plans.types.canonical($0) else {
                return try sink.undeclared(name.span, json: $0)
            }
            try sink.undeclared(name.span, json: spelled.span)
        }
    }

    /// Passes on control information that stands behind other members; what decides on the type has been looked for before, where there is
    /// a choice.
    private mutating func lateControl(
        _ name: Span<UInt8>,
        plan: CompiledPlan,
        depth: Int,
        from cursor: inout ByteCursor,
        into sink: inout some EntitySink
    ) throws {
        guard path.isEmpty else {
            return try cursor.skipValue(depth: depth + 1, limit: limits.maximumDepth)
        }
        let first = controls.count
        defer { controls.removeLast(controls.count - first) }
        var head = Head(start: cursor.index)
        if name.isEqual(to: "__metadata") {
            try readMetadata(&head, isAhead: false, from: &cursor)
        } else {
            try readControlValue(
                ControlName(control: name),
                head: &head,
                isAhead: false,
                from: &cursor
            )
        }
        if let type = head.type, !plan.canBeDerived {
            _ = try resolve(type, plan: plan, from: &cursor)
        }
        for index in first..<controls.count {
            let control = controls[index]
            if control.information == .id { hasLateID = true }
            try report(control, from: &cursor, into: &sink)
        }
    }

    /// Remembers the name of a member that is in no table.
    mutating func note(_ token: ByteCursor.Token, from cursor: inout ByteCursor) {
        cursor.withSpan(token) { note($0, at: token.start - 1) }
    }

    /// Remembers a name that stands at a place.
    mutating func note(_ name: Span<UInt8>, at index: Int) {
        var hasher = Hasher()
        unsafe name.withUnsafeBytes { unsafe hasher.combine(bytes: $0) }
        otherNames.append(OtherName(hash: hasher.finalize(), index: index))
    }

    /// Refuses an object that has two members of one name (RFC 8259 § 4 leaves open what that would mean).
    func refuseDuplicates(from first: Int) throws {
        let count = otherNames.count - first
        guard count > 1 else { return }
        if count <= 8 {
            for index in (first + 1)..<otherNames.count {
                for earlier in first..<index
                where otherNames[earlier].hash == otherNames[index].hash {
                    throw duplicate(at: otherNames[index].index)
                }
            }
            return
        }
        let sorted = otherNames[first...].sorted { ($0.hash, $0.index) < ($1.hash, $1.index) }
        for (left, right) in zip(sorted, sorted.dropFirst()) where left.hash == right.hash {
            throw duplicate(at: right.index)
        }
    }

    private func duplicate(at index: Int) -> PayloadFault {
        PayloadFault(.duplicateMember, at: index, "a second member of the same name")
    }
}
