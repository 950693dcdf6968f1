import StoreRecords
public import OfflineValues
import OfflineStore

/// How many requests there are, again and again: at once, and after each change of the store.
///
/// A list of very many requests follows them so, and reads the few that it shows from ``OfflineODataRequests``.
public struct OfflineODataRequestCounts: AsyncSequence, Sendable {
    let provider: OfflineODataProvider
    let statuses: [QueueEntry.Status]

    /// Begins to follow the requests.
    public func makeAsyncIterator() -> Iterator { Iterator(counts: self) }

    /// Follows the requests; it ends when the task is cancelled.
    public struct Iterator: AsyncIteratorProtocol {
        private let counts: OfflineODataRequestCounts
        private var changes: AsyncStream<Void>.Iterator?

        init(counts: OfflineODataRequestCounts) { self.counts = counts }

        /// Waits for the next change of the store, whatever it was about; nil when the task is cancelled.
        ///
        /// - Throws: ``OfflineODataError``.
        public mutating func next(
            isolation actor: isolated (any Actor)? = #isolation
        ) async throws(OfflineODataError) -> Int? {
            if changes == nil {
                // Listens before it reads: what is committed in between is not missed.
                changes = counts.provider.store.file.commits().makeAsyncIterator()
            } else if await changes?.next(isolation: actor) == nil {
                return nil
            }
            do {
                try counts.provider.checkNotClosed()
                let statuses = counts.statuses
                return try await counts.provider.store.file.read {
                    try RequestQueue($0).count(of: statuses)
                }
            } catch {
                throw OfflineODataError.whole(error)
            }
        }
    }
}
