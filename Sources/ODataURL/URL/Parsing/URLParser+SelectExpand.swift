import ODataModel

extension URLParser {
    private static let referenceOptions: [SystemQueryOption] = [
        .filter, .search, .orderby, .skip, .top, .count,
    ]
    private static let selectOptions = referenceOptions + [.compute, .select]
    private static let expandOptions =
        selectOptions + [.expand, .levels, .apply, .at, .from, .to, .toInclusive]

    // MARK: $select

    /// Reads an item of `$select` (OData 4.01 Part 2 § 5.1.4).
    mutating func selectItem() throws(ODataURLError) -> WrittenSelectItem {
        var item = WrittenSelectItem(path: [])
        repeat {
            item.path.append(try pathName())
        } while item.path.last?.name != "*" && takeSegmentEnd(item.path.count)
        guard version.isV4, scanner.next == Byte.open else { return item }
        if isOptionAhead {
            item.options = try optionsInParentheses(Self.selectOptions)
        } else {
            item.parameters = try parameterNames()
        }
        return item
    }

    /// Whether the parenthesis at the cursor begins options and not names of parameters.
    private var isOptionAhead: Bool {
        var ahead = scanner
        ahead.position += 1
        ahead.skipSpace()
        if ahead.next == Byte.dollar || ahead.next == Byte.at { return true }
        guard let end = ahead.endOfIdentifier(from: ahead.position) else { return false }
        ahead.position = end
        return ahead.takeSpaced(Byte.equals)
    }

    private mutating func parameterNames() throws(ODataURLError) -> [String] {
        try scanner.expect(Byte.open)
        if scanner.take(Byte.close) { return [] }
        let names = try list { (parser) throws(ODataURLError) in try parser.scanner.identifier() }
        scanner.skipSpace()
        try scanner.expect(Byte.close)
        return names
    }

    // MARK: $expand

    /// Reads an item of `$expand` (OData 4.01 Part 2 § 5.1.3).
    mutating func expandItem() throws(ODataURLError) -> WrittenExpandItem {
        guard expandDepth < limits.maximumExpandDepth else {
            throw limitFault("$expand is nested deeper than \(limits.maximumExpandDepth)")
        }
        expandDepth += 1
        defer { expandDepth -= 1 }
        var item = WrittenExpandItem(path: [], suffix: .none)
        repeat {
            if takeDollarWord("ref") {
                item.suffix = .reference
            } else if takeDollarWord("count") {
                item.suffix = .count
            } else {
                item.path.append(try pathName())
                continue
            }
            guard !item.path.isEmpty else { throw scanner.fault(expected: ["a name"]) }
            break
        } while takeSegmentEnd(item.path.count)
        guard version.isV4, scanner.next == Byte.open else { return item }
        item.options = try optionsInParentheses(allowed(for: item))
        return item
    }

    private func allowed(for item: WrittenExpandItem) -> [SystemQueryOption] {
        switch item.suffix {
        case .reference: Self.referenceOptions
        case .count: [.filter, .search]
        case .none: item.path.last?.name == "*" ? [.levels] : Self.expandOptions
        }
    }

    // MARK: Parts

    private mutating func takeDollarWord(_ word: String) -> Bool {
        let start = scanner.position
        if scanner.take(Byte.dollar), scanner.takeWord(word) { return true }
        scanner.position = start
        return false
    }

    private mutating func takeSegmentEnd(_ count: Int) -> Bool {
        count < limits.maximumSegments && scanner.take(Byte.slash)
    }

    /// Reads a name, `*`, `Namespace.*`, `$value` or an annotation.
    mutating func pathName() throws(ODataURLError) -> WrittenPathName {
        let offset = scanner.offset
        if scanner.take(Byte.star) { return WrittenPathName(name: "*", offset: offset) }
        if takeDollarWord("value") { return WrittenPathName(name: "$value", offset: offset) }
        if scanner.take(Byte.at) {
            var name = "@" + (try scanner.qualifiedName())
            if scanner.take(Byte.hash) { name += "#" + (try scanner.identifier()) }
            return WrittenPathName(name: name, offset: offset)
        }
        var name = try scanner.qualifiedName()
        if scanner.next == Byte.dot, scanner.byte(1) == Byte.star {
            scanner.position += 2
            name += ".*"
        }
        return WrittenPathName(name: name, offset: offset)
    }
}
