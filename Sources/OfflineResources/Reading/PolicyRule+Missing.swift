import OfflineOData
import OfflineStore

/// Entities that the service has no more.
extension PolicyRule {
    /// Takes an entity that the service has no more from the store, too, unless it is changed here; answers whether it went.
    ///
    /// A URL that leads to the entity by another way says that the way leads nowhere: its copy goes, and the entity stays.
    func forget(_ url: String, named name: String, _ router: ReadRouter) async throws -> Bool {
        guard Self.namesEntity(url) else {
            try await router.remove(collection: name)
            return true
        }
        guard try await !router.held(url).hasPendingChanges else {
            // The next upload meets a conflict, and creates nothing anew.
            try await router.markGone(url)
            return false
        }
        try await router.remove(collection: name)
        _ = try await router.release(url)
        return true
    }

    /// Whether a URL names its entity by the key, and neither by `$entity`, nor as what another one leads to, nor as one of another type.
    ///
    /// With related entities it may be one of these that the service does not know.
    private static func namesEntity(_ url: String) -> Bool {
        let path = url.prefix { $0 != "?" }
        return !path.hasPrefix("$") && (path.hasSuffix(")") || !path.contains("/"))
            && !url.contains("$expand=")
    }

    /// A fetch that takes its entity from the store where the service says that there is none; several entities stay.
    func forgetting(
        _ url: String,
        named name: String,
        _ router: ReadRouter,
        _ work: @escaping FetchQueue.Work
    ) -> FetchQueue.Work {
        {
            do {
                return try await work()
            } catch let error as OfflineODataError where error.isMissing {
                guard try await router.held(url).isSingle else { throw error }
                return try await self.forget(url, named: name, router) ? .nothing : .store
            }
        }
    }
}
