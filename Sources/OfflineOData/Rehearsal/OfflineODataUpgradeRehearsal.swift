public import ODataModelComparison

/// What an upgrade of a store to another version of its metadata would do, tried on a copy.
public struct OfflineODataUpgradeRehearsal: Sendable {
    /// A request of the queue or the error archive, and whether it survives the upgrade.
    public struct Request: Sendable, Hashable, Codable, Identifiable {
        /// Number of the request.
        public let id: Int64
        /// Its method.
        public let method: String
        /// Its URL relative to the service root.
        public let url: String
        /// Its status in the store.
        public let status: String
        /// Why it cannot be sent after the upgrade, or stands against it; nil where it fits.
        public let problem: String?
    }

    /// The differences of the two models.
    public let comparison: ModelComparison
    /// Whether the copy could be upgraded.
    public let isPossible: Bool
    /// Why it could not, a line for each reason.
    public let reasons: [String]
    /// Time that the upgrade took.
    public let duration: Duration
    /// Entities in the store.
    public let rowCount: Int
    /// Bytes of the store's file before.
    public let byteCountBefore: Int
    /// Bytes of the copy's file afterwards.
    public let byteCountAfter: Int
    /// Requests that wait or were refused.
    public let requests: [Request]
    /// Names of the defining queries that the next download reads in full, for what is new.
    public let queriesReadInFull: [String]
}
