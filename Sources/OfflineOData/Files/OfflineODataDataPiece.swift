/// A part of the file that holds the entities of a set or a singleton; the parts in their order are the file.
public struct OfflineODataDataPiece: Sendable, Hashable {
    /// Name of the entity set or singleton.
    public var entitySet: String
    /// The bytes of this part.
    public var json: [UInt8]
    /// Whether the file begins with it.
    public var isFirst: Bool
    /// Whether the file ends with it.
    public var isLast: Bool
    /// Entities in this part, those inside of others among them.
    public var entityCount: Int
    /// References to entities in this part.
    public var linkCount: Int
}
