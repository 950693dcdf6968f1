/// The policies in force for reads of a resource, worked out once for as long as nothing changes that they depend on.
final class KnownResource: Sendable {
    /// What the policy layer keeps with the copy, as it was read; nil where the store has no record of the resource.
    private let kept: String?
    private let request: ResourcePolicy
    private let state: PolicyState.Loaded
    /// What `kept` says.
    let attributes: CopyAttributes
    /// The reader's policies over those of the resource itself.
    let asked: ResourcePolicy
    /// The policies in force.
    let policy: EffectivePolicy

    /// Works the policies out.
    ///
    /// - Parameter resolve: Answers the policies in force for the reader's policies.
    init(
        kept: String?,
        _ request: ResourcePolicy,
        _ state: PolicyState.Loaded,
        resolve: (ResourcePolicy) -> EffectivePolicy
    ) {
        (self.kept, self.request, self.state) = (kept, request, state)
        attributes = CopyAttributes(kept)
        asked = attributes.own.overridden(by: request)
        policy = resolve(asked)
    }

    /// Whether the policies are those of a read with these circumstances.
    func isGood(kept: String?, _ request: ResourcePolicy, _ state: PolicyState.Loaded) -> Bool {
        self.state === state && self.kept?.utf8.count == kept?.utf8.count && self.kept == kept
            && self.request == request
    }
}
