import ODataValues
package import ODataModel
import Synchronization

/// The sources of which the defining queries bring entities, by the URL of a query: finding them out takes longer than a small read.
package final class QueryReaches: Sendable {
    private let known = Mutex<[String: Set<NavigationSource>]>([:])
    /// Queries that are remembered; stores of more read them anew.
    private static let limit = 10_000

    package init() {}

    /// Returns the sources of a query; a function finds those of one that is not known yet.
    package func sources(
        of url: String,
        _ find: () -> Set<NavigationSource>
    ) -> Set<NavigationSource> {
        if let sources = known.guarded({ $0[url] }) { return sources }
        let sources = find()
        known.guarded { known in
            if known.count < Self.limit { known[url] = sources }
        }
        return sources
    }
}
