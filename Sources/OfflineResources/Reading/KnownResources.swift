import ODataProtocol
import Synchronization

/// The resources that were read last, by the names of their copies.
///
///     read ──> young ── full ──> old ── forgotten when young is full again
///                └──────<── read again ──┘
final class KnownResources: Sendable {
    /// Resources of each generation: twice as many are kept.
    static let generationSize = 128

    private let state = Mutex(Generations())

    private struct Generations {
        var young: [String: KnownResource] = [:]
        var old: [String: KnownResource] = [:]

        mutating func keep(_ resource: KnownResource, _ name: String) {
            if young.count >= generationSize, young[name] == nil { (old, young) = (young, [:]) }
            young[name] = resource
        }
    }

    /// How many are kept.
    var count: Int { state.guarded { $0.young.count + $0.old.count } }

    /// Returns the resource of a name where it is good, else one made by the function.
    func resource(
        _ name: String,
        isGood: (KnownResource) -> Bool,
        make: () -> KnownResource
    ) -> KnownResource {
        let young = state.guarded { $0.young[name] }
        if let young, isGood(young) { return young }
        let old = young == nil ? state.guarded { $0.old[name] } : nil
        let found = old.flatMap { isGood($0) ? $0 : nil } ?? make()
        state.guarded { $0.keep(found, name) }
        return found
    }
}
