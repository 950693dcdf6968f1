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
        self.references = assembly.references
        try assembly.readReferences(limits: limits, references)
        try assembly.resolve()
        model = assembly.model
        diagnostics = assembly.diagnostics.finished()
        counts = assembly.counts
    }
}
