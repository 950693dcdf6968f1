package import StoreRecords
package import StoreDownload
import OfflineSync
import OfflineValues
import ODataClient
package import ODataHTTP
import ODataTables
package import OfflineStore

#if canImport(FoundationEssentials)
    package import FoundationEssentials
#else
    package import Foundation
#endif

/// Asking the service for what a single read wants.
extension ReadRouter {
    /// What is fetched, and how.
    package struct Fetch: Sendable {
        /// Name of the stored collection.
        package var name: String
        /// Where it is fetched from: a URL relative to the service root.
        package var url: String
        /// Header fields that go along.
        package var headers: HTTPHeaders = [:]
        /// Whether the request states the known version.
        package var sendsValidator = true
        /// Whether an answer with these header fields may be stored; else it is thrown as ``UnstoredAnswer``.
        package var isStorable: @Sendable (_ status: Int, _ headers: HTTPHeaders) -> Bool = {
            _,
            _ in
            true
        }
        /// The number of bytes beyond which the answer is not stored: ``AnswerTooLarge`` is thrown instead.
        package var maximumByteCount = Int.max

        package init(_ url: String, name: String? = nil) {
            self.url = url
            self.name = name ?? url
        }
    }

    /// A fetched collection, and what the service said.
    package struct Fetched: Sendable {
        package var collection: StoredCollection
        /// Status of the first answer: 200, or 304 where nothing has changed.
        package var status: Int
        /// Header fields of the first answer.
        package var headers: HTTPHeaders
        /// Entities that are new, changed or gone, and those that stand against local changes.
        package var changes: StagedMerge.Result
        /// Bytes of the answers' bodies.
        package var byteCount: Int
        package var isUnchanged: Bool { status == 304 }
    }

    /// Completes what is known of a collection from the first answer, such as when it is out of date.
    package typealias Note = @Sendable (inout StoredCollection, AnswerHead) -> Void

    /// Fetches a query from the service and stores its answer as a collection: members in order, validator, expiry, delta link.
    ///
    /// Entities meet those that the store has already; local changes stay. It runs beside uploads and downloads.
    /// - Parameters:
    ///   - now: The time that the collection is said to be of.
    ///   - note: Completes what is known of the collection from the answer's header fields, such as when it is out of date.
    /// - Throws: ``OfflineODataError`` where the service refuses or cannot be reached, ``UnstoredAnswer`` and ``AnswerTooLarge`` as the
    ///   fetch asks for; the collection stays as it is then.
    package func fetch(
        _ fetch: Fetch,
        now: Date = Date(),
        note: @escaping Note = { _, _ in }
    ) async throws -> Fetched {
        do {
            return try await whileUnsent(
                "changes of these entities are being uploaded; read them again after that"
            ) {
                try await attemptFetch(fetch, now: now, note: note)
            }
        } catch let answer as UnstoredAnswer {
            throw answer
        } catch let refusal as AnswerTooLarge {
            throw refusal
        } catch {
            throw OfflineODataError.mapping(error)
        }
    }

    /// Fetches until no change of the fetched entities was on its way meanwhile, since the answer may be older than that.
    ///
    /// - Parameters:
    ///   - message: What the error says where that does not end.
    ///   - attempt: One fetch; nil where it has to be repeated.
    func whileUnsent<R>(_ message: String, attempt: () async throws -> R?) async throws -> R {
        let budget = try service().budget()
        if let fetched = try await attempt() { return fetched }
        // Without an upload in progress, the answer was lost with the process that sent the request.
        try await settleLeftovers()
        while true {
            if let fetched = try await attempt() { return fetched }
            guard try await budget.waits() else {
                throw OfflineODataError(.preconditionFailed, message)
            }
        }
    }

    /// Asks the service, and doubts a "not found" that comes as a page.
    ///
    /// - Throws: ``OfflineODataError`` as for a service that is not reached, where a gateway has answered.
    func whileBelieved<R>(
        _ client: ServiceClient,
        at url: String,
        _ ask: () async throws -> R
    ) async throws -> R {
        do {
            return try await ask()
        } catch let error as OfflineODataError {
            try await PageLook(store: store, client: client).check(error, at: url)
            throw error
        }
    }

