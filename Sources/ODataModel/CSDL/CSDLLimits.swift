/// How much a document may ask of its reader.
public struct CSDLLimits: Sendable, Hashable {
    /// Largest document in bytes; the largest known real one has 8 MB.
    public var maximumByteCount = 64 << 20
    /// Longest namespace in bytes: it stands before the name of every type (OData CSDL 4.01 § 5 allows 511 characters).
    public var maximumNamespaceLength = 512
    /// Deepest nesting of elements or JSON values; real documents stay below 20.
    public var maximumDepth = 128
    /// Most documents read by following references, the first included.
    public var maximumDocumentCount = 64
    /// Most diagnostics kept; the rest is counted in one last diagnostic.
    public var maximumDiagnosticCount = 1_000

    /// Creates the default limits.
    public init() {}
}
