import ODataModel
import ODataProtocol
import ODataTables
import OfflineStore

/// Settles requests that were sent and whose answer never came.
///
/// They are sent again where the service recognises them, else asked for at the service, else parked for a person to decide: never a
/// silent second POST.
struct LostAnswers {
    let store: LocalStore
    let client: ServiceClient
    let settings: UploadSettings
    let recording: AnswerRecording

    /// Settles every request that is marked as being sent; nothing else sends while this runs.
    func settle(_ result: inout OfflineODataUploadResult) async throws {
        let units = try await store.file.write { [store] connection in
            try UnsentRound.giveBack(connection)
            return try UploadPlan(connection, try store.schema(connection)).sentUnits()
        }
        for unit in units {
            if settings.isRepeatable {
                try await sendAgain(unit, &result)
            } else {
                for request in unit.requests { try await settle(request, &result) }
            }
        }
    }

    // MARK: Sending again

    /// The service knows the unit by its id and carries it out once (Repeatable Requests 1.0 § 4).
    private func sendAgain(_ unit: OutgoingUnit, _ result: inout OfflineODataUploadResult)
        async throws
    {
        let answers: [UnitAnswer]
        do {
            answers = try await repeated(unit)
        } catch RoundRefusal.batchNotOffered, RoundRefusal.batchTooLarge,
            RoundRefusal.batchNotUnderstood where unit.requests.count == 1
        {
            answers = [
                try await SingleSender(store: store, client: client, settings: settings)
                    .send(unit, isRepetition: true)
            ]
        } catch RoundRefusal.whole(let error), RoundRefusal.batchNotUnderstood(let error) {
            throw error
        }
        let lost = answers.flatMap(\.outcomes).filter(\.isLost).map(\.request.entry.id)
        if let stop = answers.lazy.compactMap(\.stop).first { throw stop.error }
        try await recording.record(answers, &result)
        try await store.file.write { connection in
            for id in lost { try RequestQueue(connection).set(.unknownOutcome, of: id) }
        }
    }

    private func repeated(_ unit: OutgoingUnit) async throws -> [UnitAnswer] {
        guard !unit.hasStream else { throw RoundRefusal.batchNotOffered }
        let sender = BatchSender(client: client, settings: settings)
        return try await sender.send([unit], as: sender.encoded([unit]), isRepetition: true)
    }

    // MARK: Asking

    private enum Verdict {
        case notExecuted
        /// Not carried out, and the ETag of what it changes is this one now.
        case notExecutedUnder(etag: String?)
        case executed(UploadRecorder.Success)
        case unknown(server: (body: EntityBody, etag: String?)?)
        case unknownStream(ServerStream.Found)
    }

    private func settle(_ request: OutgoingRequest, _ result: inout OfflineODataUploadResult)
        async throws
    {
        let entry = request.entry
        let verdict = try await verdict(entry, request.url)
        try await store.file.write { [store, settings] connection in
            let queue = RequestQueue(connection)
            let recorder = UploadRecorder(
                connection,
                try store.schema(connection),
                appliesResponses: settings.appliesResponses
            )
            switch verdict {
            case .notExecuted: try queue.setPending(entry.id, isForgotten: false)
            case .notExecutedUnder(let etag):
                try recorder.takeRenewedETag(etag, for: entry)
                try queue.setPending(entry.id, isForgotten: false)
            case .executed(let success): try recorder.succeed(entry, success)
            case .unknown(let server):
                try queue.set(.unknownOutcome, of: entry.id)
                if let server {
                    try recorder.keepServerCopy(server.body, etag: server.etag, for: entry)
                }
            case .unknownStream(let found):
                try queue.set(.unknownOutcome, of: entry.id)
                if case .other(let content, let etag) = found {
                    try recorder.keepServerStream(content, etag: etag, for: entry)
                }
            }
        }
        if case .executed = verdict { result.succeededCount += 1 }
    }

    private func verdict(_ entry: QueueEntry, _ url: String) async throws -> Verdict {
        // Setting or removing a link twice is once.
        if entry.url.contains("/$ref") { return .notExecuted }
        // A media entity that is created twice is there twice.
        if entry.isOnStream {
            return entry.method == "POST"
                ? .unknown(server: nil) : try await streamVerdict(entry, url)
        }
        guard let target = try await ServerEntity.url(of: entry, sentTo: url, store, client) else {
            return .unknown(server: nil)
        }
        let found = try await ServerEntity.read(entry, target, store, client)
        switch (entry.method, found) {
        case ("DELETE", .missing): return .executed(.init())
        // It is still there: deleting it again is deleting it once, and its ETag guards what came after.
        case ("DELETE", .found): return .notExecuted
        case (_, .missing): return .notExecuted
        case (_, .found(let body, let etag)):
            let now = etag ?? body.control[.etag]
            let isUpdate = entry.method != "POST"
            if isUpdate, let now, now == entry.etag { return .notExecuted }
            if try await isAsSent(entry, body) {
                return .executed(.init(representation: body, etag: now))
            }
            // Without ETags the last write wins, whoever's it is: sending the same values again changes nothing else.
            if isUpdate, now == nil { return .notExecuted }
            if isUpdate, try await isBase(entry, body) { return .notExecuted }
            return .unknown(server: (body, now))
        }
    }

    /// The service has the content that was sent, the one before it, or somebody else's.
    private func streamVerdict(_ entry: QueueEntry, _ url: String) async throws -> Verdict {
        let found: ServerStream.Found
        do {
            found = try await ServerStream(store: store, client: client).read(entry, sentTo: url)
        } catch is OfflineODataError {
            // A service that does not let the stream be read says by its ETag what became of it.
            return .notExecuted
        }
        switch (entry.method, found) {
        case ("DELETE", .missing): return .executed(.init())
        case ("DELETE", _): return try await discarding(found, .notExecuted)
        case (_, .missing): return .notExecuted
        case (_, .known(.asSent, let etag)): return .executed(.init(etag: etag))
        case (_, .known(_, let etag)): return .notExecutedUnder(etag: etag ?? entry.etag)
        // Without an ETag the last write wins, whoever's it is.
        case (_, .other) where entry.etag == nil:
            return try await discarding(found, .notExecuted)
        case (_, .other): return .unknownStream(found)
        }
    }

    private func discarding(_ found: ServerStream.Found, _ verdict: Verdict) async throws -> Verdict
    {
        if case .other(let content, _) = found { try await store.discard(content: content) }
        return verdict
    }

    private func isBase(_ entry: QueueEntry, _ body: EntityBody) async throws -> Bool {
        try await store.file.read { [store] connection in
            try UploadRecorder(connection, store.schema(connection)).isBase(body, of: entry)
        }
    }

    /// Whether every value that was sent is what the service has now.
    private func isAsSent(_ entry: QueueEntry, _ body: EntityBody) async throws -> Bool {
        try await store.file.read { [store] connection in
            try UploadRecorder(connection, store.schema(connection)).isAsSent(body, of: entry)
        }
    }
}
