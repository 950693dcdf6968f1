public import OfflineValues

/// Entities that answer a query, with where they come from.
public struct OfflineODataAnswer: Sendable, Hashable {
    /// The entities in their order; nil where neither store nor service has the answer, which is another thing than none.
    public var entities: [EntityValue]?
    /// Where they come from, and how old they are.
    public var origin: OfflineODataOrigin

    /// Creates an answer.
    public init(entities: [EntityValue]?, origin: OfflineODataOrigin) {
        self.entities = entities
        self.origin = origin
    }
}
