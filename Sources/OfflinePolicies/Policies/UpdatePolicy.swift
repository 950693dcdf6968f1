/// What becomes of a change that is made offline.
///
/// Online, a change is sent at once.
public enum UpdatePolicy: String, Sendable, Hashable, Codable, CaseIterable {
    /// The change waits in the request queue. The default.
    case queueIfOffline = "QUEUE_IF_OFFLINE"
    /// The change is an error.
    case updateIfOnline = "UPDATE_IF_ONLINE"
}
