import OfflineResources

/// A configuration file of policies.
struct PolicyFile {
    let path: String

    /// Reads the file.
    ///
    /// - Throws: ``CommandFailure`` where it cannot be read, `PolicyConfigurationError` where it is invalid.
    func read() throws -> (
        configuration: PolicyConfiguration, format: ConfigurationFormat?,
        warnings: [PolicyConfigurationWarning]
    ) {
        let bytes = try FileBytes.read(path)
        var warnings: [PolicyConfigurationWarning] = []
        let configuration = try PolicyConfiguration(reading: bytes, warnings: &warnings)
        return (configuration, ConfigurationFormat(recognizing: bytes), warnings)
    }
}
