/// The entities of a set, or a singleton, as a file of OData JSON holds them.
public struct OfflineODataDataFile: Sendable, Hashable {
    /// Name of the entity set or singleton.
    public var entitySet: String
    /// `{"value":[…]}` or `[…]`; of a singleton the entity.
    public var json: [UInt8]
    /// The streams of these entities, and of those inside of them.
    public var streams: [OfflineODataDataStream]

    /// Creates a file.
    public init(entitySet: String, json: [UInt8], streams: [OfflineODataDataStream] = []) {
        self.entitySet = entitySet
        self.json = json
        self.streams = streams
    }
}
