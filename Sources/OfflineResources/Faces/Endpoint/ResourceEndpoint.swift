public import OfflinePolicies
public import OfflineOData

/// A collection of a service, to fetch from and to create in; made by ``PolicyEngine/endpoint(_:)``.
///
///     let orders = engine.endpoint("WorkOrders")
///     let urgent = try await orders.fetch().parameter("$top", "20").policy(ResourcePolicy(fetchPolicy: .withRefresh)).objects()
///     var first = try #require(urgent?.first)
///     first.addOrUpdateJSONProperty("Status", "Done")
///     try await first.save()
public struct ResourceEndpoint: Sendable {
    let engine: PolicyEngine
    /// Path relative to the service root.
    public let path: String

    /// Begins a fetch of the collection.
    public func fetch() -> ResourceFetch { ResourceFetch(engine: engine, path: path) }

    /// Begins a fetch of one object.
    ///
    /// - Parameter key: As it stands in a URL: `7`, `'blue'`, `Year=2026,Number=3`.
    public func fetch(key: String) -> ResourceFetch {
        ResourceFetch(engine: engine, path: "\(path)(\(key))")
    }

    /// Begins a fetch of a file of an object: its media stream, or one of its stream properties.
    ///
    /// - Parameter key: As it stands in a URL.
    public func fetchFile(key: String, property: String? = nil) -> ResourceFileFetch {
        ResourceFileFetch(engine: engine, url: "\(path)(\(key))/\(property ?? "$value")")
    }

    /// Makes an object that is created in the collection when it is saved.
    public func createObject(_ members: KeyValuePairs<String, ODataValue> = [:]) -> ResourceObject {
        ResourceObject(
            engine: engine,
            entity: EntityValue(entitySet: path, members),
            url: nil,
            origin: nil
        )
    }
}

extension PolicyEngine {
    /// Returns the endpoint of a collection, relative to the service root.
    public func endpoint(_ path: String) -> ResourceEndpoint {
        ResourceEndpoint(engine: self, path: local(path))
    }

    /// Returns the endpoint of an API below a custom path of a mobile back end.
    public func openMobileEndpoint(api: String, path: String) -> ResourceEndpoint {
        endpoint([api, path].filter { !$0.isEmpty }.joined(separator: "/"))
    }

    /// Begins a fetch of any URL.
    public func request(_ url: String, policy: ResourcePolicy = ResourcePolicy()) -> ResourceFetch {
        ResourceFetch(engine: self, path: local(url)).policy(policy)
    }
}
