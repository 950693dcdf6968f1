public import OfflineValues
public import ODataBinding
import StoreRecords
import ODataHTTP
import ODataTables
import OfflineStore

/// The answers of a query, again and again.
///
/// The first one comes at once; another one follows whenever a committed change has altered a property that the query answers, the
/// state of an entity (``EntityValue/hasPendingChanges``, ``EntityValue/inErrorState``, ``EntityValue/hasConflict``,
/// ``EntityValue/isLocal``), or which entities it answers and in which order. Changes of other sets, changes taken back and values
/// written again are passed over, as are ETags.
public struct OfflineODataLiveQuery: AsyncSequence, Sendable {
    /// The entities of one answer, in its order.
    public typealias Element = [EntityValue]

    let provider: OfflineODataProvider
    let source: Source

    /// A query in either form.
    enum Source: Sendable {
        case url(String)
        case query(ODataQuery)

        /// The query as a read.
        var request: ReadRequest {
            switch self {
            case .url(let url): ReadRequest(url)
            case .query(let query): ReadRequest(.query(query))
            }
        }
    }

    /// Begins to follow the query.
    public func makeAsyncIterator() -> Iterator { Iterator(live: self) }

    /// Follows a query; it ends when the task is cancelled.
    public struct Iterator: AsyncIteratorProtocol {
        let live: OfflineODataLiveQuery
        private var changes: AsyncStream<Void>?
        private var last: [UInt8] = []

        init(live: OfflineODataLiveQuery) { self.live = live }

        /// Waits for the next answer; nil when the task is cancelled.
        ///
        /// - Throws: ``OfflineODataError`` where the query is wrong.
        public mutating func next(
            isolation actor: isolated (any Actor)? = #isolation
        ) async throws(OfflineODataError) -> [EntityValue]? {
            do {
                return try await nextAnswer()
            } catch {
                guard !(error is CancellationError) else { return nil }
                throw OfflineODataError.whole(error)
            }
        }

        private mutating func nextAnswer() async throws -> [EntityValue]? {
            guard let changes else {
                // Listens before it reads: what is committed in between is not missed.
                changes = live.provider.store.file.commits()
                let (print, entities) = try await live.provider.answer(live.source, unless: nil)
                last = print
                return entities
            }
            for await _ in changes {
                let (print, entities) = try await live.provider.answer(live.source, unless: last)
                guard let entities else { continue }
                last = print
                return entities
            }
            return nil
        }
    }
}

extension OfflineODataProvider {
    /// Returns the answers of a query as the store changes.
    ///
    /// - Parameter query: URL relative to the service root, such as `Events?$filter=Price lt 20`.
    public func liveQuery(_ query: String) -> OfflineODataLiveQuery {
        OfflineODataLiveQuery(provider: self, source: .url(query))
    }

    /// Returns the answers of a query made in Swift as the store changes.
    public func liveQuery(_ query: ODataQuery) -> OfflineODataLiveQuery {
        OfflineODataLiveQuery(provider: self, source: .query(query))
    }

    /// The answer of a query with what it is recognised by; no entities where it is the one before.
    func answer(_ source: OfflineODataLiveQuery.Source, unless last: [UInt8]?) async throws
        -> (print: [UInt8], entities: [EntityValue]?)
    {
        try await mapping {
            let limits = settings.limits.url
            let (place, answer) = try await router.answer(source.request) {
                query,
                schema -> ([UInt8], [EntityValue]?) in
                let request =
                    switch source {
                    case .url(let url):
                        try BoundRequest(ofApplication: url, in: schema.model, limits: limits)
                    case .query(let query): try query.bound(in: schema.model)
                    }
                let reading = EntityReading(query: query, schema: schema)
                let print = try reading.print(of: request)
                guard print != last else { return (print, nil) }
                return (print, try reading.entities(request))
            }
            if let answer { return answer }
            guard case .response(let response, _) = place else {
                return ([], last == [] ? nil : [])
            }
            let model = try await store.schema().model
            guard response.body != last else { return (response.body, nil) }
            return (response.body, try ServiceAnswer.entities(response, in: model))
        }
    }
}
