import ODataText

/// A piece of a URL with percent-encoding undone, which still knows where each byte came from.
///
/// OData 4.01 Part 2 § 2: the URL is cut at `?`, `/`, `&` and `=` first and decoded afterwards, so that an encoded delimiter is data.
struct DecodedText {
    /// The decoded bytes, well-formed UTF-8.
    let bytes: [UInt8]
    /// Offset of the piece in the text given.
    private let base: Int
    /// Offset in the text of each byte and of the end; nil where nothing was encoded.
    private let origins: [Int]?

    /// Decodes a part of the text.
    init(_ text: [UInt8], in range: Range<Int>) throws(ODataURLError) {
        base = range.lowerBound
        guard text[range].contains(UInt8(ascii: "%")) else {
            bytes = Array(text[range])
            origins = nil
            try checkUTF8()
            return
        }
        var decoded: [UInt8] = []
        var origins: [Int] = []
        decoded.reserveCapacity(range.count)
        origins.reserveCapacity(range.count + 1)
        var index = range.lowerBound
        while index < range.upperBound {
            origins.append(index)
            guard text[index] == UInt8(ascii: "%") else {
                decoded.append(text[index])
                index += 1
                continue
            }
            decoded.append(try Self.octet(in: text, at: index, end: range.upperBound))
            index += 3
        }
        origins.append(range.upperBound)
        bytes = decoded
        self.origins = origins
        try checkUTF8()
    }

    /// Returns the offset in the text given of a decoded byte.
    func origin(of index: Int) -> Int {
        guard let origins else { return base + min(index, bytes.count) }
        return origins[min(index, origins.count - 1)]
    }

    private static func octet(in text: [UInt8], at index: Int, end: Int) throws(ODataURLError)
        -> UInt8
    {
        guard let octet = PercentEncoding.octet(text[index + 1..<end]) else {
            throw ODataURLError(
                .encoding,
                at: index,
                "'%' is not followed by two hexadecimal digits",
                found: "%"
            )
        }
        return octet
    }

    private func checkUTF8() throws(ODataURLError) {
        guard let bad = UTF8Check.firstFault(in: bytes.span) else { return }
        throw ODataURLError(.encoding, at: origin(of: bad), "the text is not well-formed UTF-8")
    }
}
