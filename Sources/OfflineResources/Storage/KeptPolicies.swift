import StoreRecords
import OfflinePolicies
import ODataTables
import OfflineStore

/// What the store keeps of the policies of a resource.
struct KeptPolicies: Sendable {
    /// What is kept with the resource itself.
    var own: CopyAttributes
    /// What is kept with the collection that brought the entity last; nil where none did.
    var holding: CopyAttributes?

    /// - Parameter own: The record of the resource itself.
    init(_ own: StoredCollection?) { self.own = CopyAttributes(own?.attributes) }

    /// Looks in a transaction.
    init(_ url: String, query: TableQuery, schema: TableSchema) throws {
        self.init(try StoredCollections(query).collection(named: PolicyRead.name(url)))
        // A URL that leads nowhere has no policies of its own.
        let newest = try? HeldResource(url, query: query, schema: schema).newest
        holding = newest.map { CopyAttributes($0.attributes) }
    }

    /// The policies in force.
    ///
    /// Those stored with the resource come first; an entity without any has those of the last collection that brought it. What was
    /// not set when they were stored follows the present configuration.
    ///
    /// - Parameter configured: What the configuration says.
    func effective(over configured: EffectivePolicy) -> EffectivePolicy {
        var effective = configured
        if let stored = own.policy ?? holding?.policy {
            effective.apply(saidIn: stored)
        }
        if own.policy == nil, let holding { effective.apply(holding.own, from: .request) }
        effective.apply(own.own, from: .request)
        return effective
    }
}
