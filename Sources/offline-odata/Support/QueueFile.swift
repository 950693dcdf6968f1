import ODataModel
import ODataProtocol
import OfflineOData
import OfflineStore

/// Requests of a queue in a file: JSON, as `queue --json` prints them, with what is needed to repeat them elsewhere.
struct QueueFile: Sendable {
    /// A request as it stands in the file.
    private struct Request: Sendable {
        var method: String
        var url: String
        var body: String
        var affected: String?
        var tag: String?
        var category: String?
        var transaction: String?
        var headers: String
        var isRemoved: Bool
        var isUnmodifiable: Bool
    }

    private let requests: [Request]

    // MARK: Writing

    /// Writes requests in the order in which they are sent.
    static func json(_ listing: QueueListing) -> [UInt8] {
        var writer = JSONWriter()
        writer.beginArray()
        for item in listing.items {
            let entry = item.entry
            writer.beginObject()
            item.writeRequest(to: &writer)
            writer.optional("CustomHeaders", entry.headers)
            writer.optional("AffectedEntity", item.link)
            writer.name("RemoveAfterUpload")
            writer.boolean(entry.flags.contains(.removeAfterUpload))
            writer.name("Unmodifiable")
            writer.boolean(entry.flags.contains(.unmodifiable))
            writer.endObject()
        }
        writer.endArray()
        return writer.bytes
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
        return Request(
            method: method,
            url: url,
            body: node["RequestBody"]?.text ?? "",
            affected: node["AffectedEntity"]?.text,
            tag: node["CustomTag"]?.text,
            category: node["UploadCategory"]?.text,
            transaction: node["TransactionID"]?.text,
            headers: node["CustomHeaders"]?.text ?? "",
            isRemoved: isTrue("RemoveAfterUpload"),
            isUnmodifiable: isTrue("Unmodifiable")
        )
    }

    // MARK: Repeating

    /// Repeats the requests as changes of a store; answers how many.
    ///
    /// Entities created here get local ids of their own, which then stand for those of the file in later requests.
    /// - Throws: ``CommandFailure`` at the first one that the store refuses; those before it stay.
    func replay(in store: String, _ terminal: Terminal) async throws -> Int {
        let session = try StoreSession.local(store, terminal)
        var localIDs: [(old: String, new: String)] = []
        for (index, request) in requests.enumerated() {
            var headers = HTTPHeaders()
            try HeaderText.append(request.headers, to: &headers)
            let message = Self.message(request, headers, localIDs)
            let response = try await session.run { [headers] in
                await $0.respond(to: message, options: Self.options(request, headers))
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
            guard request.method == "POST", let old = request.affected.flatMap(Self.localID) else {
                continue
            }
            if let new = response.headers["Location"].flatMap(Self.localID) {
                localIDs.append((old, new))
            }
        }
        return requests.count
    }

    private static func message(
        _ request: Request,
        _ headers: HTTPHeaders,
        _ localIDs: [(old: String, new: String)]
    ) -> HTTPRequest {
        var (url, body) = (request.url, request.body)
        for pair in localIDs {
            url = url.replacing(pair.old, with: pair.new)
            body = body.replacing(pair.old, with: pair.new)
        }
        var headers = headers
        if !body.isEmpty, headers["Content-Type"] == nil {
            headers["Content-Type"] = "application/json"
        }
        return HTTPRequest(
            method: request.method,
            url: url,
            headers: headers,
            body: Array(body.utf8)
        )
    }

    private static func options(_ request: Request, _ headers: HTTPHeaders)
        -> OfflineODataRequestOptions
    {
        let options = OfflineODataRequestOptions()
        options.removeCreatedEntityAfterUpload = request.isRemoved
        options.unmodifiableRequest = request.isUnmodifiable
        options.customTag = request.tag
        options.uploadCategory = request.category
        options.transactionID = request.transaction
        options.customHeaders = headers
        return options
    }

    /// `$local='…'` of a link to an entity whose key is not known.
    private static func localID(_ link: String) -> String? {
        guard let start = link.firstRange(of: "$local='")?.lowerBound,
            let end = link[start...].lastIndex(of: "'")
        else { return nil }
        return String(link[start...end])
    }
}
