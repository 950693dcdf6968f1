import ODataText
import StoreRecords
import ODataSQLite
import ODataValues
import OfflineValues
import ODataModel
import ODataPayload
import ODataHTTP
import ODataAnswers
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
        var labels: OfflineODataRequestLabels
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
        _ requests: [OfflineODataRequest],
        of provider: OfflineODataProvider,
        put: ([UInt8]) async throws -> Void
    ) async throws {
        let links = try await provider.affectedEntities(of: requests)
        try await put(Array("[".utf8))
        for (place, request) in requests.enumerated() {
            try Task.checkCancellation()
            if place > 0 { try await put(Array(",".utf8)) }
            var bytes = json(request, link: links[request.id])
            if let content = request.entry.stream {
                // The object is closed behind its last member.
                bytes.removeLast()
                try await put(bytes)
                try await writeStream(content, of: provider.store, put: put)
                bytes = Array("}".utf8)
            }
            try await put(bytes)
        }
        try await put(Array("]\n".utf8))
    }

    private static func labels(_ node: JSONNode) -> OfflineODataRequestLabels {
        var labels = OfflineODataRequestLabels()
        for label in OfflineODataRequestLabel.allCases {
            labels[label] = node[label.propertyName]?.text
        }
        return labels
    }

    private static func json(_ request: OfflineODataRequest, link: String?) -> [UInt8] {
        var writer = JSONWriter()
        writer.beginObject()
        let texts: [(String, String?)] =
            [
                ("RequestMethod", request.method), ("RequestURL", request.url),
                ("RequestBody", request.body),
            ] + OfflineODataRequestLabel.allCases.map { ($0.propertyName, request.labels[$0]) } + [
                ("UploadCategory", request.uploadCategory),
                ("TransactionID", request.transactionID),
                ("CustomHeaders", request.headers), ("AffectedEntity", link),
            ]
        for (name, text) in texts {
            writer.name(name)
            if let text { writer.string(text) } else { writer.null() }
        }
        let flags = [
            ("RemoveAfterUpload", request.isRemovedAfterUpload),
            ("Unmodifiable", request.isUnmodifiable), ("Upsert", request.isUpsert),
        ]
        for (name, flag) in flags {
            writer.name(name)
            writer.boolean(flag)
        }
        writer.endObject()
        return writer.bytes
    }

    /// Writes the members with the content of a stream: its media type, its bytes in base64url.
    private static func writeStream(
        _ content: Int64,
        of store: LocalStore,
        put: ([UInt8]) async throws -> Void
    ) async throws {
        let type = try await store.file.read {
            try StreamTable($0).head(content: content)?.contentType
        }
        var writer = JSONWriter()
        writer.string(type ?? "application/octet-stream")
        try await put(Array(",\"StreamType\":".utf8) + writer.bytes + Array(",\"Stream\":\"".utf8))
        var rest: [UInt8] = []
        var number: Int64 = 0
        while let piece = try await store.piece(number, of: content) {
            rest += piece
            // Three bytes are four characters: pieces fit together.
            let whole = rest.count / 3 * 3
            try await put(base64(rest[..<whole]))
            rest.removeFirst(whole)
            number += 1
        }
        try await put(base64(rest[...]) + [UInt8(ascii: "\"")])
    }

    private static let model = EdmModel(version: .v4)

    private static func base64(_ bytes: ArraySlice<UInt8>) -> [UInt8] {
        var text: [UInt8] = []
        ScalarForm.binary.write(.blob(Array(bytes)), in: model, into: &text)
        return text
    }

    // MARK: Reading

    /// Reads the text of a file.
    ///
    /// - Throws: ``OfflineODataError`` with the line of what is wrong.
    init(_ json: [UInt8]) throws {
        let root = try Self.tree(json)
        guard let items = root.items else {
            throw Self.error("an array of requests is expected", line: root.line)
        }
        requests = try items.map(Self.request)
    }

    private static func tree(_ json: [UInt8]) throws -> JSONNode {
        do {
            return try JSONTreeReader.read(json, from: 0, line: 1, maximumDepth: 4)
        } catch {
            throw OfflineODataError(
                .invalidInput,
                "\(error)",
                cause: error,
                code: .invalidPayload,
                place: OfflineODataError.Place(line: error.line)
            )
        }
    }

    private static func error(_ message: String, line: Int) -> OfflineODataError {
        OfflineODataError(
            .invalidInput,
            "line \(line): \(message)",
            code: .invalidPayload,
            place: OfflineODataError.Place(line: line)
        )
    }

    private static func request(_ node: JSONNode) throws -> Request {
        guard let method = node["RequestMethod"]?.text, let url = node["RequestURL"]?.text else {
            throw error("a request has RequestMethod and RequestURL", line: node.line)
        }
        guard !["GET", "HEAD"].contains(method) else {
            throw error("\(method) changes nothing: it is no request of a queue", line: node.line)
        }
        func isTrue(_ name: String) -> Bool {
            if case .bool(true)? = node[name]?.value { true } else { false }
        }
        var body = Array((node["RequestBody"]?.text ?? "").utf8)
        if let stream = node["Stream"] {
            guard let text = stream.text,
                case .blob(let bytes)? = ScalarForm.binary.parse(Array(text.utf8).span, in: model)?
                    .scalar
            else { throw error("Stream is no text in base64url", line: stream.line) }
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
            labels: labels(node),
            category: node["UploadCategory"]?.text,
            transaction: node["TransactionID"]?.text,
            headers: node["CustomHeaders"]?.text ?? "",
            isRemoved: isTrue("RemoveAfterUpload"),
            isUnmodifiable: isTrue("Unmodifiable"),
            isUpsert: isTrue("Upsert")
        )
    }

    // MARK: Repeating

    /// Repeats the requests as changes of a store, all or none; answers how many.
    ///
    /// Entities created here get local ids of their own, which then stand for those of the file in later requests.
    /// - Throws: ``OfflineODataError`` at the first one that the store refuses; `CancellationError`.
    func replay(in provider: OfflineODataProvider) async throws -> Int {
        let flag = CancelFlag()
        let isOptimizing = provider.settings.optimizesQueue
        return try await withTaskCancellationHandler {
            let sent = requests.map { HTTPRequest(method: $0.method, url: $0.url) }
            return try await provider.respondTogether(to: sent) { answer in
                try repeatAll(isOptimizing: isOptimizing, until: flag, answer)
            }
        } onCancel: {
            flag.set()
        }
    }

    private func repeatAll(
        isOptimizing: Bool,
        until flag: CancelFlag,
        _ answer: (HTTPRequest, ChangeOptions, Bool) throws -> HTTPResponse
    ) throws -> Int {
        var localIDs: [(old: String, new: String)] = []
        for (index, request) in requests.enumerated() {
            guard !flag.isSet else { throw CancellationError() }
            let (headers, templates) = try Self.headers(request)
            let options = Self.options(
                request,
                headers: headers,
                templates: templates,
                localIDs: localIDs
            )
            let response = try answer(
                Self.message(request, headers: headers, localIDs: localIDs),
                options.all.changeOptions(isOptimizing: isOptimizing),
                request.isUpsert
            )
            guard response.isSuccess else {
                throw Self.error(response, at: index, request: request)
            }
            guard request.method == "POST", let old = request.affected.flatMap(Self.localID),
                let new = response.headers["Location"].flatMap(Self.localID)
            else { continue }
            localIDs.append((old, new))
        }
        return requests.count
    }

    private static func error(_ response: HTTPResponse, at index: Int, request: Request)
        -> OfflineODataError
    {
        let reason =
            ODataErrorBody(reading: response.body.span)?.message
            ?? String(decoding: response.body.prefix(4_096), as: UTF8.self)
        let isMissing = [404, 410].contains(response.status)
        let isInvalid = [400, 405, 406, 413, 414, 415, 501].contains(response.status)
        return OfflineODataError(
            isMissing ? .notFound : isInvalid ? .invalidInput : .preconditionFailed,
            "request \(index + 1) of the file, \(request.method) \(request.url): \(reason)",
            details: ["Nothing of the file is imported."],
            httpStatus: response.status
        )
    }

    /// The request's own header fields, and those with placeholders, whose lines begin with a space.
    private static func headers(_ request: Request) throws -> (
        fields: HTTPHeaders, templates: HTTPHeaders
    ) {
        var (fields, templates) = (HTTPHeaders(), HTTPHeaders())
        for line in request.headers.split(whereSeparator: \.isNewline) {
            guard let colon = line.firstIndex(of: ":"), colon > line.startIndex else {
                throw OfflineODataError(
                    .invalidInput,
                    "CustomHeaders of \(request.method) \(request.url) hold a line that is no header field"
                )
            }
            let name = String(line[..<colon].drop { $0 == " " })
            let value = String(line[line.index(after: colon)...].drop { $0 == " " })
            if line.hasPrefix(" ") {
                templates.add(name, value)
            } else {
                fields.add(name, value)
            }
        }
        return (fields, templates)
    }

    private static func message(
        _ request: Request,
        headers: HTTPHeaders,
        localIDs: [(old: String, new: String)]
    ) -> HTTPRequest {
        var message = HTTPRequest(
            method: request.method,
            url: renamed(request.url, localIDs: localIDs),
            headers: headers,
            body: request.body
        )
        if request.streamType == nil {
            message.body = Array(
                renamed(String(decoding: request.body, as: UTF8.self), localIDs: localIDs).utf8
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
        localIDs: [(old: String, new: String)]
    ) -> String {
        localIDs.reduce(text) { $0.replacing($1.old, with: $1.new) }
    }

    private static func options(
        _ request: Request,
        headers: HTTPHeaders,
        templates: HTTPHeaders,
        localIDs: [(old: String, new: String)]
    ) -> OfflineODataRequestOptions {
        let options = OfflineODataRequestOptions()
        options.removeCreatedEntityAfterUpload = request.isRemoved
        options.unmodifiableRequest = request.isUnmodifiable
        options.labels = request.labels
        // A group may be named by an entity: by the one that the request creates, or by one before.
        let own = request.method == "POST" ? request.affected.flatMap(localID) : nil
        if let name = request.category, name == own {
            options.uploadCategoryEntity = .createdEntity
        } else {
            options.uploadCategory = request.category.map { renamed($0, localIDs: localIDs) }
        }
        if let name = request.transaction, name == own {
            options.transactionEntity = .createdEntity
        } else {
            options.transactionID = request.transaction.map { renamed($0, localIDs: localIDs) }
        }
        options.customHeaders = headers
        for field in templates.fields {
            options.customHeaderFormatTemplate.add(
                field.name,
                renamed(field.value, localIDs: localIDs)
            )
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
