/// What some programs put ahead of a text in UTF-8; readers may ignore it (RFC 8259 § 8.1).
package enum ByteOrderMark {
    private static let bytes: [UInt8] = [0xEF, 0xBB, 0xBF]

    /// How many bytes a text begins with that are no part of it.
    package static func count(aheadOf text: [UInt8]) -> Int {
        text.starts(with: bytes) ? bytes.count : 0
    }
}
