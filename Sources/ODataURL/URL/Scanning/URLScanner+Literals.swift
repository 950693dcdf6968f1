import ODataText
import ODataModel

extension URLScanner {
    /// Takes the literal at the cursor, if one stands there; names that begin no literal are left.
    ///
    /// OData 4.01 ABNF, section 7; OData 2.0 Overview, 6 (primitive data types) for the older forms.
    mutating func literal(_ version: ODataVersion) throws(ODataURLError) -> WrittenLiteral? {
        guard let next else { return nil }
        if next == Byte.quote { return WrittenLiteral(.string, try quoted()) }
        if let guid = endOfGuid() { return WrittenLiteral(.guid, taken(to: guid)) }
        if ASCII.isDigit(next) || isSignedNumber { return try number(version) }
        if next == Byte.minus {
            guard sees("-INF"), !continuesName(at: position + 4) else { return nil }
            return WrittenLiteral(.double, taken(to: position + 4))
        }
        return try word(version)
    }

    // MARK: Words and prefixes

    private mutating func word(_ version: ODataVersion) throws(ODataURLError) -> WrittenLiteral? {
        guard let end = endOfQualifiedName(from: position) else { return nil }
        if end < text.bytes.count, text.bytes[end] == Byte.quote {
            return try prefixed(end, version: version)
        }
        if end < text.bytes.count, text.bytes[end] == Byte.slash || text.bytes[end] == Byte.open {
            return nil
        }
        let insensitive = version >= .v401
        if takeWord("null") { return WrittenLiteral(.null, "null") }
        if takeWord("true", exactly: !insensitive) { return WrittenLiteral(.boolean, "true") }
        if takeWord("false", exactly: !insensitive) { return WrittenLiteral(.boolean, "false") }
        if takeWord("NaN") { return WrittenLiteral(.double, "NaN") }
        if takeWord("INF") { return WrittenLiteral(.double, "INF") }
        return nil
    }

    private mutating func prefixed(_ end: Int, version: ODataVersion) throws(ODataURLError)
        -> WrittenLiteral
    {
        let start = position
        let prefix = taken(to: end)
        guard let kind = Self.kind(ofPrefix: prefix, version) else {
            throw fault(
                .syntax,
                "no literal begins with \(prefix)'",
                at: start,
                expected: Self.prefixes(version)
            )
        }
        return WrittenLiteral(kind, try quoted())
    }

    private static func kind(ofPrefix prefix: String, _ version: ODataVersion)
        -> WrittenLiteral.Kind?
    {
        switch prefix.lowercased() {
        case "binary": .binary
        case "duration" where version.isV4: .duration
        case "geography": .geography
        case "geometry": .geometry
        case "datetime" where !version.isV4: .dateTime
        case "datetimeoffset" where !version.isV4: .dateTimeOffset
        case "guid" where !version.isV4: .guid
        case "time" where !version.isV4: .time
        case "x" where !version.isV4: .hexadecimal
        case _ where prefix.utf8.contains(Byte.dot): .enumeration(type: prefix)
        default: nil
        }
    }

    private static func prefixes(_ version: ODataVersion) -> [String] {
        version.isV4
            ? ["'…'", "duration'…'", "binary'…'", "Namespace.Enumeration'…'"]
            : ["'…'", "datetime'…'", "datetimeoffset'…'", "guid'…'", "time'…'", "binary'…'"]
    }

    // MARK: Strings

    /// Takes what stands between single quotes; two of them stand for one.
    mutating func quoted() throws(ODataURLError) -> String {
        let opening = position
        try expect(Byte.quote)
        let bytes = text.bytes
        var start = position
        var value: [UInt8]?
        while position < bytes.count {
            guard bytes[position] == Byte.quote else {
                position += 1
                continue
            }
            guard byte(1) == Byte.quote else {
                let end = position
                position += 1
                guard let value else { return string(start..<end) }
                return String(decoding: value + bytes[start..<end], as: UTF8.self)
            }
            value = (value ?? []) + bytes[start...position]
            position += 2
            start = position
        }
        throw fault(.syntax, "the string has no end", at: opening, expected: ["a closing quote"])
    }

    // MARK: Numbers, dates and guids

    private var isSignedNumber: Bool {
        guard next == Byte.minus || next == Byte.plus, let after = byte(1) else { return false }
        return ASCII.isDigit(after)
    }

