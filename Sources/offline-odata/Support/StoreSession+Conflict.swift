import CommandSupport
import OfflineOData

extension StoreSession {
    /// Whether an entity has one version only: that of the service.
    func hasOneVersion(_ conflict: OfflineODataConflict, of url: String) async throws -> Bool {
        guard conflict.base == nil, conflict.server == nil, !conflict.isDeletedAtService,
            conflict.streams.isEmpty
        else { return false }
        return try await !provider.provenance(of: local(url)).isCreatedHere
    }

    /// What waiting and refused requests make of the links of an entity.
    func linkChanges(of url: String) async throws -> [ChangedLink] {
        try await provider.provenance(of: local(url)).requests.flatMap { ChangedLink.all(in: $0) }
    }
}
