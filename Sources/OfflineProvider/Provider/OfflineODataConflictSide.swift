public import OfflineValues

/// Which version of an entity stays where the service has a newer one than that which was changed here.
public enum OfflineODataConflictSide: Sendable, Hashable, Codable {
    /// The local change is sent again, over the service's version; a creation becomes an update of the other client's entity.
    case local
    /// The service's version stays; the local change is taken back and noted in the event log.
    case server
    /// The local change is sent with further values (OData JSON), over the service's version.
    case merge(body: String)

    /// The local change is sent with further values, over the service's version.
    public static func merge(_ values: [String: ODataValue]) -> Self {
        .merge(body: ODataValue(values).json)
    }
}
