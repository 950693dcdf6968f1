/// When a stale copy is deleted from the store.
///
/// A resource with pending changes is never evicted.
public enum EvictionPolicy: String, Sendable, Hashable, Codable, CaseIterable {
    /// At the next start of the application, online or not.
    case onExpiryAtStartup = "EVICT_ON_EXPIRY_AT_STARTUP"
    /// When the application asks for it. The default.
    case manual = "MANUAL_EVICTION"
}
