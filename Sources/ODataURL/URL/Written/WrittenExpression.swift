public import ODataValues

/// An expression as written; no name in it is looked up yet.
public struct WrittenExpression: Sendable {
    /// Byte offset in the text given.
    public var offset: Int
    /// What stands there.
    public var node: Node

    /// Creates an expression.
    public init(at offset: Int, _ node: Node) {
        self.offset = offset
        self.node = node
    }

    /// The forms of expressions (OData 4.01 Part 2 § 5.1.1).
    public indirect enum Node: Sendable {
        /// A literal.
        case literal(WrittenLiteral)
        /// Property paths, variables and calls: segments between slashes.
        case path([WrittenMember])
        /// A comparison of two values.
        case comparison(ComparisonOperator, WrittenExpression, WrittenExpression)
        /// Flat, so that long chains cost no depth.
        case and([WrittenExpression])
        /// Operands joined by `or`.
        case or([WrittenExpression])
        /// The negation of a condition.
        case not(WrittenExpression)
        /// An arithmetic operation.
        case arithmetic(ArithmeticOperator, WrittenExpression, WrittenExpression)
        /// A number with the other sign.
        case negate(WrittenExpression)
        /// Membership in a list written out.
        case isIn(WrittenExpression, [WrittenExpression])
        /// Membership in a collection that an expression gives.
        case isInCollection(WrittenExpression, WrittenExpression)
        /// `has`: whether an enumeration value has flags.
        case has(WrittenExpression, WrittenExpression)
        /// `case(condition:value,…)`.
        case conditional([Branch])
        /// A JSON array.
        case array([WrittenExpression])
        /// A JSON object.
        case object([Member])
    }

    /// A condition of `case` and its value.
    public struct Branch: Sendable {
        /// The condition.
        public var condition: WrittenExpression
        /// The value where it is met.
        public var value: WrittenExpression
    }

    /// A member of a JSON object.
    public struct Member: Sendable {
        /// Name, unescaped.
        public var name: String
        /// Value.
        public var value: WrittenExpression
    }
}

/// A segment of a path inside an expression.
public struct WrittenMember: Sendable {
    /// Byte offset in the text given.
    public var offset: Int
    /// What stands there.
    public var kind: Kind

    /// Creates a segment.
    public init(at offset: Int, _ kind: Kind) {
        self.offset = offset
        self.kind = kind
    }

    /// The forms of segments.
    public indirect enum Kind: Sendable {
        /// An identifier or qualified name.
        case name(String)
        /// A name with what stands in parentheses after it: arguments of a call, or a key.
        case call(String, [WrittenArgument])
        /// A key after `$filter(…)` or a call.
        case key([WrittenArgument])
        /// A key given as a segment.
        case keySegment(String)
        /// `aggregate(…)` on a collection.
        case aggregate(WrittenAggregate)
        /// `$it`, `$this`, `$these`, `$root`.
        case variable(String)
        /// `@name`: a parameter alias.
        case alias(String)
        /// `@Namespace.Term#Qualifier`: the value of an annotation.
        case annotation(String)
        /// `any(x:…)`, `all(x:…)`; without variable and condition for `any()`.
        case lambda(Quantifier, variable: String?, WrittenExpression?)
        /// `$count`, with `$filter` and `$search` inside parentheses.
        case count(WrittenOptions?)
        /// `$filter(…)`.
        case filter(WrittenExpression)
        /// `$value`, `$ref`, `$each`: known to the grammar of resource paths only.
        case special(String)
    }
}

/// A value in the parentheses of a call or key.
public struct WrittenArgument: Sendable {
    /// Byte offset in the text given.
    public var offset: Int
    /// Name before `=`; nil for an argument by position and for a simple key.
    public var name: String?
    /// The value.
    public var value: WrittenExpression
    /// The value as written, decoded.
    public var text: String

    package init(offset: Int, name: String? = nil, value: WrittenExpression, text: String) {
        self.offset = offset
        self.name = name
        self.value = value
        self.text = text
    }
}
