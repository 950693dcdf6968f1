public import OfflineOData

/// What a refresh of several resources did.
public struct RefreshReport: Sendable {
    /// A resource that was not refreshed; its copy stays as it is.
    public struct Failure: Sendable {
        /// URL relative to the service root.
        public let url: String
        /// Why the service did not answer, or what it answered.
        public let error: OfflineODataError

        init(_ url: String, error: OfflineODataError) { (self.url, self.error) = (url, error) }
    }

    /// URLs of the resources that the service has confirmed or brought anew, in the order in which it answered.
    public internal(set) var refreshed: [String] = []
    /// URLs of entities that the service has no more: their copies are gone as well.
    public internal(set) var removed: [String] = []
    /// The resources that were not refreshed.
    public internal(set) var failures: [Failure] = []

    /// Creates a report of nothing.
    public init() {}
}
