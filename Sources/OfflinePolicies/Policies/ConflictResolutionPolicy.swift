/// Who wins where the service has another version than the one that was changed here.
public enum ConflictResolutionPolicy: String, Sendable, Hashable, Codable, CaseIterable {
    /// Both versions stay; the application decides. The default.
    case preserveConflict = "PRESERVE_CONFLICT"
    /// The local change is dropped, and kept in the event log.
    case serverWins = "SERVER_WINS"
    /// The local change overwrites the service's version, which is kept in the event log.
    case clientWins = "CLIENT_WINS"
}
