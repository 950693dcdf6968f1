/// What a payload says beside its entities.
public struct PageInfo: Sendable, Equatable {
    /// The context URL as written.
    public var context: String?
    /// Link to the next page as written, perhaps relative.
    public var nextLink: String?
    /// Link to later changes as written, perhaps relative.
    public var deltaLink: String?
    /// ETag in the header of the answer that brought the payload; set by who has received it.
    public var etag: String?
    /// The ETag of the metadata that the payload was made with (OData JSON 4.01 § 4.6.2).
    public var metadataETag: String?
    /// Number of entities in all pages.
    public var count: Int64?
    /// Entities, tombstones and links in this payload; nested ones not counted.
    public var entityCount = 0
    /// What the model does not know, each once.
    public var diagnostics: [PayloadDiagnostic] = []
    /// Declared members and references that the reader passes over: what a client sends so would be lost.
    public var unreadMembers: [String] = []

    /// Creates what an empty payload says.
    public init() {}
}

/// Something in a payload that the model does not know or allow; the payload is read all the same.
///
/// Clients must be prepared for properties and types that the metadata does not declare (OData 4.01 Part 1 § 5.2).
public struct PayloadDiagnostic: Sendable, Hashable {
    /// What is unusual.
    public enum Kind: Sendable, Hashable {
        /// A member of a type that is not open, skipped.
        case undeclaredMember
        /// A type, whose entities were read as the type expected.
        case unknownType
        /// A member of an enumeration, read as null with its exact text.
        case unknownEnumMember
        /// An entity set, whose entities were skipped.
        case unknownEntitySet
        /// A property of which a value is beyond the MaxLength, Precision or Scale that the model declares; it is read all the same.
        case valueBeyondFacets
    }

    /// What is unusual.
    public var kind: Kind
    /// Its name.
    public var name: String
    /// Of a member of an enumeration: the enumeration's name.
    public var owner: String?

    /// Creates a diagnostic.
    public init(_ kind: Kind, _ name: String, of owner: String? = nil) {
        self.kind = kind
        self.name = name
        self.owner = owner
    }
}
