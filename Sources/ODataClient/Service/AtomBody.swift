import ODataPayload
import ODataHTTP

/// A body of Atom that is rewritten as JSON while it arrives.
actor AtomBody {
    private var pieces: HTTPBody.Iterator
    private var converter: AtomConverter
    private var isOver = false

    init(_ body: HTTPBody, limits: PayloadLimits) throws {
        pieces = body.makeAsyncIterator()
        converter = try AtomConverter(limits: limits)
    }

    /// Returns the JSON that the next pieces complete, nil at the end.
    ///
    /// - Throws: `PayloadError` for what is no Atom, or the error of the body.
    func next() async throws -> [UInt8]? {
        while !isOver {
            var pieces = pieces
            let piece = try await pieces.next()
            isOver = piece == nil
            let json = try piece.map { try converter.feed($0) } ?? converter.finish()
            if !json.isEmpty { return json }
        }
        return nil
    }
}
