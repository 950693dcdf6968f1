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
}
