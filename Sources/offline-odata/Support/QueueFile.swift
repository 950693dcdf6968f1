import ODataModel
import ODataProtocol
import ODataService
import OfflineOData
import OfflineStore

/// Requests of a queue in a file: JSON, as `queue --json` prints them, with what is needed to repeat them elsewhere.
struct QueueFile: Sendable {
    /// A request as it stands in the file.
    private struct Request: Sendable {
        var method: String
        var url: String
        var body: [UInt8]
        /// Media type of a body that is a stream's content; nil where the body is JSON.
        var streamType: String?
        var affected: String?
        var tag: String?
        var category: String?
        var transaction: String?
        var headers: String
        var isRemoved: Bool
        var isUnmodifiable: Bool
        /// Whether it creates the entity where the service does not have it.
        var isUpsert: Bool
    }

    private let requests: [Request]

    // MARK: Writing

    /// Writes requests in the order in which they are sent; the contents of streams piece by piece.
    static func write(
        _ listing: QueueListing,
        of store: LocalStore,
        to path: String
    ) async throws {
        let descriptor = try FileBytes.descriptor(writing: path)
        defer { FileBytes.close(descriptor) }
        func put(_ bytes: [UInt8]) throws(CommandFailure) {
            try FileBytes.write(bytes, to: descriptor, named: path)
        }
        try put(Array("[".utf8))
        for (place, item) in listing.items.enumerated() {
            if place > 0 { try put(Array(",".utf8)) }
            var bytes = json(item)
            if let content = item.entry.stream {
                // The object is closed behind its last member.
                bytes.removeLast()
                try put(bytes)
                try await writeStream(content, of: store, put)
                bytes = Array("}".utf8)
            }
            try put(bytes)
        }
        try put(Array("]\n".utf8))
    }

    private static func json(_ item: QueueListing.Item) -> [UInt8] {
        let entry = item.entry
        var writer = JSONWriter()
        writer.beginObject()
        item.writeRequest(to: &writer)
        writer.optional("CustomHeaders", entry.headers)
        writer.optional("AffectedEntity", item.link)
        writer.name("RemoveAfterUpload")
        writer.boolean(entry.flags.contains(.removeAfterUpload))
        writer.name("Unmodifiable")
        writer.boolean(entry.flags.contains(.unmodifiable))
        writer.name("Upsert")
        writer.boolean(entry.flags.contains(.upsert))
        writer.endObject()
        return writer.bytes
    }

    /// Writes the members with the content of a stream: its media type, its bytes in base64url.
    private static func writeStream(
        _ content: Int64,
        of store: LocalStore,
        _ put: ([UInt8]) throws(CommandFailure) -> Void
    ) async throws {
        let type = try await store.file.read {
            try StreamTable($0).head(content: content)?.contentType
        }
        var writer = JSONWriter()
        writer.string(type ?? "application/octet-stream")
        try put(Array(",\"StreamType\":".utf8) + writer.bytes + Array(",\"Stream\":\"".utf8))
        var rest: [UInt8] = []
        var number: Int64 = 0
        while let piece = try await store.piece(number, of: content) {
            rest += piece
            // Three bytes are four characters: pieces fit together.
            let whole = rest.count / 3 * 3
            try put(base64(rest[..<whole]))
            rest.removeFirst(whole)
            number += 1
        }
        try put(base64(rest[...]) + [UInt8(ascii: "\"")])
    }

    private static let model = EdmModel(version: .v4)

    private static func base64(_ bytes: ArraySlice<UInt8>) -> [UInt8] {
        var text: [UInt8] = []
        ScalarForm.binary.write(.blob(Array(bytes)), in: model, into: &text)
        return text
    }

    // MARK: Reading

    /// Reads a file.
    ///
    /// - Throws: ``CommandFailure`` (invalid) with the line of what is wrong.
    init(reading path: String) throws(CommandFailure) {
        let bytes = try FileBytes.read(path)
        let root: JSONNode
        do {
            root = try JSONTreeReader.read(bytes, from: 0, line: 1, maximumDepth: 4)
        } catch {
            throw CommandFailure(.invalid, "\(path): \(error)")
        }
        guard let items = root.items else {
            throw CommandFailure(
                .invalid,
                "\(path): line \(root.line): an array of requests is expected"
            )
        }
        var requests: [Request] = []
        for item in items {
            guard let request = Self.request(item) else {
                throw CommandFailure(
                    .invalid,
                    "\(path): line \(item.line): a request has RequestMethod and RequestURL"
                )
            }
            requests.append(request)
        }
        self.requests = requests
    }

