import StoreRecords
import OfflinePolicies
import ODataModel
import OfflineOData
import OfflineStore

/// What must not be stored, and is all the same: read before the policy was set, or created here and uploaded since.
extension PolicyEngine {
    /// Deletes copies and uploaded entities of resources with `noCache`, so that no file of the store has their bytes any more.
    ///
    /// It runs by itself after each upload, when a policy is set or a configuration kept, and at each start. What has changes that wait
    /// stays until they are sent, and so does what defining queries bring.
    ///
    /// - Returns: How many entities went.
    @discardableResult
    func wipeUnstorable() async throws -> Int {
        await router.removeLeftovers()
        let configuration = try await configuration()
        var names: [String] = []
        let (resolver, now) = (rule.resolver(configuration), options.clock.now)
        for age in try await ages() where age.hasCopy {
            let url = age.collection.url
            let configured =
                age.attributes.isFile
                ? resolver.filePolicy(for: url, now: now) : resolver.policy(for: url, now: now)
            let isExpanding = try await rule.expandsUnstorable(
                url,
                configuration: configuration,
                router: router
            )
            guard isExpanding || age.attributes.own.noCache ?? configured.noCache.value else {
                continue
            }
            names.append(age.collection.name)
        }
        let urls = try await unstorableEntities(configuration)
        guard !names.isEmpty || !urls.isEmpty else { return 0 }
        return try await router.wipe(
            collections: names,
            keeping: { text in
                var kept = CopyAttributes()
                let before = CopyAttributes(text)
                (kept.own, kept.pin) = (before.own, before.pin)
                return kept.text
            },
            entities: urls
        )
    }

    /// Entities without changes that wait whose path is configured with `noCache`.
    private func unstorableEntities(_ configuration: BackendConfiguration) async throws -> [String]
    {
        let patterns = configuration.policies.filter { $0.policy.noCache == true }.map(\.pattern)
        guard !patterns.isEmpty || configuration.defaultPolicy.noCache == true,
            let model = try? await provider.metadata()
        else { return [] }
        let resolver = rule.resolver(configuration)
        let now = options.clock.now
        var urls: [String] = []
        for set in model.container.entitySets.map(\.name) {
            let own = rule.state.paths.configured(set)
            let isMeant = patterns.contains { pattern in
                own.contains { $0.begins(pattern.path) || pattern.path.begins($0) }
            }
            guard isMeant || configuration.defaultPolicy.noCache == true else { continue }
            // Copies go with their collections: what is left was changed here.
            let changed = try await router.storedEntities(set + "?$filter=sap.islocal()")
            for entity in changed where !entity.isWaiting {
                let link = try await provider.link(of: entity)
                guard resolver.policy(for: link, now: now).noCache.value,
                    try await !router.held(link).isDurable
                else { continue }
                urls.append(link)
            }
        }
        return urls
    }
}

extension CopyAge {
    /// Whether there is a copy, of entities or of a file.
    var hasCopy: Bool {
        collection.isFetched || attributes.isFile && collection.fetched != nil
    }
}

extension EntityValue {
    /// Whether it has changes that the service has not taken.
    fileprivate var isWaiting: Bool { hasPendingChanges || inErrorState }
}
