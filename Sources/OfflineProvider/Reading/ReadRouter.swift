import ODataClient
import OfflineSync
import ODataValues
import StoreRecords
import OfflineValues
package import ODataHTTP
import ODataAnswers
package import ODataTables
package import OfflineStore
import Synchronization

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// The one way in for every read: asks the rules where the answer comes from, and gets it there.
///
///     executeQuery, respond, liveQuery … ── ReadRequest ──> rules ── ReadSource ──> store | collection | response
///
/// Without a rule the answer is always the store's, and a read costs nothing more.
package final class ReadRouter: Sendable {
    package let store: LocalStore
    let client: ServiceClient?
    let settings: DownloadSettings
    private let registered = Mutex(Registered())

    private struct Registered {
        var rules: [any ReadRule] = []
        var observers: [any StoreObserver] = []
        var settle: (@Sendable () async throws -> Void)?
    }

    init(_ store: LocalStore, client: ServiceClient?, settings: DownloadSettings) {
        self.store = store
        self.client = client
        self.settings = settings
    }

    /// What carries the requests to the service; nil for a store without one.
    package var transport: (any HTTPTransport)? { client?.transport }

    // MARK: Registering

    /// Lets a rule decide where answers come from, before those registered earlier.
    package func use(_ rule: any ReadRule) {
        registered.guarded { $0.rules.insert(rule, at: 0) }
    }

    /// Registers an observer of the store.
    package func observe(_ observer: any StoreObserver) {
        registered.guarded { $0.observers.append(observer) }
    }

    /// Those who hear what happens to the store.
    var observers: [any StoreObserver] { registered.guarded { $0.observers } }

    /// Says how changes are settled whose answers were lost with a process; see ``settleLeftovers()``.
    func settleLeftovers(by settle: @escaping @Sendable () async throws -> Void) {
        registered.guarded { $0.settle = settle }
    }

    /// Determines the outcome of changes that a killed process had sent; does nothing during an upload.
    func settleLeftovers() async throws {
        guard let settle = registered.guarded({ $0.settle }) else { return }
        do {
            let lock = try await SyncLock(besides: store.file.path, waiting: .zero)
            defer { withExtendedLifetime(lock) {} }
            try await settle()
        } catch let error as OfflineODataError
            where error.category == .inUse || error.code == .readOnly
        {
            // An upload settles them itself, and a store that can only be read has none to settle.
            return
        }
    }

    // MARK: Deciding

    /// Where the answer of a read comes from.
    package func source(of read: @autoclosure () -> ReadRequest) async throws -> ReadSource {
        let rules = registered.guarded { $0.rules }
        guard !rules.isEmpty else { return .store }
        let read = read()
        switch interest(of: rules, in: read) {
        case .none: return .store
        case .look(let look): if let found = try await store.readCancellable(look) { return found }
        case .asked: break
        }
        return try await source(of: read, asking: rules)
    }

    /// Answers a read: in one transaction where the rules can decide by looking at the store, else after asking them.
    ///
    /// - Parameter body: Reads as that of ``read(_:body:)``.
    /// - Returns: Where the answer comes from, and what was read; nil where that was neither the store nor a stored collection.
    package func answer<R: Sendable>(
        _ read: @autoclosure () -> ReadRequest,
        body: @escaping @Sendable (TableQuery, TableSchema) throws -> R
    ) async throws -> (source: ReadSource, result: R?) {
        let rules = registered.guarded { $0.rules }
        guard !rules.isEmpty else { return (.store, try await store.readCancellable(body)) }
        let read = read()
        switch interest(of: rules, in: read) {
        case .none: return (.store, try await store.readCancellable(body))
        case .look(let look):
            let found = try await store.readCancellable {
                query,
                schema -> LocalAnswer<R>? in
                guard let source = try look(query, schema) else { return nil }
                return LocalAnswer(
                    source,
                    result: try Self.result(source, query: query, in: schema, body: body)
                )
            }
            if let found { return (found.source, found.result) }
        case .asked: break
        }
        let source = try await source(of: read, asking: rules)
        return (source, try await self.read(source, body: body))
    }

    /// How the rules decide about a read together: the first that does not leave it to the store.
    private func interest(of rules: [any ReadRule], in read: ReadRequest) -> ReadInterest {
        var all = ReadInterest.none
        for rule in rules {
            switch (all, rule.interest(in: read, self)) {
            case (_, .asked): return .asked
            case (_, .none): continue
            case (.look(let first), .look(let next)): all = .look(Self.either(first, or: next))
            case (_, let own): all = own
            }
        }
        return all
    }

    private static func either(_ first: @escaping ReadLook, or next: @escaping ReadLook) -> ReadLook
    {
        { query, schema in
            let source = try first(query, schema)
            guard case .store? = source else { return source }
            return try next(query, schema)
        }
    }

    private func source(of read: ReadRequest, asking rules: [any ReadRule]) async throws
        -> ReadSource
    {
        for rule in rules {
            let source = try await rule.source(of: read, self)
            if case .store = source { continue }
            return source
        }
        return .store
    }

    /// Where the answer comes from without asking the service.
    package func sourceAtHand(of read: @autoclosure () -> ReadRequest) throws -> ReadSource {
        let rules = registered.guarded { $0.rules }
        guard !rules.isEmpty else { return .store }
        let read = read()
        for rule in rules {
            let source = try rule.sourceAtHand(of: read, self)
            if case .store = source { continue }
            return source
        }
        return .store
    }

    /// Looks at the store in one read transaction.
    package func look<R: Sendable>(
        _ body: @escaping @Sendable (TableQuery, TableSchema) throws -> R
    ) async throws -> R {
        try await mapped { try await store.readCancellable(body) }
    }

    // MARK: Answering

    /// Reads from the store or from a stored collection; nil where the answer is to be had in neither.
    ///
    /// - Parameter body: Reads in one transaction; the members of a collection take the place of what the query would choose.
    package func read<R: Sendable>(
        _ source: ReadSource,
        body: @escaping @Sendable (TableQuery, TableSchema) throws -> R
    ) async throws -> R? {
        switch source {
        case .store, .collection:
            try await store.readCancellable {
                try Self.result(source, query: $0, in: $1, body: body)
            }
        case .response, .nothing: nil
        }
    }

    /// Reads from the store or a stored collection inside a transaction.
    private static func result<R>(
        _ source: ReadSource,
        query: TableQuery,
        in schema: TableSchema,
        body: (TableQuery, TableSchema) throws -> R
    ) throws -> R? {
        switch source {
        case .store: try body(query, schema)
        case .collection(let collection, _): try body(Self.query(query, of: collection), schema)
        case .response, .nothing: nil
        }
    }

    /// The same while the calling thread waits.
    package func readBlocking<R>(
        _ source: ReadSource,
        body: (TableQuery, TableSchema) throws -> R
    ) throws -> R? {
        switch source {
        case .store, .collection:
            try store.readBlocking { try Self.result(source, query: $0, in: $1, body: body) }
        case .response, .nothing: nil
        }
    }

    static func query(_ query: TableQuery, of collection: StoredCollection) -> TableQuery {
        var query = query
        query.members = collection.members
        return query
    }

    /// Where the answer of a source comes from, and how old it is.
    ///
    /// - Parameter url: What was read: the store's answer is as old as the oldest query that brings entities of its set.
    package func origin(of source: ReadSource, reading url: String?) async throws
        -> OfflineODataOrigin
    {
        switch source {
        case .store: OfflineODataOrigin(place: .store, date: try await lastDownload(of: url))
        case .collection(_, let origin): origin
        case .response(_, let date): OfflineODataOrigin(place: .service, date: date)
        case .nothing: OfflineODataOrigin(place: .nowhere)
        }
    }

    private func lastDownload(of url: String?) async throws -> Date? {
        guard let url else { return nil }
        let oldest = try await store.file.read { [store] connection in
            let schema = try store.schema(connection)
            return try DefiningQueries(connection).oldestDownload(bringing: url, in: schema)
        }
        return oldest.flatMap { Date(stored: $0) }
    }
}
