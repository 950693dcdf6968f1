import CommandSupport
import ODataProtocol
import OfflineOData

/// Requests of a store, waiting or refused, each with the link of the entity that it is about.
struct QueueListing: Sendable {
    /// A request and its entity.
    struct Item: Sendable {
        var entry: OfflineODataRequest
        /// nil where the entity is not in the store any more.
        var link: String?
    }

    var items: [Item]

    /// Reads the requests that wait.
    static func queue(of store: String, _ terminal: Terminal) async throws -> QueueListing {
        let provider = try StoreSession.local(store, on: terminal).provider
        return try await read(provider.requestQueue(), of: provider)
    }

    /// Reads the requests that the service refused.
    static func archive(of store: String, _ terminal: Terminal) async throws -> QueueListing {
        let provider = try StoreSession.local(store, on: terminal).provider
        return try await read(provider.errorArchive(), of: provider)
    }

    /// Adds the entities to requests.
    static func read(
        _ requests: [OfflineODataRequest],
        of provider: OfflineODataProvider
    ) async throws -> QueueListing {
        let links = try await provider.affectedEntities(of: requests)
        return QueueListing(items: requests.map { Item(entry: $0, link: links[$0.id]) })
    }

    /// The request with this number.
    ///
    /// - Throws: ``CommandFailure`` (not found).
    func item(_ id: Int64, in place: String) throws(CommandFailure) -> Item {
        if let found = items.first(where: { $0.entry.id == id }) { return found }
        throw CommandFailure(
            .notFound,
            "there is no request \(id) in the \(place)",
            advice: "`queue STORE` and `errors STORE` list the ids."
        )
    }
}

// MARK: - JSON

extension QueueListing {
    /// The members are those of the built-in entity sets; they are a promise to scripts.
    func json() -> [UInt8] {
        var writer = JSONWriter()
        writer.beginArray()
        for item in items { item.write(to: &writer) }
        writer.endArray()
        return writer.bytes
    }
}

extension QueueListing.Item {
    func write(to writer: inout JSONWriter) {
        writer.beginObject()
        writeMembers(to: &writer)
        writer.endObject()
    }

    /// Writes the members of the object, for one that has more.
    func writeMembers(to writer: inout JSONWriter) {
        writer.member("RequestID", value: Int(entry.id))
        writer.member("Status", value: entry.status.rawValue)
        writeRequest(to: &writer)
        writer.name("DependsOn")
        writer.beginArray()
        for id in entry.dependsOn { writer.integer(id) }
        writer.endArray()
        writer.optional("AffectedEntity", value: link)
        if entry.status == .failed || entry.failure != nil { writeFailure(to: &writer) }
    }

    /// Writes the object with all that is known, as the text form of one request has it.
    func writeInFull(to writer: inout JSONWriter) {
        writer.beginObject()
        writeMembers(to: &writer)
        writer.member(
            "RequestHeaders",
            values: entry.customHeaders.fields.map { "\($0.name): \($0.value)" }
        )
        writer.optional("ETag", value: entry.etag)
        writer.optional("FirstSent", value: entry.firstSent)
        writer.member("RemovedAfterUpload", value: entry.isRemovedAfterUpload)
        writer.member("Unmodifiable", value: entry.isUnmodifiable)
        writer.endObject()
    }

    /// Writes what was asked for, without what has become of it.
    func writeRequest(to writer: inout JSONWriter) {
        writer.member("RequestMethod", value: entry.method)
        writer.member("RequestURL", value: entry.url)
        writer.optional("RequestBody", value: entry.body)
        for label in OfflineODataRequestLabel.allCases {
            writer.optional(label.propertyName, value: entry.labels[label])
        }
        writer.optional("UploadCategory", value: entry.uploadCategory)
        writer.optional("TransactionID", value: entry.transactionID)
    }

    private func writeFailure(to writer: inout JSONWriter) {
        writer.optional("HTTPStatusCode", value: entry.failure?.httpStatus)
        writer.optional("Code", value: entry.failure?.code.rawValue)
        writer.optional("Message", value: entry.failure?.message)
        writer.optional("InnerError", value: entry.failure?.innerError)
    }
}

// MARK: - Text

extension QueueListing {
    /// A line for each waiting request; names that the application gives have columns where some request has one.
    func queueTable() -> TextTable {
        let names =
            (labels + [
                ("category", { $0.uploadCategory }), ("transaction", { $0.transactionID }),
                ("reason", { $0.failure?.message }),
            ])
            .filter { name in items.contains { name.text($0.entry) != nil } }
        var table = TextTable(
            [
                ("id", .right), ("status", .left), ("method", .left), ("URL", .left),
                ("waits for", .left),
            ] + names.map { ($0.title, .left) } + [("body", .left)]
        )
        for item in items {
            let entry = item.entry
            table.add(
                [
                    String(entry.id), entry.status.rawValue, entry.method, entry.url,
                    entry.dependsOn.map(String.init).joined(separator: ","),
                ] + names.map { $0.text(entry) ?? "" } + [entry.body ?? ""]
            )
        }
        return table
    }

    /// A title and the text of a request below it, for each label.
    private var labels: [(title: String, text: (OfflineODataRequest) -> String?)] {
        OfflineODataRequestLabel.allCases.map { label in (label.name, { $0.labels[label] }) }
    }

    /// A line for each refused request.
    func errorTable() -> TextTable {
        var table = TextTable(
            [("id", .right), ("answer", .right), ("method", .left), ("URL", .left)]
                + labels.map { ($0.title, .left) } + [("message", .left)]
        )
        for item in items {
            let entry = item.entry
            table.add(
                [
                    String(entry.id), entry.failure.map { String($0.httpStatus) } ?? "",
                    entry.method, entry.url,
                ] + labels.map { $0.text(entry) ?? "" } + [entry.failure?.message ?? ""]
            )
        }
        return table
    }
}

extension QueueListing.Item {
    /// Everything that is known of the request, a line each.
    var lines: [String] {
        let facts = identity + labels + group + outcome
        return facts.compactMap { name, value in
            guard let value, !value.isEmpty else { return nil }
            return name + String(repeating: " ", count: 13 - name.count)
                + DisplayText.printableLines(value)
        }
    }

    private typealias Fact = (name: String, value: String?)

    private var identity: [Fact] {
        [
            ("request", "\(entry.id)  \(entry.method) \(entry.url)"),
            ("status", entry.status.rawValue), ("entity", link),
        ]
    }

    private var labels: [Fact] {
        OfflineODataRequestLabel.allCases.map { ($0.name, entry.labels[$0]) }
    }

    private var group: [Fact] {
        let flags = [
            entry.isRemovedAfterUpload ? "removed after upload" : nil,
            entry.isUnmodifiable ? "unmodifiable" : nil,
        ].compactMap(\.self)
        let headers = entry.customHeaders.fields.map { "\($0.name): \($0.value)" }
        return [
            ("category", entry.uploadCategory), ("transaction", entry.transactionID),
            ("waits for", entry.dependsOn.map(String.init).joined(separator: ", ")),
            ("settings", flags.joined(separator: ", ")), ("ETag", entry.etag),
            ("headers", headers.joined(separator: "; ")),
        ]
    }

    private var outcome: [Fact] {
        [
            ("first sent", entry.firstSent), ("body", entry.body),
            ("answer", entry.failure.map { "\($0.httpStatus) \($0.code.rawValue)" }),
            ("message", entry.failure?.message), ("inner error", entry.failure?.innerError),
        ]
    }
}
