import OfflineResources

/// A configuration file of policies.
struct PolicyFile {
    let path: String

    /// Reads the file.
    ///
    /// - Throws: ``CommandFailure`` where it cannot be read, `PolicyConfigurationError` where it is invalid.
    func read() throws -> (
        configuration: PolicyConfiguration, warnings: [PolicyConfigurationWarning]
    ) {
        var warnings: [PolicyConfigurationWarning] = []
        let configuration = try PolicyConfiguration(
            reading: FileBytes.read(path),
            warnings: &warnings
        )
        return (configuration, warnings)
    }

    /// Whether the file is a store: every SQLite file begins with these bytes (https://www.sqlite.org/fileformat.html § 1.3).
    func isStore() throws(CommandFailure) -> Bool {
        guard path != "-" else { return false }
        let magic = Array("SQLite format 3\0".utf8)
        return try FileBytes.head(of: path, count: magic.count) == magic
    }
}
