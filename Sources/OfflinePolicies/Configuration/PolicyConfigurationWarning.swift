/// Something in a configuration file that is understood but should be written in another way.
public struct PolicyConfigurationWarning: Sendable, Equatable {
    /// What was found and what to write.
    public var message: String
    /// Line in the file, 1-based; nil where it is not known.
    public var line: Int?
    /// Path of the setting in the file.
    public var path: String
}

extension PolicyConfigurationWarning: CustomStringConvertible {
    /// Place and message in one line.
    public var description: String {
        PolicyConfigurationError(message, line: line, path: path).description
    }
}
