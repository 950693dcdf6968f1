public import ODataBinding
public import ODataModel

/// A query whose result the store holds.
public struct OfflineODataDefiningQuery: Sendable, Hashable, Codable, Identifiable {
    /// The name.
    public var id: String { name }
    /// Name, unique in the store.
    public var name: String
    /// URL relative to the service root, such as `Events?$expand=Venue`.
    public var query: String
    /// Whether the streams of media entities are downloaded with them.
    public var automaticallyRetrievesStreams: Bool

    /// Creates a defining query.
    public init(name: String, query: String, automaticallyRetrievesStreams: Bool = false) {
        self.name = name
        self.query = query
        self.automaticallyRetrievesStreams = automaticallyRetrievesStreams
    }

    /// Creates a defining query from one made in Swift.
    ///
    /// - Parameter version: The version of the service, which decides about the forms of literals.
    public init(
        name: String,
        query: ODataQuery,
        version: ODataVersion = .v4,
        automaticallyRetrievesStreams: Bool = false
    ) {
        self.init(
            name: name,
            query: query.url(version: version),
            automaticallyRetrievesStreams: automaticallyRetrievesStreams
        )
    }
}
