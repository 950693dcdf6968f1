import ODataText

extension CSDLAssembly {
    /// Reads a CSDL JSON document into the assembly.
    mutating func readJSON(
        _ bytes: [UInt8],
        from start: DocumentStart,
        isMain: Bool,
        limits: CSDLLimits
    ) throws(CSDLError) {
        let root: JSONNode
        do {
            root = try JSONTreeReader.read(
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
        var reader = CSDLJSONReader(assembly: self, isMain: isMain, limits: limits)
        self = CSDLAssembly(limits: limits)
        try reader.readDocument(root)
        self = reader.assembly
    }
}
