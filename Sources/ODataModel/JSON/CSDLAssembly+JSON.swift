extension CSDLAssembly {
    /// Reads a CSDL JSON document into the assembly.
    mutating func readJSON(
        _ bytes: [UInt8],
        _ start: DocumentStart,
        isMain: Bool,
        limits: CSDLLimits
    ) throws(CSDLError) {
        throw CSDLError(.notCSDL, "CSDL JSON is not read yet.", line: start.skippedLines + 1)
    }
}
