/// The change or state at which a delta answer begins, as text for a link.
package struct DeltaToken {
    /// The last one that the client knows.
    package var since: Int64
    /// The last one of this answer, fixed by its first page; nil on the first page.
    package var until: Int64?
    /// How many items the pages before have brought.
    package var offset = 0
    /// Items in a page; nil for all.
    package var size: Int?

    package init(since: Int64, until: Int64? = nil, offset: Int = 0, size: Int? = nil) {
        (self.since, self.until, self.offset, self.size) = (since, until, offset, size)
    }

    package func text(for request: String) -> String {
        var writer = TokenWriter()
        for number in [since, until ?? -1, Int64(offset), Int64(size ?? -1)] {
            writer.write(number)
        }
        return writer.text(sealedFor: request)
    }

    /// Reads a token.
    ///
    /// - Throws: `ServiceError` 400 where the text is none of this request.
    package static func read(_ text: String, for request: String) throws -> DeltaToken {
        guard var reader = TokenReader(text, sealedFor: request), let since = reader.integer(),
            let until = reader.integer(), let offset = reader.integer(),
            let size = reader.integer(),
            reader.isAtEnd, since >= 0, offset >= 0
        else { throw ServiceError(400, "the $deltatoken is not one that this request was given") }
        return DeltaToken(
            since: since,
            until: until < 0 ? nil : until,
            offset: Int(clamping: offset),
            size: size < 0 ? nil : Int(clamping: size)
        )
    }
}
