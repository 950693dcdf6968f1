@testable import StoreRecords
@testable import StoreDownload
@testable import StoreUpgrade
@testable import StoreUpload
import ODataSQL
import ODataPayload
import ODataHTTP
import ODataAnswers
import ODataTables
import TestSupport
import Testing

@testable import OfflineStore

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// A store driven at its seams, without HTTP: pages go into the merge, requests come out of the plan, answers go into the recorder.
final class SeamStore {
    let store: LocalStore
    private let folder: URL
    private let isOld: Bool
    private var stamp: Int64 = 1

    init(isOld: Bool = false) throws {
        self.isOld = isOld
        folder = FileManager.default.temporaryDirectory.appending(
            path: "offline-odata-\(UUID().uuidString)"
        )
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        store = try LocalStore(path: folder.appending(path: "store").path(), isCreating: true)
        let document = isOld ? SeamModel.oldDocument : SeamModel.document
        try store.file.writeBlocking { connection in
            try SchemaUpgrade(connection).run(document)
            try StoreState.setServiceRoot("http://service/", on: connection)
        }
    }

    deinit { try? FileManager.default.removeItem(at: folder) }

    // MARK: Download

    func addQuery(_ name: String, url: String) throws {
        try store.file.writeBlocking {
            try DefiningQueries($0).add(name: name, url: url, retrievesStreams: false)
        }
    }

    func removeQuery(_ name: String) throws {
        try store.file.writeBlocking { [store] connection in
            try DefiningQueries(connection).remove(name, schema: store.schema(connection))
        }
    }

    /// Name of the queries that bring nothing, and nothing new.
    private static let idle = "idle"

    /// Adds as many queries as have a bit of their own: those of the script are kept in `$member` then.
    func fillQueries() throws {
        try store.file.writeBlocking { connection in
            for number in 0..<DefiningQueries.maximumCount {
                try DefiningQueries(connection).add(
                    name: "\(Self.idle)\(number)",
                    url: "Tags?$filter=Name eq 'idle\(number)'",
                    retrievesStreams: false
                )
            }
        }
    }

    /// The answers to the queries that have nothing new.
    private func idleAnswers() throws -> [DownloadWork.Loaded] {
        try store.file.readBlocking { try DefiningQueries($0).all() }
            .filter { $0.name.hasPrefix(Self.idle) }
            .map {
                DownloadWork.Loaded(
                    task: DownloadWork.Task(query: $0, direct: nil, isDelta: false),
                    deltaLink: nil,
                    isUnchanged: true
                )
            }
    }

    /// A page as the service's version writes it.
    func page(_ query: String, isDelta: Bool, _ entities: String) -> SeamPage {
        let list = entities.replacing("} {", with: "},{")
        let link = "d"
        guard !isOld else {
            let text = "{\"d\":{\"results\":[\(list)],\"__delta\":\"\(link)\"}}"
            return SeamPage(query: query, isDelta: isDelta, text: text)
        }
        let context =
            isDelta ? "\"@odata.context\":\"http://service/$metadata#\(query)/$delta\"," : ""
        let text = "{\(context)\"value\":[\(list)],\"@odata.deltaLink\":\"\(link)\"}"
        return SeamPage(query: query, isDelta: isDelta, text: text)
    }

    /// Merges one page per query, as one download does.
    ///
    /// Returns which queries were refused, and what is remarked.
    @discardableResult
    func merge(_ pages: [SeamPage]) async throws -> [String] {
        stamp += 1
        let schema = try await store.schema()
        let staging = try StagingFile(besides: store.file.path, encryption: nil)
        var loaded = try idleAnswers()
        for page in pages {
            let query = try query(page.query)
            let load = try PageLoad(
                query,
                schema: schema,
                into: .staging(staging),
                stamp: stamp,
                isDelta: page.isDelta,
                root: "http://service/"
            )
            // What comes in pieces is the same.
            let bytes = Array(page.text.utf8)
            let middle = bytes.count / 2
            let info = try await load.finishPage([
                Array(bytes[..<middle]), Array(bytes[middle...]),
            ])
            try await load.finish()
            var done = DownloadWork.Loaded(
                task: DownloadWork.Task(query: query, direct: nil, isDelta: page.isDelta),
                deltaLink: info.deltaLink
            )
            done.isIncomplete = page.isIncomplete
            loaded.append(done)
        }
        let merged = try await DownloadWork(store).merge(loaded, staging: staging, stamp: stamp)
        let refused = merged.refused.sorted { $0.key < $1.key }.map { "refused \($0): \($1)" }
        let remarks = merged.results.sorted { $0.key < $1.key }.flatMap(\.value.remarks)
        return refused + remarks.map { "remark: \($0)" }
    }

