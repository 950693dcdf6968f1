public import OfflinePolicies
import ODataHTTP
public import OfflineOData

/// A fetch that is put together step by step, and then executed as often as wanted.
public struct ResourceFetch: Sendable {
    let engine: PolicyEngine
    let path: String
    private var parameters: [(name: String, value: String)] = []
    private var headers: HTTPHeaders = [:]
    private var policy = ResourcePolicy()
    private var filters: [LocalFilter] = []
    private var priority: PinPriority?

    init(engine: PolicyEngine, path: String) {
        (self.engine, self.path) = (engine, path)
    }

    // MARK: Putting it together

    /// Adds a query parameter: `$filter`, `$top`, or one of the service's own.
    public func parameter(_ name: String, _ value: String) -> ResourceFetch {
        changed { $0.parameters.append((name, value)) }
    }

    /// Adds a header field that goes along where the service is asked.
    public func header(_ name: String, _ value: String) -> ResourceFetch {
        changed { $0.headers.add(name, value) }
    }

    /// Sets the fetch's own policies.
    public func policy(_ policy: ResourcePolicy) -> ResourceFetch {
        changed { $0.policy = policy }
    }

    /// Narrows what is answered, after the fetch policy has run; what is fetched and stored stays as it is.
    public func filter(
        _ property: String,
        _ comparison: LocalFilter.Comparison,
        _ value: ODataValue
    ) -> ResourceFetch {
        changed {
            $0.filters.append(LocalFilter(property: property, comparison: comparison, value: value))
        }
    }

    /// Pins the resource with the fetch.
    public func pin(_ priority: PinPriority) -> ResourceFetch {
        changed { $0.priority = priority }
    }

    private func changed(_ change: (inout ResourceFetch) -> Void) -> ResourceFetch {
        var copy = self
        change(&copy)
        return copy
    }

    /// The URL relative to the service root.
    public var url: String {
        guard !parameters.isEmpty else { return path }
        let query = parameters.map { "\($0.name)=\($0.value)" }.joined(separator: "&")
        return path + (path.contains("?") ? "&" : "?") + query
    }

    // MARK: Evicting

    /// Deletes the copy of the fetch from the store; answers how many entities left it.
    @discardableResult
    public func evict() async throws -> Int {
        let name = PolicyRead.name(url, headers: PolicyRead.ownHeaders(headers))
        return try await engine.router.remove(collection: name)
    }

    // MARK: Executing

    /// Fetches the entities with their origin, and the policies that were in force.
    public func execute() async throws -> ResourceAnswer {
        // A condition that does not fit the registered type is refused before anything is asked.
        if let type = engine.objectType(of: path) {
            for filter in filters { try type.check(filter) }
        }
        var answer = try await engine.read(url, policy: policy, headers: headers)
        if let priority { try await engine.pin(url, headers: headers, priority: priority) }
        answer.entities = answer.entities?.filter { entity in
            filters.allSatisfy { $0.matches(entity) }
        }
        return answer
    }

    /// Fetches the objects; nil where the collection was never fetched and cannot be now.
    public func objects() async throws -> [ResourceObject]? {
        let answer = try await execute()
        guard let entities = answer.entities else { return nil }
        var objects: [ResourceObject] = []
        for entity in entities {
            let link = try? await engine.provider.link(of: entity)
            objects.append(
                ResourceObject(engine: engine, entity: entity, url: link, origin: answer.origin)
            )
        }
        return objects
    }

    /// Fetches one object; nil where there is none.
    public func object() async throws -> ResourceObject? {
        try await objects()?.first
    }
}
