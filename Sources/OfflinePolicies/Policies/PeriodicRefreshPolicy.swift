/// When stale copies are refreshed without being read.
public enum PeriodicRefreshPolicy: String, Sendable, Hashable, Codable, CaseIterable {
    /// Never. The default.
    case none = "PERIODIC_REFRESH_POLICY_REFRESH_NONE"
    /// When the application starts.
    case expiredItemsOnStartup = "PERIODIC_REFRESH_POLICY_REFRESH_EXPIRED_ITEM_ON_STARTUP"
    /// Every `periodicRefreshInterval` seconds.
    case expiredItemsPeriodically =
        "PERIODIC_REFRESH_POLICY_PERIODICALLY_REFRESH_EXPIRED_ITEMS"
}