    private mutating func number(_ version: ODataVersion) throws(ODataURLError) -> WrittenLiteral {
        let start = position
        if next == Byte.minus || next == Byte.plus { position += 1 }
        passDigits()
        if let literal = try temporal(start) { return literal }
        var kind = WrittenLiteral.Kind.integer
        if next == Byte.dot, let after = byte(1), ASCII.isDigit(after) {
            position += 1
            passDigits()
            kind = .decimal
        }
        if passExponent() { kind = .double }
        let value = string(start..<position)
        if !version.isV4, let suffixed = suffix(of: kind) { kind = suffixed }
        guard !continuesName(at: position), next != Byte.dot else {
            throw fault(expected: ["the end of the number"])
        }
        return WrittenLiteral(
            kind,
            value.utf8.first == Byte.plus ? String(value.dropFirst()) : value
        )
    }

    private mutating func passDigits() {
        while let next, ASCII.isDigit(next) { position += 1 }
    }

    private mutating func passExponent() -> Bool {
        guard let next, ASCII.lowercased(next) == UInt8(ascii: "e") else { return false }
        var distance = 1
        if byte(1) == Byte.minus || byte(1) == Byte.plus { distance = 2 }
        guard let digit = byte(distance), ASCII.isDigit(digit) else { return false }
        position += distance
        passDigits()
        return true
    }

    /// Takes the type suffix of versions 1 to 3 and says which type it means.
    private mutating func suffix(of kind: WrittenLiteral.Kind) -> WrittenLiteral.Kind? {
        guard let next, !continuesName(at: position + 1) else { return nil }
        let suffixed: WrittenLiteral.Kind? =
            switch ASCII.lowercased(next) {
            case UInt8(ascii: "l") where kind == .integer: .int64
            case UInt8(ascii: "m"): .fixedDecimal
            case UInt8(ascii: "f"): .single
            case UInt8(ascii: "d"): .double
            default: nil
            }
        if suffixed != nil { position += 1 }
        return suffixed
    }

    private func continuesName(at index: Int) -> Bool {
        index < text.bytes.count && Byte.isName(text.bytes[index])
    }

    /// Takes the rest of a date or time of day whose first digits have been passed.
    private mutating func temporal(_ start: Int) throws(ODataURLError) -> WrittenLiteral? {
        let digits = position - start
        if next == Byte.colon, digits == 2, byteIsDigit(1), byteIsDigit(2) {
            passTimeOfDay()
            return WrittenLiteral(.timeOfDay, string(start..<position))
        }
        guard digits >= 4, next == Byte.minus, byteIsDigit(1), byteIsDigit(2),
            byte(3) == Byte.minus, byteIsDigit(4), byteIsDigit(5)
        else { return nil }
        position += 6
        guard let mark = next, ASCII.lowercased(mark) == UInt8(ascii: "t") else {
            guard !continuesName(at: position) else { throw fault(expected: ["T and a time"]) }
            return WrittenLiteral(.date, string(start..<position))
        }
        position += 1
        guard byteIsDigit(0), byteIsDigit(1), byte(2) == Byte.colon, byteIsDigit(3), byteIsDigit(4)
        else { throw fault(expected: ["a time of day"]) }
        position += 2
        passTimeOfDay()
        guard passZone() else { throw fault(expected: ["Z", "an offset"]) }
        return WrittenLiteral(.dateTimeOffset, string(start..<position))
    }

    /// Passes `:mm`, and `:ss` and a fraction where they follow.
    private mutating func passTimeOfDay() {
        position += 3
        guard next == Byte.colon, byteIsDigit(1), byteIsDigit(2) else { return }
        position += 3
        guard next == Byte.dot, byteIsDigit(1) else { return }
        position += 1
        passDigits()
    }

    private mutating func passZone() -> Bool {
        guard let sign = next else { return false }
        if ASCII.lowercased(sign) == UInt8(ascii: "z") {
            position += 1
            return !continuesName(at: position)
        }
        guard sign == Byte.minus || sign == Byte.plus, byteIsDigit(1), byteIsDigit(2),
            byte(3) == Byte.colon, byteIsDigit(4), byteIsDigit(5)
        else { return false }
        position += 6
        return true
    }

    private func byteIsDigit(_ distance: Int) -> Bool {
        byte(distance).map(ASCII.isDigit) ?? false
    }

    /// Returns the index after the guid at the cursor.
    func endOfGuid() -> Int? {
        guard byte(8) == Byte.minus, byte(13) == Byte.minus, byte(18) == Byte.minus,
            byte(23) == Byte.minus, !continuesName(at: position + 36)
        else { return nil }
        for distance in 0..<36 where ![8, 13, 18, 23].contains(distance) {
            guard let digit = byte(distance), ASCII.hexDigit(digit) != nil else { return nil }
        }
        return position + 36
    }
}
