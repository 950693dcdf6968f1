public import OfflinePolicies
import StoreRecords
import ODataModel
import ODataHTTP
import OfflineOData
import OfflineStore

/// What the store keeps of reads, and the policies that are stored with it.
extension PolicyEngine {
    /// Keeps a configuration with the store: it is in force from now on, also for tools that open the store without one.
    ///
    /// It acts where an engine is plugged into the provider of the store: see ``kept(in:options:)``. Path templates of `syncExpress`
    /// stay with the store, too (``RESTTransport/kept(inStoreAt:pageSize:base:)``). Copies that must not be stored any more go.
    public func keep(configuration: BackendConfiguration) async throws {
        try await rule.state.keep(configuration, router: router)
        try await RESTTransport.keep(configuration.express, in: router)
        try await wipeUnstorable()
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
        try await age(PolicyRead.name(resolved(url))).map(StoredResource.init)
    }

    /// Sets policies of a resource that is stored or will be; they take effect with its next read, save, deletion or refresh.
    ///
    /// A copy goes where the resource must not be stored any more (`noCache`).
    ///
    /// - Throws: ``OfflineODataError`` where the URL addresses neither entities nor a file of the service.
    public func setPolicy(_ policy: ResourcePolicy, for url: String) async throws {
        try await check(url)
        try await changeAttributes(url) { attributes in
            // What a read has kept of the policies before is theirs, not its own.
            attributes.policy?.forget(attributes.own)
            attributes.own = policy
        }
        if policy.noCache == true { try await wipeUnstorable() }
    }

    /// Whether the service's metadata have an entity set of a name.
    public func hasEntitySet(_ name: String) async throws -> Bool {
        try await provider.metadata().container.entitySets.contains { $0.name == name }
    }

    /// Refuses a URL that no read could have.
    func check(_ url: String) async throws {
        let url = try await resolved(url)
        guard try await provider.status().odataVersion != nil else { return }
        if await isFile(url) { return }
        guard try await router.held(url).isEntities else {
            throw OfflineODataError(
                .invalidInput,
                "'\(url)' addresses neither entities nor a file: policies are set for what is read, e.g. Orders?$top=20 or Orders(7)"
            )
        }
    }

    /// Sets policies of a resource beside those that it has.
    func addPolicy(_ policy: ResourcePolicy, for url: String) async throws {
        try await changeAttributes(url) { $0.own = $0.own.overridden(by: policy) }
    }

    /// Says how early a resource is synchronised.
    ///
    /// - Throws: ``OfflineODataError`` where the URL addresses neither entities nor a file of the service.
    public func pin(_ url: String, priority: PinPriority) async throws {
        try await check(url)
        try await pin(url, headers: [:], priority: priority)
    }

    /// - Parameter headers: The reader's header fields, which make another copy.
    func pin(_ url: String, headers: HTTPHeaders, priority: PinPriority) async throws {
        try await changeAttributes(url, headers: headers) { $0.pin = priority }
    }

    private func changeAttributes(
        _ url: String,
        headers: HTTPHeaders = [:],
        change: @escaping @Sendable (inout CopyAttributes) -> Void
    ) async throws {
        let url = try await resolved(url)
        let name = PolicyRead.name(url, headers: PolicyRead.ownHeaders(headers))
        try await changeAttributes(named: name, url: url, change)
    }

    func changeAttributes(
        named name: String,
        url: String,
        _ change: @escaping @Sendable (inout CopyAttributes) -> Void
    ) async throws {
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
