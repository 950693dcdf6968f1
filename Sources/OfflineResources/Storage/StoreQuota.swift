import OfflinePolicies
import StoreRecords
import OfflineOData

/// How much room `maxStoreSize` leaves for copies made by fetch policies and for changes that wait.
///
/// Entities of defining queries do not count.
struct StoreQuota: Sendable {
    private let router: ReadRouter
    /// Bytes in all.
    let limit: Int

    init(_ router: ReadRouter, configuration: BackendConfiguration) {
        self.router = router
        limit = Self.limit(configuration)
    }

    /// The configured megabytes in bytes.
    static func limit(_ configuration: BackendConfiguration) -> Int {
        let (bytes, isHuge) = configuration.maxStoreSize.multipliedReportingOverflow(by: 1 << 20)
        return isHuge ? Int.max : bytes
    }

    /// Bytes that copies and changes take.
    func used() async throws -> Int {
        try await router.collectionByteCount() + router.queuedByteCount()
    }

    /// Bytes that are left, with those of the copy that is replaced.
    func remaining(replacing name: String) async throws -> Int {
        let replaced = CopyAttributes(try await router.collection(named: name)?.attributes)
            .byteCount
        return limit - (try await used()) + replaced
    }

    /// Refuses a change of a size that has no room.
    func check(byteCount: Int) async throws {
        guard try await used() + byteCount > limit else { return }
        throw OfflineODataError(
            .preconditionFailed,
            "the change does not fit into the store (maxStoreSize: \(limit >> 20) MB): evict copies or upload changes, then try again",
            code: .quotaExceeded
        )
    }
}
