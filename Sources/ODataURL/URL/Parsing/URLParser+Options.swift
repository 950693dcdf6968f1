import ODataText
import ODataValues
import ODataModel

extension URLParser {
    /// Reads options between parentheses, separated by semicolons.
    mutating func optionsInParentheses(_ allowed: [SystemQueryOption]) throws(ODataURLError)
        -> WrittenOptions
    {
        try enter()
        defer { leave() }
        try scanner.expect(Byte.open)
        var options = WrittenOptions()
        repeat {
            scanner.skipSpace()
            if scanner.next == Byte.at {
                try alias(into: &options)
                continue
            }
            let offset = scanner.offset
            let option = try nestedName(allowed)
            try expectFirst(option, in: options, at: offset)
            options.places.append((option, scanner.offset))
            try value(of: option, into: &options)
            scanner.skipSpace()
        } while scanner.take(Byte.semicolon)
        guard scanner.take(Byte.close) else { throw scanner.fault(expected: ["';'", "')'"]) }
        return options
    }

    private mutating func nestedName(_ allowed: [SystemQueryOption]) throws(ODataURLError)
        -> SystemQueryOption
    {
        let start = scanner.position
        let expected = allowed.map { "$" + $0.rawValue }
        let hasDollar = scanner.take(Byte.dollar)
        guard let end = scanner.endOfIdentifier(from: scanner.position) else {
            throw scanner.fault(.syntax, "no query option", at: start, expected: expected)
        }
        let name = scanner.taken(to: end)
        guard let option = SystemQueryOption(name, version: version), hasDollar || version >= .v401,
            allowed.contains(option)
        else {
            var fault = scanner.fault(
                .syntax,
                "no query option that may stand here",
                at: start,
                expected: expected
            )
            fault.suggestion = NearestName.of("$" + name, among: expected)
            throw fault
        }
        scanner.skipSpace()
        try scanner.expect(Byte.equals)
        scanner.skipSpace()
        return option
    }

    private func expectFirst(
        _ option: SystemQueryOption,
        in options: WrittenOptions,
        at offset: Int
    ) throws(ODataURLError) {
        guard options.place(of: option) == nil else {
            throw ODataURLError(.syntax, at: offset, "$\(option.rawValue) is given twice")
        }
    }

    /// Reads `@name=value`.
    mutating func alias(into options: inout WrittenOptions) throws(ODataURLError) {
        try scanner.expect(Byte.at)
        let name = try scanner.identifier()
        try scanner.expect(Byte.equals)
        scanner.skipSpace()
        let start = scanner.position
        let offset = scanner.offset
        let value = try expression()
        let text = scanner.string(start..<scanner.position)
        options.aliases.append(
            WrittenAlias(name: name, offset: offset, value: value, text: text)
        )
    }

    /// Reads the value of an option up to what ends it.
    mutating func value(
        of option: SystemQueryOption,
        into options: inout WrittenOptions
    ) throws(ODataURLError) {
        switch option {
        case .filter: options.filter = try expression()
        case .search: options.search = try search()
        case .orderby: options.orderBy = try list { (p) throws(ODataURLError) in try p.orderItem() }
        case .top: options.top = try number()
        case .skip: options.skip = try number()
        case .index: options.index = try signedNumber()
        case .count: options.count = try boolean()
        case .inlinecount: options.count = try inlineCount()
        case .select:
            options.select = try list { (p) throws(ODataURLError) in try p.selectItem() }
        case .expand:
            options.expand = try list { (p) throws(ODataURLError) in try p.expandItem() }
        case .levels: options.levels = try levels()
        case .compute:
            options.compute = try list { (p) throws(ODataURLError) in try p.computeItem() }
        case .apply: options.apply = try transformations()
        case .skiptoken: options.skipToken = try rest()
        case .deltatoken: options.deltaToken = try rest()
        case .format: options.format = try rest()
        case .schemaversion: options.schemaVersion = try rest()
        case .id: options.id = try rest()
        case .at, .from, .to, .toInclusive: options.temporal.append(try temporal(option))
        }
    }

