/// A CSDL document that was read: its model, and what was noticed on the way.
public struct CSDLDocument: Sendable {
    /// The model with all names resolved.
    public var model: EdmModel
    /// Faults that could be survived, by line.
    public var diagnostics: [CSDLDiagnostic]
    /// How many elements of each kind the document declares.
    public var counts: CSDLCounts
    /// The documents that this one refers to.
    public var references: [CSDLReference]

    /// Reads a document, XML or JSON, of any version.
    ///
    /// Documents that it refers to are asked for by `references`, each once; nil leaves one unresolved, which is a
    /// diagnostic where the model needs it.
    ///
    /// - Throws: ``CSDLError`` where the document is no CSDL, or breaks a rule without which the model has no meaning.
    public init(
        reading bytes: [UInt8],
        limits: CSDLLimits = CSDLLimits(),
        references: (CSDLReference) -> [UInt8]? = { _ in nil }
    ) throws(CSDLError) {
        var assembly = CSDLAssembly(limits: limits, documentByteCount: bytes.count)
        try assembly.read(bytes, isMain: true, limits: limits)
        try self.init(consume assembly, limits: limits, references: references)
    }

    /// Reads a document from a file; XML is read piece by piece and never stands in memory as a whole.
    ///
    /// - Throws: ``CSDLError`` as `init(reading:)` does, and where the file cannot be read.
    public init(
        readingFileAt path: String,
        limits: CSDLLimits = CSDLLimits(),
        references: (CSDLReference) -> [UInt8]? = { _ in nil }
    ) throws(CSDLError) {
        let file = try DocumentFile(path: path)
        var assembly = CSDLAssembly(limits: limits, documentByteCount: file.byteCount ?? 0)
        if file.isPlainXML {
            try assembly.read(file, limits: limits)
        } else {
            try assembly.read(file.bytes(), isMain: true, limits: limits)
        }
        try self.init(consume assembly, limits: limits, references: references)
    }

    private init(
        _ gathered: consuming CSDLAssembly,
        limits: CSDLLimits,
        references: (CSDLReference) -> [UInt8]?
    ) throws(CSDLError) {
        // One owner: an array with two would be copied by its first change.
        var assembly = consume gathered
        self.references = assembly.references
        try assembly.readReferences(limits: limits, references)
        try assembly.resolve()
        model = assembly.model
        diagnostics = assembly.diagnostics.finished()
        counts = assembly.counts
    }
}