    private static func request(_ node: JSONNode) -> Request? {
        guard let method = node["RequestMethod"]?.text, let url = node["RequestURL"]?.text else {
            return nil
        }
        func isTrue(_ name: String) -> Bool {
            if case .bool(true)? = node[name]?.value { true } else { false }
        }
        var body = Array((node["RequestBody"]?.text ?? "").utf8)
        if let stream = node["Stream"] {
            guard let text = stream.text,
                case .blob(let bytes)? = ScalarForm.binary.parse(Array(text.utf8).span, in: model)?
                    .scalar
            else { return nil }
            body = bytes
        }
        return Request(
            method: method,
            url: url,
            body: body,
            streamType: node["Stream"].map { _ in
                node["StreamType"]?.text ?? "application/octet-stream"
            },
            affected: node["AffectedEntity"]?.text,
            tag: node["CustomTag"]?.text,
            category: node["UploadCategory"]?.text,
            transaction: node["TransactionID"]?.text,
            headers: node["CustomHeaders"]?.text ?? "",
            isRemoved: isTrue("RemoveAfterUpload"),
            isUnmodifiable: isTrue("Unmodifiable"),
            isUpsert: isTrue("Upsert")
        )
    }

    // MARK: Repeating

    /// Repeats the requests as changes of a store; answers how many.
    ///
    /// Entities created here get local ids of their own, which then stand for those of the file in later requests.
    /// - Throws: ``CommandFailure`` at the first one that the store refuses; those before it stay.
    func replay(in store: String, optimizes: Bool, _ terminal: Terminal) async throws -> Int {
        let session = try StoreSession.local(store, terminal, optimizes: optimizes)
        var localIDs: [(old: String, new: String)] = []
        for (index, request) in requests.enumerated() {
            let (headers, templates) = try Self.headers(request)
            let message = Self.message(request, headers, localIDs)
            let ids = localIDs
            let response = try await session.run {
                await $0.respond(
                    to: message,
                    options: Self.options(request, headers, templates, ids),
                    allowsUpsert: request.isUpsert
                )
            }
            do {
                _ = try LocalAnswer(response: response).body()
            } catch {
                throw CommandFailure(
                    error.status,
                    "request \(index + 1) of the file, \(request.method) \(request.url): \(error.message)",
                    advice: "\(Words.amount(index, "request")) before it are imported."
                )
            }
            guard request.method == "POST", let old = request.affected.flatMap(Self.localID),
                let new = response.headers["Location"].flatMap(Self.localID)
            else { continue }
            localIDs.append((old, new))
        }
        return requests.count
    }

    /// The request's own header fields, and those with placeholders, whose lines begin with a space.
    private static func headers(
        _ request: Request
    ) throws(CommandFailure) -> (fields: HTTPHeaders, templates: HTTPHeaders) {
        var (fields, templates) = (HTTPHeaders(), HTTPHeaders())
        for line in request.headers.split(whereSeparator: \.isNewline) {
            if line.hasPrefix(" ") {
                try HeaderText.append(String(line.dropFirst()), to: &templates)
            } else {
                try HeaderText.append(String(line), to: &fields)
            }
        }
        return (fields, templates)
    }

    private static func message(
        _ request: Request,
        _ headers: HTTPHeaders,
        _ localIDs: [(old: String, new: String)]
    ) -> HTTPRequest {
        var message = HTTPRequest(
            method: request.method,
            url: renamed(request.url, localIDs),
            headers: headers,
            body: request.body
        )
        if request.streamType == nil {
            message.body = Array(
                renamed(String(decoding: request.body, as: UTF8.self), localIDs).utf8
            )
        }
        if request.streamType != nil || !message.body.isEmpty && headers["Content-Type"] == nil {
            message.headers["Content-Type"] = request.streamType ?? "application/json"
        }
        return message
    }

    /// A text with the ids that the store has given in the place of the file's.
    private static func renamed(
        _ text: String,
        _ localIDs: [(old: String, new: String)]
    ) -> String {
        localIDs.reduce(text) { $0.replacing($1.old, with: $1.new) }
    }

    private static func options(
        _ request: Request,
        _ headers: HTTPHeaders,
        _ templates: HTTPHeaders,
        _ localIDs: [(old: String, new: String)]
    ) -> OfflineODataRequestOptions {
        let options = OfflineODataRequestOptions()
        options.removeCreatedEntityAfterUpload = request.isRemoved
        options.unmodifiableRequest = request.isUnmodifiable
        options.customTag = request.tag
        // A group may be named by an entity: by the one that the request creates, or by one before.
        let own = request.method == "POST" ? request.affected.flatMap(localID) : nil
        if let name = request.category, name == own {
            options.uploadCategoryEntity = .createdEntity
        } else {
            options.uploadCategory = request.category.map { renamed($0, localIDs) }
        }
        if let name = request.transaction, name == own {
            options.transactionEntity = .createdEntity
        } else {
            options.transactionID = request.transaction.map { renamed($0, localIDs) }
        }
        options.customHeaders = headers
        for field in templates.fields {
            options.customHeaderFormatTemplate.add(field.name, renamed(field.value, localIDs))
        }
        return options
    }

    /// The local id in a link to an entity whose key is not known: what stands in `$local='…'`.
    private static func localID(_ link: String) -> String? {
        guard let start = link.firstRange(of: "$local='")?.upperBound,
            let end = link[start...].firstIndex(of: "'"), start < end
        else { return nil }
        return String(link[start..<end])
    }
}
