/// Says why a document cannot be read as a model, and where.
public struct CSDLError: Error, Sendable {
    /// What kind of fault it is.
    public var code: Code
    /// What was found and what was expected.
    public var message: String
    /// Line of the fault, 1-based; 0 where there is none.
    public var line: Int
    /// Column of the fault, 1-based; 0 where it is not known.
    public var column: Int
    /// Element of the model, `NS.Type/Property`; empty outside of any.
    public var path: String

    /// Creates an error.
    public init(_ code: Code, _ message: String, line: Int, column: Int = 0, path: String = "") {
        self.code = code
        self.message = message
        self.line = line
        self.column = column
        self.path = path
    }

    /// Distinguishes the kinds of faults.
    public struct Code: Sendable, Hashable {
        private enum Kind {
            case notCSDL
            case malformed
            case documentType
            case limit
            case invalidModel
            case unreadable
        }

        private let kind: Kind

        /// The document is well-formed, or not even text, but no CSDL.
        public static let notCSDL = Code(kind: .notCSDL)
        /// The document breaks the rules of XML or JSON.
        public static let malformed = Code(kind: .malformed)
        /// The document has a DOCTYPE, which could bring entities.
        public static let documentType = Code(kind: .documentType)
        /// The document is larger or deeper than the limits allow.
        public static let limit = Code(kind: .limit)
        /// A rule is broken without which the model has no meaning.
        public static let invalidModel = Code(kind: .invalidModel)
        /// The file cannot be read.
        public static let unreadable = Code(kind: .unreadable)
    }
}

extension CSDLError: CustomStringConvertible {
    /// The place and the message in one line.
    public var description: String {
        var place = line > 0 ? "line \(line)" : ""
        if column > 0 { place += ", column \(column)" }
        if !path.isEmpty { place += place.isEmpty ? path : " (\(path))" }
        return place.isEmpty ? message : place + ": " + message
    }
}
