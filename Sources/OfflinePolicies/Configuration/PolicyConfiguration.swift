/// The synchronization settings of a configuration file.
public struct PolicyConfiguration: Sendable, Hashable {
    /// The services in the order of the file.
    public var backends: [BackendConfiguration]

    /// Creates a configuration.
    public init(backends: [BackendConfiguration] = []) {
        self.backends = backends
    }

    /// The service of a name, with or without its version; without a name the default one, or the only one.
    ///
    /// - Throws: ``PolicyConfigurationError`` where the name is unknown, or does not decide.
    public func backend(named name: String? = nil) throws(PolicyConfigurationError)
        -> BackendConfiguration
    {
        let names = backends.map(\.name).joined(separator: ", ")
        guard let name else {
            let defaults = backends.filter(\.isDefault)
            if let only = defaults.count == 1 ? defaults.first : nil { return only }
            if let only = backends.count == 1 ? backends.first : nil { return only }
            throw PolicyConfigurationError(
                backends.isEmpty
                    ? "the file configures no service"
                    : "the file configures several services; name one of: \(names)"
            )
        }
        if let exact = backends.first(where: { $0.name == name }) { return exact }
        let versions = backends.filter { $0.name.hasPrefix(name + "/") }
        if let only = versions.count == 1 ? versions.first : nil { return only }
        throw PolicyConfigurationError(
            versions.isEmpty
                ? "the file has no service '\(name)'; "
                    + (names.isEmpty ? "it configures none" : "it has: \(names)")
                : "'\(name)' has several versions; name one of: "
                    + versions.map(\.name).joined(separator: ", ")
        )
    }
}
