import ODataText
import ODataValues

extension EntityReader {
    /// Makes the relative id of an entity that is known by its key properties only (OData JSON 4.01 § 15.3).
    ///
    /// That of an inline entity, and of one in a collection that is no whole set, is the key predicate alone: relative to the collection
    /// it stands in.
    mutating func keyedID(
        _ head: Head,
        plan: CompiledPlan,
        as role: Role,
        from cursor: inout ByteCursor
    ) throws -> [UInt8] {
        let names = plans.key(of: plan)
        let values = try members(names, inObjectAt: head.start, from: &cursor)
        guard !names.isEmpty, values.allSatisfy({ $0 != nil }) else {
            throw PayloadFault(
                .unexpectedContent,
                at: head.start,
                "a removed entity without id and without key"
            )
        }
        var id: [UInt8] = []
        if case .item = role { id = try setName(head, from: &cursor) }
        id.append(UInt8(ascii: "("))
        for (position, name) in names.enumerated() {
            if position > 0 { id.append(UInt8(ascii: ",")) }
            if names.count > 1 { id.append(contentsOf: (name + "=").utf8) }
            guard let place = values[position] else { continue }
            let member = plan.members.names.find(Array(name.utf8).span)
            let isString = member.map { plan.members.actions[$0].form == .string } ?? true
            try append(place, isString: isString, to: &id, from: &cursor)
        }
        id.append(UInt8(ascii: ")"))
        return id
    }

    /// The set that an item belongs to as a whole, by its own context or the page's; empty where that is not said.
    private mutating func setName(_ head: Head, from cursor: inout ByteCursor) throws -> [UInt8] {
        guard let token = head.context else { return isPageOfSet ? pageSet : [] }
        var name: [UInt8] = []
        try text(token, from: &cursor) { url in
            guard ContextKind.namesSet(url), let range = ContextKind.setName(url) else { return }
            name = url.extracting(range).copied()
        }
        return name
    }

    /// Finds the values of members of an object.
    private func members(
        _ names: [String],
        inObjectAt place: Int,
        from cursor: inout ByteCursor
    ) throws -> [Range<Int>?] {
        var found: [Range<Int>?] = Array(repeating: nil, count: names.count)
        try forEachMember(ofObjectAt: place, among: names, from: &cursor) { index, cursor in
            let start = cursor.index
            try skipMember(&cursor)
            found[index] = start..<cursor.index
        }
        return found
    }

    /// Calls a function at the value of each named member of an object, which it reads or skips; skips all other values.
    func forEachMember(
        ofObjectAt place: Int,
        among names: [String],
        from cursor: inout ByteCursor,
        _ body: (_ index: Int, inout ByteCursor) throws -> Void
    ) throws {
        cursor.move(to: place)
        try cursor.expect(UInt8(ascii: "{"), what: "an object")
        cursor.skipSpace()
        if cursor.byte == UInt8(ascii: "}") { return }
        repeat {
            let name = try cursor.string()
            let index = cursor.withSpan(name) { span in
                names.firstIndex { span.isEqual(to: $0) }
            }
            try cursor.colon()
            if let index { try body(index, &cursor) } else { try skipMember(&cursor) }
        } while try cursor.comma(or: UInt8(ascii: "}"), "a comma or the end of the object")
    }

    /// Skips the value of a member of an object that is looked through.
    func skipMember(_ cursor: inout ByteCursor) throws {
        try cursor.skipValue(depth: 2, limit: limits.maximumDepth)
    }

    /// Appends a value as it stands in a key predicate: strings quoted and escaped, other values as they are.
    private func append(
        _ place: Range<Int>,
        isString: Bool,
        to id: inout [UInt8],
        from cursor: inout ByteCursor
    ) throws {
        let quote = UInt8(ascii: "'")
        cursor.move(to: place.lowerBound)
        guard cursor.byte == UInt8(ascii: "\"") else {
            return cursor.withSpan(from: place.lowerBound, to: place.upperBound) {
                id.append(bytes: $0)
            }
        }
        var text: [UInt8] = []
        cursor.withSpan(from: place.lowerBound + 1, to: place.upperBound - 1) {
            _ = JSONString.unescape($0, into: &text)
        }
        if isString { id.append(quote) }
        for byte in text {
            if byte == quote { id.append(quote) }
            PercentEncoding.append(byte, keeping: quote, to: &id)
        }
        if isString { id.append(quote) }
    }
}
