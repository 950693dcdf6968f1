import ODataText
import ODataValues

/// Looks for the link to the next page in the last bytes of a page, before the page has been read.
///
/// It is a guess that lets the next page be asked for early: whoever uses it holds it against what the reader finds.
package enum NextLinkSearch {
    /// Bytes at the end of a page that are enough for any ordinary link.
    package static let tailSize = 4_096

    /// Names that end the member's name in all versions of the format: `@odata.nextLink`, `@nextLink`, `odata.nextLink`, `__next`.
    private static let names = [Array("nextLink\"".utf8), Array("__next\"".utf8)]

    /// Returns the link that a page's envelope seems to have; nil where none is seen.
    package static func link(inTail tail: [UInt8]) -> String? {
        for name in names {
            guard let place = place(of: name, in: tail), isOfPage(tail[..<place]) else { continue }
            var index = place + name.count
            guard pass(UInt8(ascii: ":"), in: tail, at: &index),
                pass(UInt8(ascii: "\""), in: tail, at: &index),
                let link = text(in: tail, from: index)
            else { continue }
            // A bracket behind it ends the entities: the link was one of theirs.
            guard !tail[(index + link.length)...].contains(UInt8(ascii: "]")) else { return nil }
            return link.text
        }
        return nil
    }

    /// Whether the member's name begins as that of a page; `Lines@odata.nextLink` is of the lines of one entity.
    private static func isOfPage(_ before: ArraySlice<UInt8>) -> Bool {
        let quote = before.lastIndex(of: UInt8(ascii: "\""))
        let start = quote.map { before[($0 + 1)...] } ?? before
        return ["", "@", "@odata.", "odata."].contains { start.elementsEqual($0.utf8) }
    }

    private static func place(of name: [UInt8], in tail: [UInt8]) -> Int? {
        guard tail.count >= name.count else { return nil }
        return stride(from: tail.count - name.count, through: 0, by: -1).first { start in
            tail[start..<(start + name.count)].elementsEqual(name)
        }
    }

    private static func pass(_ byte: UInt8, in tail: [UInt8], at index: inout Int) -> Bool {
        while index < tail.count, tail[index] <= 0x20 { index += 1 }
        guard index < tail.count, tail[index] == byte else { return false }
        index += 1
        return true
    }

    /// The string that begins at a place, and its length as it is written.
    private static func text(in tail: [UInt8], from start: Int) -> (text: String, length: Int)? {
        var end = start
        while end < tail.count, tail[end] != UInt8(ascii: "\"") {
            end += tail[end] == UInt8(ascii: "\\") ? 2 : 1
        }
        guard end < tail.count else { return nil }
        var bytes: [UInt8] = []
        guard JSONString.unescape(tail.span.extracting(start..<end), into: &bytes) == nil else {
            return nil
        }
        return String(validating: bytes, as: UTF8.self).map { ($0, end - start) }
    }
}
