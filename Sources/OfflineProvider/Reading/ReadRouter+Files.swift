package import StoreRecords
import OfflineSync
import ODataClient
import OfflineValues
import StoreDownload
import ODataAnswers
package import ODataHTTP
import ODataTables
import OfflineStore

#if canImport(FoundationEssentials)
    package import FoundationEssentials
#else
    package import Foundation
#endif

/// Asking the service for the contents of streams that single reads want.
extension ReadRouter {
    /// How the fetch of a file ended.
    package enum FileOutcome: Sendable {
        /// The store has what the service has.
        case stored
        /// The service has no content.
        case missing
        /// The store does not have the entity of the stream: it is to be fetched first.
        case noEntity
    }

    /// Completes what is known of the copy of a file from the answer, such as when it is out of date.
    package typealias FileNote = @Sendable (inout StoredCollection, AnswerHead) -> Void

    /// Returns what the store holds of the stream at a URL; nil where the URL addresses something else.
    package func heldFile(_ url: String) async throws -> HeldFile? {
        try await look { query, schema in
            try StreamAddress(url, in: schema.model).map { try HeldFile($0, query: query) }
        }
    }

    /// Fetches the content of a stream and stores it, if it is another one than the stored.
    ///
    /// - Throws: ``OfflineODataError`` where the service refuses or cannot be reached, ``UnstoredAnswer`` and ``AnswerTooLarge`` as the
    ///   fetch asks for; the copy stays as it is then.
    package func fetchFile(
        _ fetch: Fetch,
        now: Date = Date(),
        note: @escaping FileNote
    ) async throws -> FileOutcome {
        do {
            return try await whileUnsent(
                "changes of this file are being uploaded; read it again after that"
            ) { try await attempt(fetch, now: now, note: note) }
        } catch let answer as UnstoredAnswer {
            throw answer
        } catch let refusal as AnswerTooLarge {
            throw refusal
        } catch {
            throw Self.mappedFile(error)
        }
    }

    private static func mappedFile(_ error: any Error) -> any Error {
        guard let foreign = error as? ServiceClient.ForeignStream else {
            return OfflineODataError.mapping(error)
        }
        return OfflineODataError(
            .preconditionFailed,
            "the stream is at \(foreign.origin): allow the origin (allowedOrigins, --allow-origin)"
        )
    }

    /// - Returns: nil where the content may be older than a change that was sent meanwhile.
    private func attempt(_ fetch: Fetch, now: Date, note: @escaping FileNote) async throws
        -> FileOutcome?
    {
        let client = try service()
        let model = try await store.schema().model
        client.setVersion(of: model)
        guard let address = try StreamAddress(fetch.url, in: model),
            let target = try await MediaTarget.at(address, in: store)
        else { return .noEntity }
        let answered = try await store.file.read { try AnswerCounter.value($0) }
        let inspection = FetchInspection(fetch, maximumBodySize: client.maximumBodySize)
        var download = download(client, fetch: fetch)
        download.inspect = { try await inspection.inspect(&$0) }
        let etag = fetch.sendsValidator ? target.storedETag : nil
        let content: StoredFiles.Content
        switch try await download.fetch(target.link, ifChangedFrom: etag, for: target) {
        case .unchanged: content = .unchanged
        case .missing, .empty:
            try await target.setContent(nil, in: store)
            return .missing
        case .content(let received, let etag):
            try await checkSize(of: received, fetch)
            content = .received(received, etag: etag)
        }
        let moment = Int64(now.timeIntervalSince1970 * 1000)
        let head = inspection.head
        let isTaken = try await store.file.write { [store] connection in
            try StoredFiles(connection, schema: store.schema(connection))
                .take(content, of: target, url: fetch.name, answered: answered) {
                    collection,
                    byteCount in
                    collection.fetched = moment
                    if head.status != 304 { collection.validator = head.headers["ETag"] }
                    var head = head
                    head.byteCount = Int(byteCount)
                    note(&collection, head)
                }
        }
        return isTaken ? .stored : nil
    }

    private func download(_ client: ServiceClient, fetch: Fetch) -> MediaDownload {
        var download = MediaDownload(
            store: store,
            client: client,
            progress: ProgressReporter(.download) { _ in }
        )
        download.ownHeaders = fetch.headers
        return download
    }

    /// What was received in several parts may be too large as a whole.
    private func checkSize(of content: Int64, _ fetch: Fetch) async throws {
        guard try await store.contentHead(content).byteCount > fetch.maximumByteCount else {
            return
        }
        try await store.discard(content: content)
        throw AnswerTooLarge()
    }

    /// Asks the service for the content of a stream and keeps nothing of it.
    ///
    /// - Throws: ``OfflineODataError`` where the service refuses or cannot be reached.
    package func fileResponse(to url: String, headers: HTTPHeaders = [:]) async throws
        -> HTTPResponse
    {
        do {
            let client = try service()
            var target: MediaTarget?
            if let address = try await StreamAddress(url, in: store.schema().model) {
                target = try await MediaTarget.at(address, in: store)
            }
            var fields: HTTPHeaders = ["Accept": "*/*"]
            for field in headers.fields { fields[field.name] = field.value }
            let (link, sent) = (target?.link ?? client.url.absolute(url), fields)
            let response = try await whileBelieved(client, at: "") {
                try await client.stream(link, headers: sent)
            }
            return HTTPResponse(
                status: response.status,
                headers: response.headers,
                body: try await response.body.collect(upTo: client.maximumBodySize)
            )
        } catch {
            throw Self.mappedFile(error)
        }
    }

    /// Says that a file was not kept since it is larger than it may be.
    package func logUnkept(byteLimit: Int) {
        client?.log(.notice, "file.unkept", [("limit", .integer(Int64(byteLimit)))])
    }
}
