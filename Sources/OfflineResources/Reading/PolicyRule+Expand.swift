import OfflinePolicies
import StoreRecords
import ODataModel
import ODataTables
import OfflineOData
import OfflineStore

/// Entities inside of others: a resource that must not be stored is not stored by the way, either.
extension PolicyRule {
    /// Whether a read expands entities of a set that is configured with `noCache`.
    func expandsUnstorable(
        _ url: String,
        configuration: BackendConfiguration,
        router: ReadRouter
    ) async throws -> Bool {
        let isAny =
            configuration.defaultPolicy.noCache == true
            || configuration.policies.contains { $0.policy.noCache == true }
        guard isAny else { return false }
        let schema = try await router.store.schema()
        let resolver = resolver(configuration)
        let own = QueryReach.ownSource(of: url, in: schema)
        return QueryReach.sources(of: url, in: schema).contains { source in
            guard source != own else { return false }
            let name = schema.model.name(of: source)
            return resolver.policy(for: name, now: options.clock.now).noCache.value
        }
    }
}
