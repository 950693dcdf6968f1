import ODataModel
import ODataProtocol
import ODataTables
import OfflineStore

/// Brings the streams of media entities: those that are new, and those whose ETag is another one than that of the stored content.
///
/// A stream that breaks off goes on where it broke off, if the service says by its ETag that it is still the same
/// (RFC 9110 §§ 13.1.5, 14.2).
struct MediaDownload {
    let store: LocalStore
    let client: ServiceClient
    let progress: ProgressReporter

    /// Brings the streams of the queries that want them.
    func run(_ queries: [DefiningQuery]) async throws {
        for query in queries where query.retrievesStreams {
            for target in try await MediaTarget.all(of: query, store) { try await load(target) }
        }
    }

    /// Brings one stream, if it has changed.
    func load(_ target: MediaTarget) async throws {
        guard target.isOutdated else { return }
        let url = try client.url.resolve(target.link)
        var headers: HTTPHeaders = ["Accept": "*/*"]
        if let etag = target.storedETag { headers["If-None-Match"] = etag }
        let response: HTTPStreamingResponse
        do {
            response = try await client.get(url, headers: headers)
        } catch let error as OfflineODataError where [404, 410].contains(error.httpStatus) {
            return try await target.setContent(nil, store)
        }
        guard response.status != 304 else { return }
        guard response.status != 204 else { return try await target.setContent(nil, store) }
        let type = response.headers["Content-Type"] ?? "application/octet-stream"
        let content = try await store.beginContent(contentType: type)
        do {
            let etag = try await receive(response, from: url, into: content)
            try await target.setContent(content, etag: etag ?? target.etag, store)
        } catch {
            // The error is the one to tell; what nobody names is swept away later in any case.
            try? await store.discard(content: content)
            throw error
        }
    }

    /// Receives a stream in pieces; answers its ETag.
    private func receive(
        _ first: HTTPStreamingResponse,
        from url: String,
        into content: Int64
    ) async throws -> String? {
        var spool = MediaSpool(store: store, content: content)
        var response = first
        let etag = first.headers["ETag"]
        var attempt = 1
        while true {
            do {
                for try await bytes in response.body {
                    try await spool.append(bytes)
                    progress.advance { $0.receivedByteCount += bytes.count }
                }
                try Task.checkCancellation()
                try await spool.finish()
                return etag
            } catch let error as HTTPTransportError where error.code.isTemporary {
                guard let delay = client.settings.retry.delay(after: attempt), let etag,
                    !etag.hasPrefix("W/")
                else { throw error }
                attempt += 1
                try await client.settings.retry.sleep(delay)
                response = try await client.get(
                    url,
                    headers: [
                        "Accept": "*/*", "Accept-Encoding": "identity", "If-Range": etag,
                        "Range": "bytes=\(spool.byteCount)-",
                    ]
                )
                guard response.status == 206 else { throw error }
            }
        }
    }
}

/// Gathers bytes to pieces of the size in which contents are stored.
private struct MediaSpool {
    let store: LocalStore
    let content: Int64
    private var rest: [UInt8] = []
    private(set) var byteCount = 0

    init(store: LocalStore, content: Int64) {
        self.store = store
        self.content = content
    }

    mutating func append(_ bytes: [UInt8]) async throws {
        rest += bytes
        byteCount += bytes.count
        while rest.count >= LocalStore.contentPieceSize {
            let piece = Array(rest.prefix(LocalStore.contentPieceSize))
            rest.removeFirst(piece.count)
            try await store.append(piece, to: content)
        }
    }

    mutating func finish() async throws {
        if !rest.isEmpty { try await store.append(rest, to: content) }
        rest = []
    }
}
