/// What an import has brought.
public struct OfflineODataImportResult: Sendable, Hashable, Codable {
    /// Entity sets and singletons of which there was a file.
    public var setCount = 0
    /// Entities, those inside of others among them.
    public var entityCount = 0
    /// References to entities.
    public var linkCount = 0
    /// Streams.
    public var streamCount = 0

    /// Entities that foreign keys lead to and that are neither in a file nor in the store.
    public var absentPrincipalCount = 0

    init() {}
}
