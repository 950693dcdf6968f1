/// The part of a content that a client asks for (RFC 9110 § 14.2): one range of bytes.
struct ByteRange: Equatable {
    /// First byte and the one behind the last.
    var bounds: Range<Int64>

    /// Why a range field gives no part.
    enum Refusal: Error, Equatable {
        /// Not a single range of bytes: the whole content is the answer.
        case ignored
        /// The range lies behind the content (416).
        case unsatisfiable
    }

    /// Reads a `Range` field for a content of so many bytes.
    init(_ field: String, byteCount: Int64) throws(Refusal) {
        let words = field.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
        guard words.count == 2, words[0] == "bytes", !words[1].contains(",") else {
            throw .ignored
        }
        let ends = words[1].split(separator: "-", omittingEmptySubsequences: false)
        guard ends.count == 2 else { throw .ignored }
        let first = Self.number(ends[0])
        let last = Self.number(ends[1])
        switch (first, last) {
        case (nil, let suffix?) where ends[0].isEmpty:
            bounds = max(0, byteCount - suffix)..<byteCount
        case (let first?, nil) where ends[1].isEmpty:
            bounds = first..<max(first, byteCount)
        case (let first?, let last?) where first <= last:
            bounds = first..<max(first, min(last, byteCount - 1) + 1)
        default: throw .ignored
        }
        guard !bounds.isEmpty, bounds.lowerBound < byteCount else { throw .unsatisfiable }
    }

    private static func number(_ text: Substring) -> Int64? {
        guard !text.isEmpty, text.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else {
            return nil
        }
        return Int64(text)
    }
}
