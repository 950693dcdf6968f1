import ODataText

extension CSDLAssembly {
    /// Reads a CSDL JSON document into the assembly.
    mutating func readJSON(
        _ bytes: [UInt8],
        from start: DocumentStart,
        isMain: Bool,
        limits: CSDLLimits
    ) throws(CSDLError) {
        let root = try CSDLJSONTree.read(bytes, from: start, limits: limits)
        var reader = CSDLJSONReader(assembly: self, isMain: isMain, limits: limits)
        self = CSDLAssembly(limits: limits)
        try reader.readDocument(root)
        self = reader.assembly
    }
}
