import ODataText

/// The kind of a document by its first bytes.
package struct DocumentStart {
    package enum Format {
        case xml
        case json
    }

    /// Nil where the document is neither.
    package private(set) var format: Format?
    /// Where the first byte of XML or JSON stands; a byte order mark that libxml2 needs is kept.
    package private(set) var offset = 0
    /// Lines before it.
    var skippedLines = 0

    package init(_ bytes: [UInt8]) {
        // UTF-16 is for libxml2 to detect.
        if bytes.starts(with: [0xFF, 0xFE]) || bytes.starts(with: [0xFE, 0xFF])
            || bytes.starts(with: [0x00, 0x3C]) || bytes.starts(with: [0x3C, 0x00])
        {
            format = .xml
            return
        }
        offset = ByteOrderMark.count(aheadOf: bytes)
        while offset < bytes.count {
            switch bytes[offset] {
            case 0x0A: skippedLines += 1
            case 0x09, 0x0D, 0x20: break
            case UInt8(ascii: "<"):
                format = .xml
                return
            case UInt8(ascii: "{"):
                format = .json
                return
            default: return
            }
            offset += 1
        }
    }
}
