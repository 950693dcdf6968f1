public import OfflineValues
import StoreRecords
import OfflineStore

/// The requests of the queue or the archive, again and again: at once, and whenever a change has altered them.
///
/// All of them are read each time; a list of very many follows ``OfflineODataRequests/counts`` instead.
public struct OfflineODataRequestUpdates: AsyncSequence, Sendable {
    /// The requests in their order.
    public typealias Element = [OfflineODataRequest]

    let provider: OfflineODataProvider
    let read:
        @Sendable (OfflineODataProvider) async throws(OfflineODataError) -> [OfflineODataRequest]

    /// Begins to follow the requests.
    public func makeAsyncIterator() -> Iterator { Iterator(updates: self) }

    /// Follows the requests; it ends when the task is cancelled.
    public struct Iterator: AsyncIteratorProtocol {
        let updates: OfflineODataRequestUpdates
        private var changes: AsyncStream<Void>?
        private var last: [OfflineODataRequest] = []

        init(updates: OfflineODataRequestUpdates) { self.updates = updates }

        /// Waits for the next state; nil when the task is cancelled.
        public mutating func next(
            isolation actor: isolated (any Actor)? = #isolation
        ) async throws(OfflineODataError) -> [OfflineODataRequest]? {
            do throws(OfflineODataError) {
                return try await nextState()
            } catch {
                guard error.category != .cancelled else { return nil }
                throw error
            }
        }

        private mutating func nextState() async throws(OfflineODataError) -> [OfflineODataRequest]?
        {
            guard let changes else {
                // Listens before it reads: what is committed in between is not missed.
                changes = updates.provider.store.file.commits()
                last = try await updates.read(updates.provider)
                return last
            }
            for await _ in changes {
                let now = try await updates.read(updates.provider)
                guard now != last else { continue }
                last = now
                return now
            }
            return nil
        }
    }
}