    private func query(_ name: String) throws -> DefiningQuery {
        let all = try store.file.readBlocking { try DefiningQueries($0).all() }
        return try #require(all.first { $0.name == name }, "no defining query \(name)")
    }

    // MARK: Local changes

    func respond(
        _ method: String,
        _ url: String,
        body: String?,
        _ options: ChangeOptions,
        condition: String? = nil,
        isInsertOnly: Bool = false
    ) async -> HTTPResponse {
        var request = HTTPRequest(method: method, url: "http://service/" + url)
        let isObject = body?.hasPrefix("{") ?? true
        request.headers["Content-Type"] = isObject ? "application/json" : "text/plain"
        request.headers["If-Match"] = condition
        if isInsertOnly { request.headers["If-None-Match"] = "*" }
        if let body { request.body = Array(body.utf8) }
        var service = ServiceOptions()
        service.serviceRoot = "http://service/"
        service.demandsPreconditions = false
        service.showsOriginalETags = true
        return await ODataServiceHandler(
            store: SeamEntityStore(store: store, options: options),
            options: service
        ).respond(to: request)
    }

    // MARK: Upload

    /// Chooses the next units and marks them as being sent; transactions that wait for each other are made one.
    func send(_ categories: Set<String>?) throws -> (
        units: [OutgoingUnit], refused: [(members: [QueueEntry], obstacle: AtomicityObstacle)]
    ) {
        try store.file.writeBlocking { [store] connection in
            let schema = try store.schema(connection)
            try RequestQueue(connection).unpark()
            let plan = try UploadPlan(connection, schema: schema)
            var units = try plan.nextUnits(limit: 100, categories: categories)
            let crossing = CrossingTransactions(connection, schema: schema)
            let settled = units.isEmpty ? try crossing.settle(categories: categories) : nil
            if settled?.hasMerged == true {
                units = try plan.nextUnits(limit: 100, categories: categories)
            }
            for unit in units {
                _ = try RequestQueue(connection).markSending(
                    unit.requests.map(\.entry),
                    as: [],
                    now: "2026-01-01T00:00:00Z"
                )
            }
            return (units, settled?.refused ?? [])
        }
    }

    /// Records an answer: 2xx is a success, everything else a refusal.
    func record(_ id: Int64, status: Int, etag: String?, entityID: String?, body: String?) throws {
        try store.file.writeBlocking { [store] connection in
            let schema = try store.schema(connection)
            let entry = try #require(try RequestQueue(connection).entry(id))
            let recorder = UploadRecorder(connection, schema: schema)
            guard 200..<300 ~= status else {
                return try recorder.fail(
                    entry,
                    failure: QueueEntry.Failure(httpStatus: status, code: "", message: "refused")
                )
            }
            var success = UploadRecorder.Success()
            success.etag = etag
            success.entityID = entityID
            success.representation = try body.flatMap { text in
                let source = entry.source.flatMap { schema.source(named: $0) }
                let plan = source.flatMap { schema.plans.plan(for: $0) }
                return try plan.flatMap {
                    try EntityBodyReader.read(Array(text.utf8), plan: $0, in: schema)
                }
            }
            try recorder.succeed(entry, success: success)
        }
    }

    func markGone(_ id: Int64) throws {
        try answered(id) { recorder, entry, _ in try recorder.markGone(entry) }
    }

