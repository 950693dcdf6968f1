/// How much a payload may ask of its reader.
public struct PayloadLimits: Sendable, Hashable {
    /// Levels of objects and arrays; real payloads have less than ten.
    public var maximumDepth = 64
    /// Bytes of one entity with all that is inside it, which must be in memory as a whole.
    public var maximumItemBytes = 16 << 20
    /// Members of one object; the largest entity types have less than 3,000 properties, each with some annotations.
    public var maximumMembers = 20_000
    /// Entities of one page, nested ones not counted.
    public var maximumEntities = 50_000_000

    /// Creates the default limits.
    public init() {}
}
