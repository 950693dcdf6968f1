import ODataPayload

/// Bytes of a page that wait to be worked in, in the pieces in which they came, and the page's last bytes so far.
package struct PageChunk {
    private var pieces: [[UInt8]] = []
    package private(set) var byteCount = 0
    private(set) var tail: [UInt8] = []

    mutating func append(_ bytes: [UInt8]) {
        pieces.append(bytes)
        byteCount += bytes.count
        tail = Array(
            (bytes.count < NextLinkSearch.tailSize ? tail + bytes : bytes).suffix(
                NextLinkSearch.tailSize
            )
        )
    }

    /// Hands the bytes over.
    package mutating func take() -> [[UInt8]] {
        defer {
            pieces = []
            byteCount = 0
        }
        return pieces
    }

    /// Hands the first pieces over, with this many bytes or a few more.
    package mutating func take(byteCount wanted: Int) -> [[UInt8]] {
        var taken = 0
        let end = pieces.firstIndex { piece in
            taken += piece.count
            return taken >= wanted
        }
        guard let end else { return take() }
        defer { pieces.removeFirst(end + 1) }
        byteCount -= taken
        return Array(pieces[...end])
    }
}
