/// A document that another one refers to (OData CSDL 4.01 § 4.1).
public struct CSDLReference: Sendable, Equatable {
    /// Where the document is, as written.
    public var uri: String
    /// Namespaces taken from it.
    public var includes: [EdmModel.Schema]
    /// Namespaces of terms whose annotations are taken from it.
    public var annotationNamespaces: [String]
    /// Line of the reference.
    public var line: Int

    /// Creates a reference without includes.
    public init(uri: String, line: Int) {
        self.uri = uri
        self.line = line
        includes = []
        annotationNamespaces = []
    }
}
