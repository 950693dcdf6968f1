public import OfflinePolicies

extension PolicyEngineOptions {
    /// Creates the options of a service configured by `syncExpress`: changes made offline go up when the application next reads online.
    public init(express configuration: BackendConfiguration) {
        self.init()
        self.configuration = configuration
        sendsChangesBeforeReads = true
    }
}
