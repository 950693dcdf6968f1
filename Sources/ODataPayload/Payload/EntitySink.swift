public import ODataModel

/// Takes the parts of a payload as a reader finds them, without any object per entity.
///
/// The reader calls in document order. Values are addressed by *slot*: a number that the sink's owner gave to each leaf property
/// when the `EntityPlan` was made (a column of a table, an index into an array). Spans are valid during the call only.
public protocol EntitySink {
    /// Begins an entity; nested entities (expanded or deep) begin between their parent's begin and end.
    mutating func beginEntity(_ plan: EntityPlan) throws
    /// A slot's value is null.
    mutating func null(_ slot: Int) throws
    /// A slot's value in integer form.
    mutating func integer(_ value: Int64, slot: Int) throws
    /// A slot's value in real form.
    mutating func real(_ value: Double, slot: Int) throws
    /// A slot's value in text form: UTF-8, checked.
    mutating func text(_ value: Span<UInt8>, slot: Int) throws
    /// A slot's value in blob form.
    mutating func blob(_ value: Span<UInt8>, slot: Int) throws
    /// The text of the value just given, where its form does not say all (see `ScalarForm`).
    mutating func exact(_ text: Span<UInt8>, slot: Int) throws
    /// A member that the plan does not know, as JSON text; annotations of properties are not reported.
    mutating func undeclared(_ name: Span<UInt8>, json: Span<UInt8>) throws
    /// Control information of the entity, unescaped.
    mutating func control(_ information: EntityControl, value: Span<UInt8>) throws
    /// The type that the payload names, resolved; called before the entity's slots where the payload puts it first.
    mutating func type(_ plan: EntityPlan) throws
    /// The ETag or a link of a stream property (OData JSON 4.01 §§ 4.6.12, 4.6.14, 9), unescaped.
    mutating func streamControl(
        _ property: Span<UInt8>,
        _ information: EntityControl,
        value: Span<UInt8>
    ) throws
    /// A reference from `Nav@odata.bind`, `{"@id": …}` or a link inside a collection.
    mutating func bind(_ navigation: NavigationPropertyID, to reference: Span<UInt8>) throws
    /// Begins inline entities of a navigation property (also for null and for an empty collection).
    mutating func beginNavigation(_ navigation: NavigationPropertyID, isDelta: Bool) throws
    /// Ends inline entities; with the link to the rest of them where the service paged.
    mutating func endNavigation(_ navigation: NavigationPropertyID, nextLink: String?) throws
    /// Ends an entity.
    mutating func endEntity() throws
    /// A tombstone in a delta payload.
    mutating func removed(id: Span<UInt8>, reason: RemovalReason) throws
    /// A link added or removed in a delta payload.
    mutating func link(_ change: LinkChange) throws
}

extension EntitySink {
    /// Passes over the control information of stream properties.
    public mutating func streamControl(
        _ property: Span<UInt8>,
        _ information: EntityControl,
        value: Span<UInt8>
    ) throws {}
}

/// Control information of one entity.
public enum EntityControl: Sendable {
    /// The entity-id.
    case id
    /// The ETag of the entity.
    case etag
    /// The link that edits the entity.
    case editLink
    /// The link that reads the entity.
    case readLink
    /// The link that reads its media stream.
    case mediaReadLink
    /// The link that replaces its media stream.
    case mediaEditLink
    /// The media type of its media stream.
    case mediaContentType
    /// The ETag of its media stream.
    case mediaETag
}

/// Why an entity is reported as removed (OData JSON 4.01 § 15.3).
public enum RemovalReason: String, Sendable {
    /// The entity was deleted.
    case deleted
    /// The entity no longer meets the query.
    case changed
}

/// A link reported by a delta payload (OData JSON 4.01 §§ 15.4, 15.5).
public struct LinkChange: Sendable {
    /// Whether the link is new or gone.
    public var isAdded: Bool
    /// Entity-id of the source.
    public var source: String
    /// Name of the navigation property.
    public var relationship: String
    /// Entity-id of the target.
    public var target: String?

    /// Creates a change.
    public init(isAdded: Bool, source: String, relationship: String, target: String?) {
        self.isAdded = isAdded
        self.source = source
        self.relationship = relationship
        self.target = target
    }
}
