import ODataText
import ODataURL

/// A text in which the unreserved characters, and only they, have lost their percent-encoding (RFC 3986 § 6.2.2.2).
struct NormalizedText {
    /// The bytes.
    private(set) var bytes: [UInt8] = []
    private var origins: [Int] = []

    /// Normalises a text.
    init(_ text: [UInt8]) {
        bytes.reserveCapacity(text.count)
        origins.reserveCapacity(text.count + 1)
        var index = 0
        while index < text.count {
            origins.append(index)
            if text[index] == UInt8(ascii: "%"), index + 2 < text.count,
                let high = ASCII.hexDigit(text[index + 1]),
                let low = ASCII.hexDigit(text[index + 2]),
                PercentEncoding.isUnreserved(high << 4 | low)
            {
                bytes.append(high << 4 | low)
                index += 3
            } else {
                bytes.append(text[index])
                index += 1
            }
        }
        origins.append(text.count)
    }

    /// Returns the offset in the text given of a byte here.
    func origin(of index: Int) -> Int {
        origins[min(index, origins.count - 1)]
    }
}
