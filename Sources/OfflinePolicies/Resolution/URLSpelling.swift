import ODataText

/// One spelling for all URLs that ask for the same: a copy is found however its URL is written.
///
/// What may be written plainly or percent-encoded is written plainly (RFC 3986 § 6.2.2), the options are put in the order of their
/// names.
package enum URLSpelling {
    /// Whether a URL may have another spelling; most have none.
    package static func isOpen(_ url: String) -> Bool { url.utf8.contains(where: isTelling) }

    /// Returns the spelling of a URL relative to the service root.
    package static func common(_ url: String) -> String {
        guard isOpen(url) else { return url }
        guard let mark = url.firstIndex(of: "?") else { return encoded(url) }
        let options = encoded(url[url.index(after: mark)...]).split(
            separator: "&",
            omittingEmptySubsequences: true
        )
        // Of equal names the order may mean something.
        let sorted = options.enumerated().sorted {
            let (left, right) = (name($0.element), name($1.element))
            return left == right ? $0.offset < $1.offset : left < right
        }
        return encoded(url[..<mark]) + "?" + sorted.map(\.element).joined(separator: "&")
    }

    /// Returns a URL with its path in the common spelling, and its options as they are written.
    static func plainPath(_ url: String) -> String {
        let path = url.prefix { $0 != "?" }
        guard path.utf8.contains(UInt8(ascii: "%")) else { return url }
        return encoded(path) + url[path.endIndex...]
    }

    /// Whether a byte makes it possible that the URL has another spelling.
    private static func isTelling(_ byte: UInt8) -> Bool {
        byte == UInt8(ascii: "%") || byte == UInt8(ascii: "&") || isEncodedAlways(byte)
    }

    private static func isEncodedAlways(_ byte: UInt8) -> Bool {
        switch byte {
        case 0...0x20, 0x7F..., UInt8(ascii: "\""), UInt8(ascii: "<"), UInt8(ascii: ">"),
            UInt8(ascii: "\\"), UInt8(ascii: "^"), UInt8(ascii: "`"),
            UInt8(ascii: "{")...UInt8(ascii: "}"):
            true
        default: false
        }
    }

    /// Whether a byte means the same percent-encoded.
    private static func isPlain(_ byte: UInt8) -> Bool {
        PercentEncoding.isUnreserved(byte) || "$'()*,:;@!".utf8.contains(byte)
    }

    private static func name(_ option: Substring) -> Substring { option.prefix { $0 != "=" } }

    private static func encoded(_ text: some StringProtocol) -> String {
        var bytes: [UInt8] = []
        PercentEncoding.forEachByte(of: text.utf8) { byte, isEscaped in
            append(byte, isEscaped: isEscaped, to: &bytes)
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    private static func append(_ byte: UInt8, isEscaped: Bool, to bytes: inout [UInt8]) {
        guard isEscaped ? !isPlain(byte) : isEncodedAlways(byte) else { return bytes.append(byte) }
        PercentEncoding.append(CollectionOfOne(byte), to: &bytes)
    }
}
