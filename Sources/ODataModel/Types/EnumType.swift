/// An enumeration type (OData CSDL 4.01 § 10).
public struct EnumType: Sendable {
    /// Qualified name.
    public var name: String
    /// The integer type that holds the values.
    public var underlyingType: PrimitiveType
    /// Whether several members may be chosen at once.
    public var isFlags: Bool
    /// What the type declares.
    private var declared = Deferred(EnumMembers())

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
        get { declared.value.members }
        _modify { yield &declared.value.members }
    }
    /// Annotations of the type.
    public var annotations: [Annotation] {
        get { declared.value.annotations }
        _modify { yield &declared.value.annotations }
    }

    /// All that the type declares.
    package var allMembers: EnumMembers { declared.value }

    /// Has the members read on first use.
    package mutating func read(_ members: LateItem<EnumMembers>) { declared.read(members) }
}
