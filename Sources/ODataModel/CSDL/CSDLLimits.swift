/// How much a document may ask of its reader.
public struct CSDLLimits: Sendable {
    /// Largest document in bytes; the largest known real one has 8 MB.
    public var maximumByteCount = 128 << 20
    /// Deepest nesting of elements or JSON values; real documents stay below 20.
    public var maximumDepth = 128
    /// Most documents read by following references, the first included.
    public var maximumDocumentCount = 64
    /// Most diagnostics kept; the rest is counted in one last diagnostic.
    public var maximumDiagnosticCount = 1_000

    /// Creates the default limits.
    public init() {}
}