    /// Notes the service's version of the entity of a request.
    func keepServerCopy(_ body: String, etag: String?, for id: Int64) throws {
        try answered(id) { recorder, entry, schema in
            let source = try #require(entry.source.flatMap { schema.source(named: $0) })
            let plan = try #require(schema.plans.plan(for: source))
            let read = try EntityBodyReader.read(Array(body.utf8), plan: plan, in: schema)
            try recorder.keepServerCopy(#require(read), etag: etag, for: entry)
        }
    }

    /// Notes the service's content of the stream of a request.
    func keepServerStream(_ text: String, etag: String?, for id: Int64) throws {
        let content = StreamContent.bytes(Array(text.utf8), contentType: "text/plain")
        try answered(id) { recorder, entry, _ in
            let stored = try StreamTable(recorder.connection).content(content)
            try recorder.keepServerStream(stored, etag: etag, for: entry)
        }
    }

    private func answered(
        _ id: Int64,
        _ work: (UploadRecorder, QueueEntry, TableSchema) throws -> Void
    ) throws {
        try store.file.writeBlocking { [store] connection in
            let schema = try store.schema(connection)
            let entry = try #require(try RequestQueue(connection).entry(id))
            try work(UploadRecorder(connection, schema: schema), entry, schema)
        }
    }

    /// The units whose sending was begun and not answered, as they are sent again.
    func sentUnits() throws -> [OutgoingUnit] {
        try store.file.writeBlocking { [store] connection in
            try UploadPlan(connection, schema: store.schema(connection)).sentUnits()
        }
    }

    /// Writes down that requests are marked as being sent, and have not left.
    func hold(_ requests: [Int64]) throws {
        try store.file.writeBlocking { try UnsentRound.hold(requests, on: $0) }
    }

    func giveBack() throws {
        try store.file.writeBlocking { try UnsentRound.giveBack($0) }
    }

    /// How what the service has stands to a request.
    func standing(of body: String, for id: Int64) throws -> ServerStanding {
        try store.file.writeBlocking { [store] connection in
            let schema = try store.schema(connection)
            let entry = try #require(try RequestQueue(connection).entry(id))
            let source = try #require(entry.source.flatMap { schema.source(named: $0) })
            let plan = try #require(schema.plans.plan(for: source))
            let read = try EntityBodyReader.read(Array(body.utf8), plan: plan, in: schema)
            return try UploadRecorder(connection, schema: schema).standing(
                of: #require(read),
                for: entry
            )
        }
    }

    /// Rows that a full read did not bring, and of which the service has still to be asked.
    func absent() throws -> [AbsentRows.Absent] {
        try store.file.readBlocking { [store] connection in
            try AbsentRows(connection, schema: store.schema(connection)).all(
                root: "http://service/"
            )
        }
    }

    /// Takes the service's answer to a read of such a row; without body there is none.
    func settleAbsent(_ url: String, _ body: String?, etag: String?) throws {
        try store.file.writeBlocking { [store] connection in
            let schema = try store.schema(connection)
            let rows = AbsentRows(connection, schema: schema)
            let row = try #require(rows.all(root: "http://service/").first { $0.url == url }?.row)
            guard let body else {
                try rows.confirm(row)
                return
            }
            let plan = try #require(schema.plans.plan(for: row.source))
            let read = try EntityBodyReader.read(Array(body.utf8), plan: plan, in: schema)
            try rows.restore(row, body: #require(read), etag: etag)
        }
    }

    func markAsDone(_ url: String) throws -> [Int64] {
        try store.file.writeBlocking { [store] connection in
            try QueueEditor(connection, schema: store.schema(connection)).markAsDone(url)
        }
    }

    func conflict(_ url: String) throws -> StoreConflict {
        try store.file.readBlocking { [store] connection in
            try StoreConflict(url, on: connection, schema: store.schema(connection))
        }
    }

    func conflicts() throws -> [ConflictedEntity] {
        try store.file.readBlocking { [store] connection in
            try ConflictedEntity.all(connection, schema: store.schema(connection))
        }
    }

    /// Writes down where a request stands.
    func set(_ status: QueueEntry.Status, of id: Int64) throws {
        try store.file.writeBlocking { try RequestQueue($0).set(status, of: id) }
    }

    /// What the next download asks for.
    func tasks() async throws -> [String] {
        try await DownloadWork(store).tasks().filter { !$0.query.name.hasPrefix(Self.idle) }.map {
            "\($0.query.name) \($0.isDelta ? "delta" : "full")"
        }
    }

    /// Runs work of the queue's editor.
    func edit(_ work: (QueueEditor) throws -> Void) throws {
        try store.file.writeBlocking { [store] connection in
            try work(QueueEditor(connection, schema: store.schema(connection)))
        }
    }

    func entries() throws -> [QueueEntry] {
        try store.file.readBlocking {
            try RequestQueue($0)
                .entries([.pending, .sending, .failed, .parked, .unknownOutcome])
        }
    }

    /// What does not hold between two events.
    func violations() throws -> [String] {
        try store.file.readBlocking { [store] connection in
            try SeamInvariants(connection, store.schema(connection)).violations()
        }
    }

    /// The events with the contents of streams that they keep.
    func events() throws -> [String] {
        try store.file.readBlocking { connection in
            try EventLog(connection).events().map { event in
                let head = try EventStreams(connection).head(ofEvent: event.id)
                let kept = try head.map {
                    try StreamTable(connection).bytes(0..<$0.byteCount, of: $0.content)
                }
                let text = kept.map { ": " + String(decoding: $0, as: UTF8.self) } ?? ""
                let details = (event.details ?? "").replacing("\n", with: "; ")
                return "\(event.type): \(details)\(text)"
            }
        }
    }
}

/// The store with options for the changes that are made through it.
private struct SeamEntityStore: EntityStore {
    let store: LocalStore
    let options: ChangeOptions

    func schema() async throws -> TableSchema { try await store.schema() }

    func read<R: Sendable>(
        _ body: @escaping @Sendable (TableQuery, TableSchema) throws -> R
    ) async throws -> R {
        try await store.read(body)
    }

    func write<R: Sendable>(
        _ body: @escaping @Sendable (any EntityWriting) throws -> R
    ) async throws -> R {
        try await store.change(options) { try body($0) }
    }
}
