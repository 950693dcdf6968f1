public import CommandSupport
public import OfflineResources

/// A configuration file of policies.
public struct PolicyFile: Sendable {
    /// The file, as the command line names it.
    public let path: String

    /// The file at a path; nothing is read yet.
    public init(path: String) {
        self.path = path
    }

    /// Reads the file.
    ///
    /// - Throws: ``CommandFailure`` where it cannot be read, `PolicyConfigurationError` where it is invalid.
    public func read() throws -> (
        configuration: PolicyConfiguration, warnings: [PolicyConfigurationWarning]
    ) {
        var warnings: [PolicyConfigurationWarning] = []
        let configuration = try PolicyConfiguration(
            reading: FileBytes.read(path),
            warnings: &warnings
        )
        return (configuration, warnings)
    }

    /// Whether the file is a store.
    public func isStore() throws(CommandFailure) -> Bool {
        guard path != "-" else { return false }
        return try FileBytes.isDatabase(path)
    }
}
