import OfflinePolicies

/// What the policy layer keeps with a copy, read once for as long as it stays the same.
final class KnownAttributes: Sendable {
    private let text: String?
    let value: CopyAttributes

    /// Those of a resource that the store has no record of.
    static let none = KnownAttributes(nil)

    init(_ text: String?) {
        self.text = text
        value = CopyAttributes(text)
    }

    /// Whether it was read from a text.
    func isOf(_ other: String?) -> Bool {
        text?.utf8.count == other?.utf8.count && text == other
    }
}

/// The policies in force for reads of a resource, worked out once for as long as nothing changes that they depend on.
final class KnownResource: Sendable {
    /// What is kept with the copy; nothing where the store has no record of the resource.
    private let known: KnownAttributes
    private let request: ResourcePolicy
    private let state: PolicyState.Loaded
    /// The reader's policies over those of the resource itself.
    let asked: ResourcePolicy
    /// The policies in force.
    let policy: EffectivePolicy

    var attributes: CopyAttributes { known.value }

    /// Works the policies out.
    ///
    /// - Parameter resolve: Answers the policies in force for the reader's policies.
    init(
        _ known: KnownAttributes,
        request: ResourcePolicy,
        state: PolicyState.Loaded,
        resolve: (ResourcePolicy) -> EffectivePolicy
    ) {
        (self.known, self.request, self.state) = (known, request, state)
        asked = known.value.own.overridden(by: request)
        policy = resolve(asked)
    }

    /// Whether the policies are those of a read with these circumstances.
    ///
    /// - Parameter text: What is kept with the copy.
    func isOf(_ text: String?, request: ResourcePolicy, state: PolicyState.Loaded) -> Bool {
        self.state === state && known.isOf(text) && self.request == request
    }
}
