import ODataTables

/// Where the next page of a result begins, as text for a link; opaque to clients.
///
/// It carries a checksum over itself and the request, so that a token of another request or an altered one is refused.
enum SkipToken {
    /// Writes a position.
    static func text(_ page: TableQuery.Page, watermark: Int64?, for request: String) -> String {
        var writer = TokenWriter()
        writer.write(watermark ?? -1)
        writer.write(Int64(page.offset))
        writer.write(Int64(page.size ?? -1))
        writer.write(page.position ?? [])
        return writer.text(sealedFor: request)
    }

    /// Reads a position.
    ///
    /// - Throws: `ServiceError` 400 where the text is none of this request.
    static func page(
        _ text: String,
        for request: String
    ) throws -> (TableQuery.Page, watermark: Int64?) {
        guard var reader = TokenReader(text, sealedFor: request), let watermark = reader.integer(),
            let offset = reader.integer(),
            let size = reader.integer(), let position = reader.scalars(), reader.isAtEnd,
            offset >= 0
        else {
            throw ServiceError(400, "the $skiptoken is not one that this request was given")
        }
        let page = TableQuery.Page(
            size: size < 0 ? nil : Int(clamping: size),
            position: position.isEmpty ? nil : position,
            offset: Int(clamping: offset)
        )
        return (page, watermark < 0 ? nil : watermark)
    }
}
