import OfflineProvider
public import ODataBinding
import OfflineValues

/// An entity set of a service with the Swift type of its entities, or a query over it.
public struct ODataEntitySet<Entity: ODataTyped>: ODataQuerying {
    /// The set's name.
    public let name: String
    /// Answers the queries.
    public let provider: OfflineODataProvider
    /// The query over the set.
    public var query: ODataQuery

    /// Creates the set of a name.
    public init(_ name: String, of provider: OfflineODataProvider) {
        self.name = name
        self.provider = provider
        query = ODataQuery(name)
    }

    /// Returns the entities, from the store.
    ///
    /// - Throws: ``OfflineODataError``; `DecodingError` where a value does not fit the type.
    public func entities() async throws -> [Entity] {
        try await provider.executeQuery(query, as: Entity.self)
    }

    /// Returns the first entity; nil where there is none.
    ///
    /// - Throws: ``OfflineODataError``; `DecodingError` where a value does not fit the type.
    public func first() async throws -> Entity? { try await top(1).entities().first }

    /// Returns the entity with a key, whatever the query's conditions and expansions; nil where the store has none.
    ///
    /// For those as well, filter by the key and take ``first()``.
    ///
    /// - Throws: ``OfflineODataError``; `DecodingError` where a value does not fit the type.
    public func entity(key: ODataValue) async throws -> Entity? {
        try await provider.entity(in: name, key: key)?.decode(Entity.self)
    }

    /// Creates an entity in the store and queues it for the upload.
    ///
    /// - Returns: The entity with its read link.
    /// - Throws: ``OfflineODataError`` where a value breaks a rule of the model.
    @discardableResult
    nonisolated(nonsending) public func create(
        _ entity: Entity,
        options: OfflineODataRequestOptions = OfflineODataRequestOptions()
    ) async throws -> EntityValue {
        try await provider.create(entity, in: name, options: options)
    }
}

/// A singleton of a service with its Swift type.
public struct ODataSingleton<Entity: ODataTyped>: ODataQuerying {
    /// Answers the queries.
    public let provider: OfflineODataProvider
    /// The query of the singleton.
    public var query: ODataQuery

    /// Creates the singleton of a name.
    public init(_ name: String, of provider: OfflineODataProvider) {
        self.provider = provider
        query = ODataQuery(name)
    }

    /// Returns the entity, from the store; nil where it has none.
    ///
    /// - Throws: ``OfflineODataError``; `DecodingError` where a value does not fit the type.
    public func entity() async throws -> Entity? {
        try await provider.executeQuery(query, as: Entity.self).first
    }
}
