public import OfflinePolicies
public import OfflineOData

/// The answer to a read that policies decided about.
public struct ResourceAnswer: Sendable {
    /// The entities in their order; nil where the resource was never fetched and cannot be now, which is another thing than none.
    public var entities: [EntityValue]?
    /// Where they come from, and how old they are.
    public var origin: OfflineODataOrigin
    /// The policies that were in force; nil for URLs about which policies do not decide, such as counts.
    public var policy: EffectivePolicy? { resource?.policy }
    /// Why the service was not reached, where it was tried and did not answer, or the error that it answered.
    public var failure: OfflineODataError?
    /// What was in force.
    let resource: KnownResource?

    init(
        _ entities: [EntityValue]?,
        origin: OfflineODataOrigin,
        outcome: borrowing PolicyRequest.Outcome
    ) {
        (self.entities, self.origin) = (entities, origin)
        (failure, resource) = (outcome.failure, outcome.resource)
    }

    /// Why there is nothing, where the answer was to be had neither from the store nor from the service; else nil.
    ///
    /// Distinguishes a related entity that was never stored from one that does not exist, without an error.
    public var remark: String? {
        guard origin.place == .nowhere else { return nil }
        let copy =
            if let fetching = policy?.fetchPolicy.value, !fetching.usesStaleCopies {
                "no copy that \(fetching.rawValue) takes"
            } else { "not in the store" }
        let reason = failure.map { ", and the service was not reached: \($0.message)" }
        return copy + (reason ?? ", and the service was not asked")
    }

    /// The entity of a URL that addresses one; nil where there is none.
    public var entity: EntityValue? { entities?.first }
}
