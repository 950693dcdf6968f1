/// A fault of a document that its reader could survive.
public struct CSDLDiagnostic: Sendable, Equatable {
    /// How bad it is.
    public enum Severity: String, Sendable {
        /// The document is sloppy, its meaning is clear.
        case warning
        /// A part of the document is left out of the model.
        case error
    }

    /// How bad it is.
    public var severity: Severity
    /// Element of the model, `NS.Type/Property`; empty outside of any.
    public var path: String
    /// Line, 1-based; 0 where the fault is that something is missing.
    public var line: Int
    /// What was found and what was made of it.
    public var message: String

    /// Creates a diagnostic.
    public init(_ severity: Severity, path: String, line: Int, message: String) {
        self.severity = severity
        self.path = path
        self.line = line
        self.message = message
    }
}

extension CSDLDiagnostic: CustomStringConvertible {
    /// Severity, place and message in one line.
    public var description: String {
        let place = path.isEmpty ? "line \(line)" : "line \(line) (\(path))"
        return "\(severity.rawValue): \(place): \(message)"
    }
}
