/// Whether the service is worked with.
public enum NetworkStatus: String, Sendable, Hashable, CaseIterable {
    /// There is a network, and it is used.
    case online
    /// There is no network.
    case offline
    /// There is a network, but the application works offline by choice.
    case offlineByChoice
}
