/// Says what is wrong with a configuration file, and where.
public struct PolicyConfigurationError: Error, Sendable, Equatable {
    /// What was found and what is expected.
    public var message: String
    /// Line in the file, 1-based; nil where it is not known.
    public var line: Int?
    /// Path of the setting in the file: `mobileBackends/myBackend/synchronization/policies[2]/fetchPolicy`.
    public var path: String

    /// Creates an error.
    public init(_ message: String, line: Int? = nil, path: String = "") {
        self.message = message
        self.line = line
        self.path = path
    }
}

extension PolicyConfigurationError: CustomStringConvertible {
    /// Place and message in one line.
    public var description: String {
        let place = [line.map { "line \($0)" }, path.isEmpty ? nil : path].compactMap { $0 }
        return place.isEmpty ? message : place.joined(separator: ", ") + ": " + message
    }
}
