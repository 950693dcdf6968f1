public import ODataModel
public import ODataProtocol

/// Looks at all bytes that it is given, and holds the reader to its promise that begins and ends are pairs.
public struct FuzzSink: EntitySink {
    private var depth = 0
    private var sum: UInt8 = 0

    /// Creates a sink that has seen nothing.
    public init() {}

    /// Whether each entity that began has ended.
    public var isBalanced: Bool { depth == 0 }

    private mutating func touch(_ bytes: Span<UInt8>) {
        for index in bytes.indices { sum &+= bytes[index] }
    }

    /// Takes the begin of an entity.
    public mutating func beginEntity(_ plan: EntityPlan) { depth += 1 }
    /// Takes null.
    public mutating func null(_ slot: Int) {}
    /// Takes an integer.
    public mutating func integer(_ value: Int64, slot: Int) {}
    /// Takes a real.
    public mutating func real(_ value: Double, slot: Int) {}
    /// Takes text, which must be UTF-8.
    public mutating func text(_ value: Span<UInt8>, slot: Int) { touch(value) }
    /// Takes a blob.
    public mutating func blob(_ value: Span<UInt8>, slot: Int) { touch(value) }
    /// Takes the text of a value.
    public mutating func exact(_ text: Span<UInt8>, slot: Int) { touch(text) }
    /// Takes an undeclared member.
    public mutating func undeclared(_ name: Span<UInt8>, json: Span<UInt8>) {
        touch(name)
        touch(json)
    }
    /// Takes control information.
    public mutating func control(_ information: EntityControl, value: Span<UInt8>) {
        touch(value)
    }
    /// Takes the type.
    public mutating func type(_ plan: EntityPlan) {}
    /// Takes a reference.
    public mutating func bind(_ navigation: NavigationPropertyID, to reference: Span<UInt8>) {
        touch(reference)
    }
    /// Takes the begin of inline entities.
    public mutating func beginNavigation(_ navigation: NavigationPropertyID, isDelta: Bool) {
        depth += 1
    }
    /// Takes the end of inline entities.
    public mutating func endNavigation(_ navigation: NavigationPropertyID, nextLink: String?) {
        depth -= 1
    }
    /// Takes the end of an entity.
    public mutating func endEntity() { depth -= 1 }
    /// Takes a tombstone.
    public mutating func removed(id: Span<UInt8>, reason: RemovalReason) { touch(id) }
    /// Takes a link.
    public mutating func link(_ change: LinkChange) {}
}
