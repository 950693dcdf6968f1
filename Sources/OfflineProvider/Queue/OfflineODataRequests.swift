import StoreRecords
public import OfflineValues
import OfflineStore

/// Requests of the queue or of the archive, one after the other and read as they are asked for: a queue may hold very many.
///
/// Requests that come or go while it is iterated over are met or not; none is met twice.
public struct OfflineODataRequests: AsyncSequence, Sendable {
    let provider: OfflineODataProvider
    let statuses: [QueueEntry.Status]
    /// Requests that are passed over at the beginning.
    var skipped = 0

    /// Returns the requests without so many at the beginning, which are not read.
    public func skipping(_ count: Int) -> OfflineODataRequests {
        var rest = self
        rest.skipped += Swift.max(0, count)
        return rest
    }

    /// Begins with the request that is to be sent first.
    public func makeAsyncIterator() -> Iterator {
        Iterator(provider: provider, statuses: statuses, skipped: skipped)
    }

    /// How many requests there are, now and after each change of the store.
    public var counts: OfflineODataRequestCounts {
        OfflineODataRequestCounts(provider: provider, statuses: statuses)
    }

    /// Reads some requests at a time.
    public struct Iterator: AsyncIteratorProtocol {
        let provider: OfflineODataProvider
        let statuses: [QueueEntry.Status]
        private let skipped: Int
        private var ids: ArraySlice<Int64>?
        private var read: ArraySlice<OfflineODataRequest> = []

        /// Requests read at once.
        private static let pageSize = 200

        init(provider: OfflineODataProvider, statuses: [QueueEntry.Status], skipped: Int) {
            (self.provider, self.statuses, self.skipped) = (provider, statuses, skipped)
        }

        /// Returns the next request; nil at the end.
        ///
        /// - Throws: ``OfflineODataError``; of the category `cancelled` when the task is cancelled.
        public mutating func next(
            isolation actor: isolated (any Actor)? = #isolation
        ) async throws(OfflineODataError) -> OfflineODataRequest? {
            do {
                while read.isEmpty {
                    guard try await readPage() else { return nil }
                }
                return read.popFirst()
            } catch {
                throw OfflineODataError.whole(error)
            }
        }

        private mutating func readPage() async throws -> Bool {
            try Task.checkCancellation()
            try provider.checkNotClosed()
            let (statuses, store) = (statuses, provider.store)
            var ids: ArraySlice<Int64>
            if let known = self.ids {
                ids = known
            } else {
                let all = try await store.file.read { try RequestQueue($0).ids(statuses) }
                ids = all.dropFirst(skipped)
            }
            guard !ids.isEmpty else { return false }
            let page = Array(ids.prefix(Self.pageSize))
            self.ids = ids.dropFirst(Self.pageSize)
            read = ArraySlice(
                try await store.file.read { connection in
                    let queue = RequestQueue(connection)
                    return try page.compactMap { try queue.entry($0) }
                        .filter { statuses.contains($0.status) }.map(OfflineODataRequest.init)
                }
            )
            return true
        }
    }
}
