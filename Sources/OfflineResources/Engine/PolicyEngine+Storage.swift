import ODataProtocol
import OfflineOData
import OfflineStore

/// What the store keeps of reads, and the policies that are stored with it.
extension PolicyEngine {
    /// Keeps a configuration with the store: it is in force from now on, also for tools that open the store without one.
    public func keep(configuration: BackendConfiguration) async throws {
        try await rule.state.keep(configuration, router)
    }

    /// Returns the configuration that is in force.
    public func configuration() async throws -> BackendConfiguration {
        try await rule.state.current(router).configuration
    }

    /// Returns the stored resources in the order of their names.
    public func storedResources() async throws -> [StoredResource] {
        try await ages().map(StoredResource.init)
    }

    /// Returns the stored resource of a URL; nil where there is none.
    public func storedResource(_ url: String) async throws -> StoredResource? {
        try await age(PolicyRead.name(Self.relative(url))).map(StoredResource.init)
    }

    /// Returns the effective policies of a URL.
    ///
    /// Those stored with the resource come first; an entity without any has those of the last collection that brought it; otherwise
    /// the configuration decides.
    public func policy(for url: String) async throws -> EffectivePolicy {
        let url = Self.relative(url)
        let state = try await rule.state.current(router)
        let own = CopyAttributes(
            try await router.collection(named: PolicyRead.name(url))?.attributes
        )
        var policy = own.policy
        if policy == nil, let holding = try? await router.held(url).newest {
            policy = CopyAttributes(holding.attributes).policy
        }
        let resolver = rule.resolver(state.configuration)
        let now = options.clock.now
        var effective: EffectivePolicy
        if let policy {
            effective = policy
        } else if await isFile(url) {
            effective = resolver.filePolicy(for: url, now: now)
        } else {
            effective = resolver.policy(for: url, now: now)
        }
        effective.apply(own.own, from: .request)
        return effective
    }

    /// Sets policies of a resource that is stored or will be; they take effect with its next read, save, deletion or refresh.
    public func setPolicy(_ policy: ResourcePolicy, for url: String) async throws {
        try await changeAttributes(url) { $0.own = policy }
    }

    /// Sets policies of a resource beside those that it has.
    func addPolicy(_ policy: ResourcePolicy, for url: String) async throws {
        try await changeAttributes(url) { $0.own = $0.own.overridden(by: policy) }
    }

    /// Says how early a resource is synchronised.
    public func pin(_ url: String, priority: PinPriority) async throws {
        try await pin(url, [:], priority)
    }

    /// - Parameter headers: The reader's header fields, which make another copy.
    func pin(_ url: String, _ headers: HTTPHeaders, _ priority: PinPriority) async throws {
        try await changeAttributes(url, headers) { $0.pin = priority }
    }

    private func changeAttributes(
        _ url: String,
        _ headers: HTTPHeaders = [:],
        _ change: @escaping @Sendable (inout CopyAttributes) -> Void
    ) async throws {
        let url = Self.relative(url)
        let name = PolicyRead.name(url, PolicyRead.ownHeaders(headers))
        try await router.ensure(collection: name, url: url)
        try await router.update(collection: name) { collection in
            var attributes = CopyAttributes(collection.attributes)
            change(&attributes)
            collection.attributes = attributes.text
        }
    }

    // MARK: Ages

    func age(_ name: String) async throws -> CopyAge? {
        let session = try await rule.state.current(router).session
        return try await router.collection(named: name).map {
            CopyAge($0, at: options.clock.now, session: session)
        }
    }

    func ages() async throws -> [CopyAge] {
        let session = try await rule.state.current(router).session
        let now = options.clock.now
        return try await router.collections { collections in
            var found: [StoredCollection] = []
            while case let page = try collections.all(after: found.last?.name ?? ""), !page.isEmpty
            {
                found += page
            }
            return found
        }.map { CopyAge($0, at: now, session: session) }
    }
}