    // MARK: Items

    /// Reads an item of `$orderby`.
    mutating func orderItem() throws(ODataURLError) -> WrittenOrderItem {
        let expression = try expression()
        let start = scanner.position
        if scanner.skipSpace() {
            if scanner.takeWord("desc", exactly: !ignoresCase) {
                return WrittenOrderItem(expression: expression, isDescending: true)
            }
            if scanner.takeWord("asc", exactly: !ignoresCase) {
                return WrittenOrderItem(expression: expression, isDescending: false)
            }
        }
        scanner.position = start
        return WrittenOrderItem(expression: expression, isDescending: false)
    }

    /// Reads an item of `$compute`.
    mutating func computeItem() throws(ODataURLError) -> WrittenComputeItem {
        let expression = try expression()
        guard scanner.skipSpace(), scanner.takeWord("as", exactly: !ignoresCase),
            scanner.skipSpace()
        else { throw scanner.fault(expected: ["'as' and a name"]) }
        let offset = scanner.offset
        let name = try scanner.identifier()
        return WrittenComputeItem(expression: expression, name: name, offset: offset)
    }

    /// Reads a number without sign.
    mutating func number() throws(ODataURLError) -> Int {
        let start = scanner.position
        while let next = scanner.next, ASCII.isDigit(next) { scanner.position += 1 }
        guard scanner.position > start else { throw scanner.fault(expected: ["a number"]) }
        guard let value = Int(scanner.string(start..<scanner.position)) else {
            throw scanner.fault(.limit, "the number is too large", at: start)
        }
        return value
    }

    private mutating func signedNumber() throws(ODataURLError) -> Int {
        scanner.take(Byte.minus) ? -(try number()) : try number()
    }

    private mutating func levels() throws(ODataURLError) -> Int {
        if scanner.takeWord("max", exactly: !ignoresCase) { return Int.max }
        let start = scanner.position
        let value = try number()
        guard value > 0 else {
            throw scanner.fault(
                .syntax,
                "no number of levels",
                at: start,
                expected: ["a number above zero", "max"]
            )
        }
        return value
    }

    private mutating func boolean() throws(ODataURLError) -> Bool {
        if scanner.takeWord("true", exactly: !ignoresCase) { return true }
        if scanner.takeWord("false", exactly: !ignoresCase) { return false }
        throw scanner.fault(expected: ["true", "false"])
    }

    private mutating func inlineCount() throws(ODataURLError) -> Bool {
        if scanner.takeWord("allpages") { return true }
        if scanner.takeWord("none") { return false }
        throw scanner.fault(expected: ["allpages", "none"])
    }

    private mutating func temporal(_ option: SystemQueryOption) throws(ODataURLError)
        -> WrittenTemporalOption
    {
        for (word, isMaximum) in [("min", false), ("max", true)]
        where scanner.takeWord(word, exactly: !ignoresCase) {
            return WrittenTemporalOption(option: option, value: nil, isMaximum: isMaximum)
        }
        return WrittenTemporalOption(option: option, value: try expression(), isMaximum: false)
    }

    /// Takes everything up to the end of the piece, at least one byte.
    private mutating func rest() throws(ODataURLError) -> String {
        guard !scanner.isAtEnd else { throw scanner.fault(expected: ["a value"]) }
        return scanner.taken(to: scanner.text.bytes.count)
    }
}

extension SystemQueryOption {
    /// The option of this name, without dollar sign; case is looked at before version 4.01.
    init?(_ name: String, version: ODataVersion) {
        let spelling = version >= .v401 ? name.lowercased() : name
        self.init(rawValue: spelling == "toinclusive" ? "toInclusive" : spelling)
        switch self {
        case .inlinecount where version.isV4: return nil
        case .count, .at, .from, .to, .toInclusive:
            if !version.isV4 { return nil }
        default: break
        }
    }
}
