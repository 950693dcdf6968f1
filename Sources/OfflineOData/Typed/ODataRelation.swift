public import ODataBinding

/// A complex property, or a relation to one entity, in a typed query: its properties are members of it.
@dynamicMemberLookup
public struct ODataRelation<Target: ODataTyped>: Sendable {
    /// Where it is.
    public let place: ODataPlace

    /// Creates the relation of a name at a place.
    public init(_ place: ODataPlace, _ name: String) { self.place = place.member(name) }

    /// A property or relation of what it leads to.
    public subscript<Member>(dynamicMember path: KeyPath<Target.Fields, Member>) -> Member {
        Target.Fields(place)[keyPath: path]
    }

    /// Whether it leads to nothing.
    public static func == (relation: Self, nothing: Void?) -> QueryExpression {
        relation.place.expression == .null
    }

    /// Whether it leads to something.
    public static func != (relation: Self, nothing: Void?) -> QueryExpression {
        relation.place.expression != .null
    }
}

/// A collection of complex values, or a relation to many entities, in a typed query.
public struct ODataRelations<Target: ODataTyped>: Sendable {
    /// Where it is.
    public let place: ODataPlace

    /// Creates the relation of a name at a place.
    public init(_ place: ODataPlace, _ name: String) { self.place = place.member(name) }

    /// Whether any of them meets a condition.
    public func any(_ condition: (Target.Fields) -> QueryExpression) -> QueryExpression {
        place.any { condition(Target.Fields(ODataPlace($0))) }
    }

    /// Whether each of them meets a condition.
    public func all(_ condition: (Target.Fields) -> QueryExpression) -> QueryExpression {
        place.all { condition(Target.Fields(ODataPlace($0))) }
    }
}

/// A related entity, or a complex value of a type that holds itself: a struct cannot hold itself, so this one is apart.
@dynamicMemberLookup
public struct ODataRelated<Value: Codable & Hashable & Sendable>: Codable, Hashable, Sendable {
    /// One value; an array, since it is a place of its own in memory.
    private var storage: [Value]

    /// Creates it.
    public init(_ value: Value) { storage = [value] }

    /// The value.
    public var value: Value {
        get { storage[0] }
        set { storage = [newValue] }
    }

    /// A property of the value.
    public subscript<Member>(dynamicMember path: WritableKeyPath<Value, Member>) -> Member {
        get { value[keyPath: path] }
        set { value[keyPath: path] = newValue }
    }

    /// Reads the value.
    public init(from decoder: any Decoder) throws { try self.init(Value(from: decoder)) }

    /// Writes the value.
    public func encode(to encoder: any Encoder) throws { try value.encode(to: encoder) }
}
