/// An enumeration type (OData CSDL 4.01 § 10).
public struct EnumType: Sendable {
    /// Qualified name.
    public var name: String
    /// The integer type that holds the values.
    public var underlyingType: PrimitiveType
    /// Whether several members may be chosen at once.
    public var isFlags: Bool
    /// What the type declares, or what has been read of it.
    private var declared = EnumMembers()
    /// Where the members are to be had that nobody has asked for; nil where they are in `declared`.
    private var late: LateItem<EnumMembers>?

    /// Creates an enumeration without members.
    public init(name: String, underlyingType: PrimitiveType = .int32, isFlags: Bool = false) {
        self.name = name
        self.underlyingType = underlyingType
        self.isFlags = isFlags
    }

    /// A named value.
    public struct Member: Sendable {
        /// Name, unique in the type.
        public var name: String
        /// Value, declared or counted from the member before.
        public var value: Int64
        /// Annotations of the member.
        public var annotations: [Annotation]

        /// Creates a member.
        public init(name: String, value: Int64) {
            self.name = name
            self.value = value
            annotations = []
        }
    }
}

// MARK: - Members

extension EnumType {
    /// Members in the order of the document.
    public var members: [Member] {
        get { allMembers.members }
        _modify {
            takeMembers()
            yield &declared.members
        }
    }
    /// Annotations of the type.
    public var annotations: [Annotation] {
        get { allMembers.annotations }
        _modify {
            takeMembers()
            yield &declared.annotations
        }
    }

    /// All that the type declares.
    package var allMembers: EnumMembers { late.map { $0.value ?? EnumMembers() } ?? declared }

    /// Lets the members be read when somebody asks for them.
    package mutating func read(_ members: LateItem<EnumMembers>) { late = members }

    private mutating func takeMembers() {
        declared = allMembers
        late = nil
    }
}
