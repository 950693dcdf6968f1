import StoreRecords
import StoreDownload
import ODataHTTP
import OfflineStore

/// The bytes of a stream on their way into the store, in pieces of the size in which contents are stored.
struct MediaTransfer {
    /// ETag of the content that the store has.
    private let knownETag: String?
    /// The stream in the store; nil where what has come is not kept for later.
    private let target: MediaTarget?
    private let store: LocalStore
    private var content: Int64?
    private var etag: String?
    /// Bytes that are not stored yet: less than a piece.
    private var rest: [UInt8] = []
    private var byteCount = 0
    /// Length of the whole stream, where the service has said it.
    private var total: Int?
    /// Whether the head of an answer has come.
    private(set) var isReading = false

    init(knownETag: String?, target: MediaTarget?, store: LocalStore) {
        (self.knownETag, self.target, self.store) = (knownETag, target, store)
    }

    /// The ETag by which the service can say that the stream is still the same, byte by byte (RFC 9110 § 8.8.1).
    private var strongETag: String? { etag.flatMap { $0.hasPrefix("W/") ? nil : $0 } }

    /// Whether the next request asks for the rest of a stream only.
    var isResumed: Bool { byteCount > 0 && content != nil && strongETag != nil }

    /// Takes up what an earlier call has received.
    mutating func resume() async throws {
        guard let target, let partial = try await PartialStream.read(of: target, store) else {
            return
        }
        content = partial.content
        etag = partial.etag
        byteCount = Int(partial.byteCount)
    }

    /// What the next request says.
    var headers: HTTPHeaders {
        var headers: HTTPHeaders = ["Accept": "*/*"]
        if isResumed, let strongETag {
            headers["Accept-Encoding"] = "identity"
            headers["If-Range"] = strongETag
            headers["Range"] = "bytes=\(byteCount)-"
        } else if let knownETag {
            headers["If-None-Match"] = knownETag
        }
        return headers
    }

    /// Receives the bytes of an answer: the rest of the stream where it is the range that was asked for, else all of it.
    ///
    /// - Throws: `HTTPTransportError` where they end too early, or are another range.
    mutating func receive(_ response: HTTPStreamingResponse, note: (Int) -> Void) async throws
        -> MediaDownload.Fetched
    {
        isReading = true
        switch response.status {
        case 204, 304:
            try await startOver()
            return response.status == 204 ? .empty : .unchanged
        case 206: try await goOn(with: response)
        default: try await begin(with: response)
        }
        for try await bytes in response.body {
            try await append(bytes)
            note(bytes.count)
        }
        try Task.checkCancellation()
        guard total == nil || total == byteCount else {
            throw HTTPTransportError(.connectionLost, "a stream ended before its length")
        }
        return try await finish()
    }

    private mutating func begin(with response: HTTPStreamingResponse) async throws {
        try await startOver()
        etag = response.headers["ETag"]
        content = try await store.beginContent(
            contentType: response.headers["Content-Type"] ?? "application/octet-stream"
        )
    }

    private mutating func goOn(with response: HTTPStreamingResponse) async throws {
        guard !continues(response) else { return }
        try await startOver()
        throw HTTPTransportError(
            .connectionLost,
            "the service sent another range of a stream than the one asked for"
        )
    }

    /// Whether an answer is the rest of what has come: of the same content, beginning where that ended.
    private mutating func continues(_ response: HTTPStreamingResponse) -> Bool {
        guard isResumed, (response.headers["ETag"] ?? strongETag) == strongETag,
            response.headers["Content-Type"]?.lowercased().hasPrefix("multipart/byteranges") != true
        else { return false }
        guard let field = response.headers["Content-Range"] else { return true }
        guard let range = ContentRange(field), range.first == byteCount else { return false }
        total = range.total
        return true
    }

    private mutating func append(_ bytes: [UInt8]) async throws {
        guard let content else { return }
        rest += bytes
        byteCount += bytes.count
        while rest.count >= LocalStore.contentPieceSize {
            let piece = Array(rest.prefix(LocalStore.contentPieceSize))
            rest.removeFirst(piece.count)
            let isFirst = byteCount - rest.count == piece.count
            try await store.append(piece, to: content)
            // A long stream can go on where even a process that was killed left off.
            if isFirst, let target, let strongETag {
                try await PartialStream(of: target, etag: strongETag, content: content)
                    .record(in: store)
            }
        }
    }

    /// Stores the last bytes and hands the content over.
    private mutating func finish() async throws -> MediaDownload.Fetched {
        guard let content else { return .missing }
        if !rest.isEmpty { try await store.append(rest, to: content) }
        rest = []
        self.content = nil
        return .content(content, etag: etag)
    }

    /// Forgets what has come where the next request cannot go on with it.
    mutating func prepareRetry() async throws {
        isReading = false
        if !isResumed { try await startOver() }
    }

    /// Forgets what has come.
    mutating func startOver() async throws {
        let former = content
        (content, etag, total, byteCount, rest) = (nil, nil, nil, 0, [])
        if let former { try await store.discard(content: former) }
    }

    /// Keeps the pieces that are stored for a later call, if it can go on with them.
    func keepForLater() async throws {
        guard let content else { return }
        let isKept = target != nil && strongETag != nil && byteCount - rest.count > 0
        if !isKept { try await store.discard(content: content) }
    }
}

/// The place of a part in the whole (RFC 9110 § 14.4).
package struct ContentRange {
    /// Place of the first byte.
    var first: Int
    /// Length of the whole; nil where it is not known.
    var total: Int?

    /// Reads `bytes FIRST-LAST/TOTAL`; nil for anything else.
    package init?(_ field: String) {
        let parts = field.split(separator: " ")
        guard parts.count == 2, parts[0].lowercased() == "bytes" else { return nil }
        let sides = parts[1].split(separator: "/", omittingEmptySubsequences: false)
        guard sides.count == 2, let dash = sides[0].firstIndex(of: "-"),
            let first = Int(sides[0][..<dash]), first >= 0
        else { return nil }
        self.first = first
        total = Int(sides[1])
    }
}
