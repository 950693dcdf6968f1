import ODataProtocol
import ODataTables
import OfflineStore

/// Settles requests that were sent and whose answer never came.
///
/// They are sent again where that is safe, else asked for at the service, else parked for a person to decide: never a silent
/// second POST.
struct LostAnswers {
    let store: LocalStore
    let client: ServiceClient
    let isRepeatable: Bool

    /// Settles every request that is marked as being sent; nothing else sends while this runs.
    func settle() async throws {
        let (entries, urls) = try await store.file.read { [store] connection in
            let entries = try RequestQueue(connection).entries([.sending])
            let plan = UploadPlan(connection, try store.schema(connection))
            return (entries, try entries.map { try plan.url(of: $0) })
        }
        for (entry, url) in zip(entries, urls) {
            let verdict = try await verdict(entry, url)
            try await store.file.write { [store] connection in
                let queue = RequestQueue(connection)
                switch verdict {
                case .notExecuted: try queue.set(.pending, of: entry.id)
                case .unknown: try queue.set(.unknownOutcome, of: entry.id)
                case .executed(let success):
                    let recorder = UploadRecorder(connection, try store.schema(connection))
                    try recorder.succeed(entry, success)
                }
            }
        }
    }

    private enum Verdict {
        case notExecuted
        case executed(UploadRecorder.Success)
        case unknown
    }

    private func verdict(_ entry: QueueEntry, _ url: String) async throws -> Verdict {
        // The service knows the id of the request and carries it out once; setting or removing a link twice is once.
        if isRepeatable || entry.url.contains("/$ref") { return .notExecuted }
        let probe = try await probe(entry, url)
        guard let target = probe else { return .unknown }
        let found = try await ServerEntity.read(entry, target, store, client)
        switch (entry.method, found) {
        case ("DELETE", .missing): return .executed(.init())
        case ("POST", .missing): return .notExecuted
        case (_, .missing): return .notExecuted
        case (_, .found(let body, let etag)):
            let now = etag ?? body.control[.etag]
            if entry.method != "POST", let now, now == entry.etag { return .notExecuted }
            if entry.method != "DELETE", try await isAsSent(entry, body) {
                return .executed(.init(representation: body, etag: now))
            }
            return .unknown
        }
    }

    /// Where the entity can be looked for; nil for a create whose key the service gives.
    private func probe(_ entry: QueueEntry, _ url: String) async throws -> String? {
        guard entry.method == "POST" else { return url }
        return try await store.file.read { [store] connection in
            let schema = try store.schema(connection)
            guard let row = entry.row,
                let source = entry.source.flatMap({ schema.source(named: $0) })
            else {
                return nil
            }
            let rows = RowEditor(connection, schema.layout)
            guard let table = schema.layout[source], try rows.key(of: row, in: table) != nil else {
                return nil
            }
            return try EntityLink(rows).link(RowReference(source: source, row: row))
        }
    }

    /// Whether every value that was sent is what the service has now.
    private func isAsSent(_ entry: QueueEntry, _ body: EntityBody) async throws -> Bool {
        let schema = try await store.schema()
        guard let text = entry.body,
            let source = entry.source.flatMap({ schema.source(named: $0) }),
            let plan = schema.plans.plan(for: source),
            let sent = try EntityBodyReader.read(Array(text.utf8), plan, schema)
        else { return false }
        return sent.values.allSatisfy { $0.value == body.value(of: $0.slot) }
    }
}
