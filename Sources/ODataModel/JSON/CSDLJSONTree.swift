package import ODataText

/// Reads a CSDL JSON document into nodes, within the limits of metadata documents.
package enum CSDLJSONTree {
    /// Reads a document.
    ///
    /// - Parameter start: Where the document begins behind a byte order mark.
    /// - Throws: ``CSDLError`` where it is no JSON, has a name twice in an object, or is larger or deeper than the limits allow.
    package static func read(
        _ bytes: [UInt8],
        from start: DocumentStart,
        limits: CSDLLimits = CSDLLimits()
    ) throws(CSDLError) -> JSONNode {
        try CSDLAssembly.check(byteCount: bytes.count, limits)
        do {
            return try JSONTreeReader.read(
                bytes,
                from: start.offset,
                line: start.skippedLines + 1,
                maximumDepth: limits.maximumDepth
            )
        } catch {
            throw CSDLError(
                error.isLimit ? .limit : .malformed,
                error.message,
                line: error.line,
                column: error.column ?? 0
            )
        }
    }
}
