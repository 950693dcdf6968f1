import ODataText
import ODataValues
import ODataModel

/// Reads the pieces of a request URL one by one.
struct RequestReader {
    let bytes: [UInt8]
    let version: ODataVersion
    let limits: URLLimits
    /// The options read so far.
    var options = WrittenOptions()

    init(bytes: [UInt8], version: ODataVersion, limits: URLLimits) {
        self.bytes = bytes
        self.version = version
        self.limits = limits
    }

    // MARK: Path

    /// Reads the segments of the path.
    func path(_ range: Range<Int>) throws(ODataURLError) -> [WrittenSegment] {
        guard !range.isEmpty else { return [] }
        let parts = URLPieces.segments(bytes, in: range)
        guard parts.count <= limits.maximumSegments else {
            let place = parts[limits.maximumSegments].lowerBound
            let message = "the path has more than \(limits.maximumSegments) segments"
            throw ODataURLError(.limit, at: place, message)
        }
        var segments: [WrittenSegment] = []
        for part in parts {
            var parser = URLParser(
                try DecodedText(bytes, in: part),
                version: version,
                limits: limits
            )
            segments.append(try parser.segment(isFirst: segments.isEmpty))
        }
        return segments
    }

    // MARK: Query

    /// Reads the query options; empty ones between two ampersands are passed over.
    mutating func query(_ range: Range<Int>?) throws(ODataURLError) {
        guard let range else { return }
        let parts = URLPieces.split(bytes, in: range, at: UInt8(ascii: "&"))
        guard parts.count <= limits.maximumOptions else {
            let place = parts[limits.maximumOptions].lowerBound
            let message = "the URL has more than \(limits.maximumOptions) query options"
            throw ODataURLError(.limit, at: place, message)
        }
        for part in parts where !part.isEmpty { try option(part) }
    }

    private mutating func option(_ range: Range<Int>) throws(ODataURLError) {
        let equals = bytes[range].firstIndex(of: Byte.equals)
        let name = try DecodedText(bytes, in: range.lowerBound..<(equals ?? range.upperBound))
        let valueRange = equals.map { ($0 + 1)..<range.upperBound }
        let text = String(decoding: name.bytes, as: UTF8.self)
        if name.bytes.first == Byte.at { return try alias(text, in: range, valueRange: valueRange) }
        if version < .v4, text == "!deltatoken" { return try deltaToken(valueRange, in: range) }
        if let option = try systemOption(text, at: range.lowerBound) {
            return try system(option, in: range, valueRange: valueRange)
        }
        let value = try valueRange.map { (range) throws(ODataURLError) in
            String(decoding: try DecodedText(bytes, in: range).bytes, as: UTF8.self)
        }
        let offset = valueRange?.lowerBound ?? range.lowerBound
        options.custom.append(WrittenCustomOption(name: text, value: value, offset: offset))
    }

    /// Returns the system query option of a name; nil for a custom one.
    ///
    /// A service must refuse options with a dollar sign that it does not know (OData 4.01 Part 1 § 11.2.1).
    private func systemOption(_ name: String, at offset: Int) throws(ODataURLError)
        -> SystemQueryOption?
    {
        guard name.utf8.first == Byte.dollar else {
            guard version >= .v401, let option = SystemQueryOption(name, version: version) else {
                return nil
            }
            let needsDollar: [SystemQueryOption] = [.levels, .at, .from, .to, .toInclusive]
            return needsDollar.contains(option) ? nil : option
        }
        if let option = SystemQueryOption(String(name.dropFirst()), version: version) {
            guard option != .levels else {
                let message = "$levels belongs inside of $expand, as in $expand=Parts($levels=2)"
                throw ODataURLError(.syntax, at: offset, message, found: name)
            }
            return option
        }
        throw ODataURLError(
            .syntax,
            at: offset,
            "unknown system query option",
            found: name,
            suggestion: NearestName.of(
                name,
                among: SystemQueryOption.allCases
                    .filter {
                        $0 != .levels && SystemQueryOption($0.rawValue, version: version) != nil
                    }
                    .map { "$" + $0.rawValue }
            )
        )
    }

    private mutating func system(
        _ option: SystemQueryOption,
        in range: Range<Int>,
        valueRange: Range<Int>?
    ) throws(ODataURLError) {
        guard let valueRange else {
            let message = "$\(option.rawValue) has no value"
            throw ODataURLError(.syntax, at: range.upperBound, message, expected: ["'='"])
        }
        guard options.place(of: option) == nil else {
            let message = "$\(option.rawValue) is given twice"
            throw ODataURLError(.syntax, at: range.lowerBound, message)
        }
        options.places.append((option, valueRange.lowerBound))
        var parser = URLParser(
            try DecodedText(bytes, in: valueRange),
            version: version,
            limits: limits
        )
        // An empty list selects and expands nothing special; clients send it (OData 4.01 Part 1 § 11.2.5.1).
        if valueRange.isEmpty, option == .select || option == .expand {
            if option == .select { options.select = [] }
            return
        }
        parser.scanner.skipSpace()
        try parser.value(of: option, into: &options)
        try parser.expectEnd(["','", URLParser.anOperator])
    }

    private mutating func alias(
        _ name: String,
        in range: Range<Int>,
        valueRange: Range<Int>?
    ) throws(ODataURLError) {
        guard let valueRange else {
            throw ODataURLError(
                .syntax,
                at: range.upperBound,
                "the alias has no value",
                expected: ["'='"]
            )
        }
        let bare = String(name.dropFirst())
        // Annotations as query options have no meaning in requests; names with a dot are left to services.
        guard !options.aliases.contains(where: { $0.name == bare }) else {
            throw ODataURLError(.syntax, at: range.lowerBound, "the alias is given twice")
        }
        let decoded = try DecodedText(bytes, in: valueRange)
        var parser = URLParser(decoded, version: version, limits: limits)
        parser.scanner.skipSpace()
        let value = try parser.expression()
        try parser.expectEnd([URLParser.anOperator])
        options.aliases.append(
            WrittenAlias(
                name: bare,
                offset: valueRange.lowerBound,
                value: value,
                text: String(decoding: decoded.bytes, as: UTF8.self)
            )
        )
    }

    private mutating func deltaToken(_ valueRange: Range<Int>?, in range: Range<Int>)
        throws(ODataURLError)
    {
        guard let valueRange else {
            throw ODataURLError(.syntax, at: range.upperBound, "!deltatoken has no value")
        }
        options.places.append((.deltatoken, valueRange.lowerBound))
        options.deltaToken = String(
            decoding: try DecodedText(bytes, in: valueRange).bytes,
            as: UTF8.self
        )
    }
}
