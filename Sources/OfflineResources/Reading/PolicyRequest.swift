import OfflinePolicies
import ODataValues
import OfflineOData
import Synchronization

/// What a reader says to the policy rule, and what the rule answers beside the entities.
final class PolicyRequest: ReadContext {
    /// The reader's own policies.
    let policy: ResourcePolicy
    /// Bytes beyond which a file is not kept.
    let fileLimit: Int
    /// Whether the URL has the form that all spellings of it have.
    let isResolved: Bool
    private let state = Mutex(Outcome())

    struct Outcome: Sendable {
        var origin: OfflineODataOrigin?
        /// What was in force.
        var resource: KnownResource?
        /// Why the service was not reached, where it was tried.
        var failure: OfflineODataError?

        /// The policies that were in force.
        var policy: EffectivePolicy? { resource?.policy }
    }

    init(
        _ policy: ResourcePolicy = ResourcePolicy(),
        fileLimit: Int = .max,
        isResolved: Bool = false
    ) {
        (self.policy, self.fileLimit, self.isResolved) = (policy, fileLimit, isResolved)
    }

    /// The request that goes along with reads of this task.
    @TaskLocal static var current: PolicyRequest?

    var outcome: Outcome { state.guarded { $0 } }

    func note(_ change: @Sendable (inout Outcome) -> Void) {
        state.guarded { change(&$0) }
    }
}