    private func attemptFetch(
        _ fetch: Fetch,
        now: Date,
        note: @escaping Note
    ) async throws -> Fetched? {
        let client = try service()
        let work = CollectionWork(store)
        let schema = try await store.schema()
        let form = FetchForm(fetch.url, in: schema.model)
        var begin = try await work.begin(
            named: fetch.name,
            url: fetch.url,
            asksForChanges: !form.hasPlaces
        )
        begin.task.isSingle = form.leadsToOne
        client.setVersion(of: schema.model)
        if !fetch.sendsValidator { begin.task.query.etag = nil }
        let scratch = try await FetchScratch(of: store.file)
        defer { withExtendedLifetime(scratch) {} }
        let inspection = FetchInspection(fetch, maximumBodySize: client.maximumBodySize)
        let loader = loader(
            client,
            in: scratch.staging,
            fetch: fetch,
            as: form,
            inspection: inspection
        )
        let loaded = try await whileBelieved(client, at: fetch.url) { [begin] in
            try await loader.load(begin.task)
        }
        let head = inspection.head
        let isOfAll = inspection.isSinglePage && !form.isEntityWithRelatives
        let validator = isOfAll ? Self.validator(head.headers) : nil
        let moment = Int64(now.timeIntervalSince1970 * 1000)
        let outcome = try await work.merge(loaded, begin: begin, staging: scratch.staging) {
            collection in
            collection.fetched = moment
            if head.status != 304 { collection.validator = validator }
            note(&collection, head)
        }
        guard case .merged(let collection, let result) = outcome else { return nil }
        return Fetched(
            collection: collection,
            status: head.status,
            headers: head.headers,
            changes: result,
            byteCount: head.byteCount
        )
    }

    /// The version of an answer, as it came; services that have no ETags may say it in the field that asks for it.
    private static func validator(_ headers: HTTPHeaders) -> String? {
        headers["ETag"] ?? headers["If-None-Match"]
    }

    private func loader(
        _ client: ServiceClient,
        in staging: StagingFile,
        fetch: Fetch,
        as form: FetchForm,
        inspection: FetchInspection
    ) -> QueryLoader {
        var loader = QueryLoader(
            store: store,
            client: client,
            progress: ProgressReporter(.download) { _ in },
            settings: settings,
            staging: staging,
            stamp: 0,
            unknown: UnknownNames()
        )
        loader.ownHeaders = fetch.headers
        // An entity that is not there is the reader's business.
        loader.missing = [204]
        loader.asksForChanges = !form.hasPlaces
        loader.inspect = { try await inspection.inspect(&$0) }
        return loader
    }

    /// Asks the service, for all pages, and keeps nothing of the answer, neither in the store nor beside it.
    ///
    /// - Throws: ``OfflineODataError`` where the service refuses or cannot be reached.
    package func response(to url: String, headers: HTTPHeaders = [:]) async throws -> HTTPResponse {
        do {
            return try await JoinedPages(client: service(), settings: settings)
                .response(to: url, headers: headers)
        } catch {
            throw OfflineODataError.mapping(error)
        }
    }

    func service() throws -> ServiceClient {
        guard let client else { throw OfflineODataError.withoutService }
        return client
    }

    // MARK: Stored collections

    /// Returns the stored collection of a name; nil where there is none.
    package func collection(named name: String) async throws -> StoredCollection? {
        try await collections { try $0.collection(named: name) }
    }

    /// The same while the calling thread waits.
    package func collectionAtHand(named name: String) throws -> StoredCollection? {
        try store.file.readBlocking { try StoredCollections($0).collection(named: name) }
    }

    /// Reads what is known of the stored collections.
    package func collections<R: Sendable>(
        _ body: @escaping @Sendable (StoredCollections) throws -> R
    ) async throws -> R {
        try await store.file.read { try body(StoredCollections($0)) }
    }

    /// Changes what is kept with a stored collection; nothing where it has been removed.
    package func update(
        collection name: String,
        _ change: @escaping @Sendable (inout StoredCollection) -> Void
    ) async throws {
        try await store.file.write { connection in
            let collections = StoredCollections(connection)
            guard var collection = try collections.collection(named: name) else { return }
            change(&collection)
            try collections.update(collection)
        }
    }

    /// Removes a stored collection with the entities that nothing else holds; what is changed here stays.
    ///
    /// - Returns: How many entities went.
    @discardableResult
    package func remove(collection name: String) async throws -> Int {
        try await store.file.write { [store] connection in
            let collections = StoredCollections(connection)
            guard let collection = try collections.collection(named: name) else { return 0 }
            return try collections.remove(collection, in: store.schema(connection))
        }
    }
}
