/// When a copy in the store becomes stale.
///
/// A stale copy is not deleted by this alone: see ``EvictionPolicy``.
public enum ExpirationPolicy: String, Sendable, Hashable, Codable, CaseIterable {
    /// Stale when the application starts again. The default.
    case onRestart = "EXPIRE_ON_RESTART"
    /// Stale after `expireAfter` seconds.
    case after = "EXPIRE_AFTER"
    /// Never stale.
    case never = "NEVER_EXPIRE"
}
