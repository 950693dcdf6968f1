/// A freedom that the standard leaves a service, or a habit of real ones: a switch of the legal service.
struct LegalTrait: Hashable, Sendable {
    /// Name by which a seed tells it.
    let name: String
    /// Paragraph of the standard, or the real service that is known for it.
    let source: String
    /// What the service does.
    let effect: String
    /// Of the traits of one family a service has one at most.
    let family: String?

    init(_ name: String, _ source: String, _ effect: String, family: String? = nil) {
        self.name = name
        self.source = source
        self.effect = effect
        self.family = family
    }

    static func == (left: LegalTrait, right: LegalTrait) -> Bool { left.name == right.name }

    func hash(into hasher: inout Hasher) { hasher.combine(name) }

    /// The whole catalogue.
    static let all: [LegalTrait] =
        identity + answers + etags + batches + transactions + paging + deltas + nested + streams
        + metadata + errors + headers
}
