package import ODataClient
package import OfflineValues
import StoreRecords
import StoreUpload
import ODataHTTP
import ODataPayload
import ODataSQL
import ODataTables
package import OfflineStore

/// Settles requests that were sent and whose answer never came.
///
/// They are sent again where the service recognises them, else asked for at the service, else parked for a person to decide: never a
/// silent second POST.
package struct LostAnswers {
    package let store: LocalStore
    package let client: ServiceClient
    package let settings: UploadSettings
    package let recording: AnswerRecording
    /// The attempts of the operation that this is a part of.
    package let budget: RetryBudget
    /// Requests that the service has just accepted without a monitor: what it has not carried out yet, it may carry out later.
    var accepted: Set<Int64> = []

    package init(
        store: LocalStore,
        client: ServiceClient,
        settings: UploadSettings,
        recording: AnswerRecording,
        budget: RetryBudget,
        accepted: Set<Int64> = []
    ) {
        self.store = store
        self.client = client
        self.settings = settings
        self.recording = recording
        self.budget = budget
        self.accepted = accepted
    }

    /// Settles every request that is marked as being sent; nothing else sends while this runs.
    package func settle(_ result: inout OfflineODataUploadResult) async throws {
        try await store.file.write { connection in
            try UnsentRound.giveBack(connection)
            try RequestQueue(connection).lookAgain()
        }
        try await settleBackground()
        try await settleSpooled(&result)
        try await settleAccepted(&result)
        for unit in try await sentUnits() {
            client.log(.warning, "answer.lost", [("requests", .count(unit.requests.count))])
            if unit.requests.allSatisfy({ $0.entry.flags.contains(.identified) }) {
                try await sendAgain(unit, into: &result)
            } else {
                try await ask(about: unit, &result)
            }
        }
    }

    func sentUnits() async throws -> [OutgoingUnit] {
        try await store.file.write { [store] connection in
            try UploadPlan(connection, schema: store.schema(connection)).sentUnits()
        }
    }

    var batches: BatchSender {
        BatchSender(store: store, client: client, settings: settings, budget: budget)
    }

    // MARK: Sending again

    /// The service knows the unit by its id and carries it out once (Repeatable Requests 1.0 § 4).
    ///
    /// Where its answers do not say what became of it, a person decides; the identity stays.
    private func sendAgain(_ unit: OutgoingUnit, into result: inout OfflineODataUploadResult)
        async throws
    {
        while true {
            let answer = try await repeated(unit)
            if let stop = answer.stop {
                guard stop.isTemporary, try await budget.waits(retryAfter: stop.retryAfter) else {
                    throw stop.error
                }
                continue
            }
            let isLost = answer.outcomes.contains { $0.isLost && !$0.isUnrecognised }
            if isLost, try await budget.waits() { continue }
            try await recording.record([answer], into: &result)
            let lost = answer.outcomes.filter(\.isLost).map(\.request.entry.id)
            return try await store.file.write { connection in
                for id in lost { try RequestQueue(connection).leaveUnknown(id) }
            }
        }
    }

    /// Sends a unit as what it was.
    private func repeated(_ unit: OutgoingUnit) async throws -> UnitAnswer {
        let single = SingleSender(
            store: store,
            client: client,
            settings: settings,
            budget: budget
        )
        let isInBatch = unit.requests.allSatisfy { $0.entry.flags.contains(.inBatch) }
        guard isInBatch else { return try await single.send(unit, isRepetition: true) }
        do {
            let body = try batches.encoded([unit])
            return try await batches.send([unit], as: body, isRepetition: true)[0]
        } catch let refusal as RoundRefusal {
            guard refusal.concernsBatch else { throw refusal.error }
            // The batch was refused unseen; the request itself may be known all the same.
            guard unit.requests.count == 1 else {
                return refusal.saysThatBatchesAreUnknown
                    ? UnitAnswer(unprocessed: unit) : UnitAnswer(unrecognised: unit)
            }
            return try await single.send(unit, isRepetition: true)
        }
    }

    // MARK: Asking

    private enum Verdict {
        case notExecuted
        /// Not carried out, and the ETag of what it changes is this one now.
        case notExecutedUnder(etag: String?)
        case executed(UploadRecorder.Success)
        /// Carried out, as the entity shows.
        case shown(EntityBody, etag: String?)
        case unknown(server: (body: EntityBody, etag: String?)?)
        /// The service failed to show it: the next upload looks again.
        case unseen
        /// The service has another version than the one that was changed and the one that was sent.
        case conflict(server: (body: EntityBody, etag: String?))
        case streamConflict(ServerStream.Found)

        var isUnknown: Bool {
            switch self {
            case .unknown, .unseen: true
            default: false
            }
        }

        var isConflict: Bool {
            switch self {
            case .conflict, .streamConflict: true
            default: false
            }
        }

        var isExecuted: Bool {
            switch self {
            case .executed, .shown: true
            default: false
            }
        }

        /// Takes back what was concluded of one request where it is not known of all of its change set.
        ///
        /// - Parameter isUnseen: Whether another look may show what became of the change set.
        mutating func leaveOpen(isUnseen: Bool) {
            switch self {
            case .notExecuted where isUnseen, .notExecutedUnder where isUnseen,
                .streamConflict where isUnseen, .conflict where isUnseen:
                self = .unseen
            case .notExecuted, .notExecutedUnder, .streamConflict: self = .unknown(server: nil)
            case .conflict(let server): self = .unknown(server: server)
            case .executed, .shown, .unknown, .unseen: break
            }
        }
    }

    /// Asks for what became of each request; what is not known of one is not known of its change set.
    private func ask(about unit: OutgoingUnit, _ result: inout OfflineODataUploadResult)
        async throws
    {
        var verdicts: [Verdict] = []
        for request in unit.requests {
            verdicts.append(try await verdict(request))
        }
        if verdicts.contains(where: \.isUnknown) {
            let isUnseen = verdicts.contains { if case .unseen = $0 { true } else { false } }
            for index in verdicts.indices { verdicts[index].leaveOpen(isUnseen: isUnseen) }
        }
        let isConflict = verdicts.contains(where: \.isConflict)
        var refused: [Outcome] = []
        for (request, verdict) in zip(unit.requests, verdicts) {
            if isConflict, !verdict.isExecuted {
                refused.append(Self.refusal(of: request, verdict))
            } else {
                try await settle(request.entry, verdict: verdict)
            }
            if verdict.isExecuted { result.succeededCount += 1 }
        }
        guard !refused.isEmpty else { return }
        try await recording.record([UnitAnswer(refused, answers: [])], into: &result)
    }

    /// What became of a request that meets another version, or that is in one change set with such a request and waits for it.
    private static func refusal(of request: OutgoingRequest, _ verdict: Verdict) -> Outcome {
        var outcome = Outcome(
            request,
            kind: .refused(HTTPResponse(status: 412, body: conflictBody))
        )
        switch verdict {
        case .conflict(let server):
            (outcome.server, outcome.note) = (
                server, ConflictReading.wayOut(of: outcome.request.entry)
            )
        case .streamConflict(let found):
            (outcome.serverStream, outcome.note) = (found, ConflictReading.streamWayOut)
        default: outcome.kind = .notProcessed(isForgotten: true)
        }
        return outcome
    }

    private static let conflictBody = Array(
        #"{"error":{"code":"","message":"the answer was lost, and the service has another version now"}}"#
            .utf8
    )

    private func settle(_ entry: QueueEntry, verdict: Verdict) async throws {
        try await store.file.write { [store, settings] connection in
            let queue = RequestQueue(connection)
            let recorder = UploadRecorder(
                connection,
                schema: try store.schema(connection),
                appliesResponses: settings.appliesResponses
            )
            switch verdict {
            case .notExecuted: try queue.sendAgain(entry.id)
            case .notExecutedUnder(let etag):
                try recorder.takeRenewedETag(etag, for: entry)
                try queue.sendAgain(entry.id)
            case .executed(let success): try recorder.succeed(entry, success: success)
            case .shown(let body, let etag):
                try recorder.succeed(entry, shownBy: body, etag: etag)
            case .unseen: try queue.leaveUnseen(entry.id)
            case .unknown(let server):
                try queue.leaveUnknown(entry.id)
                if let server {
                    try recorder.keepServerCopy(server.body, etag: server.etag, for: entry)
                }
            // Recorded as refused.
            case .conflict, .streamConflict: break
            }
        }
    }

    private func verdict(_ request: OutgoingRequest) async throws -> Verdict {
        let (entry, url) = (request.entry, request.url)
        if entry.isLinkChange { return try await linkVerdict(request) }
        // A media entity that is created twice exists twice.
        if entry.isOnStream {
            return entry.method == "POST"
                ? .unknown(server: nil) : try await streamVerdict(entry, url: url)
        }
        guard
            let target = try await ServerEntity.url(
                of: entry,
                sentTo: url,
                in: store,
                through: client
            )
        else {
            return .unknown(server: nil)
        }
        let found: ServerEntity.Found
        switch try await look(entry, url: target) {
        case .shown(let shown): found = shown
        case .refused: return .unknown(server: nil)
        case .failed: return .unseen
        }
        switch (entry.method, found) {
        case ("DELETE", .missing): return .executed(.init())
        // It is still there: deleting it again is deleting it once, if its ETag guards later versions, or there are none.
        case ("DELETE", .found(let body, let etag)):
            let isGuarded = entry.etag.map { !$0.isEmpty } ?? false
            if isGuarded { return .notExecuted }
            if try await isBase(entry, body: body) { return .notExecuted }
            return .conflict(server: (body, etag ?? body.control[.etag]))
        case ("POST", .missing):
            guard !accepted.contains(entry.id) else { return .unknown(server: nil) }
            if try await keepsKeys(entry) { return .notExecuted }
            return try await isNowhere(entry) ? .notExecuted : .unknown(server: nil)
        case (_, .missing): return .notExecuted
        case (_, .found(let body, let etag)):
            let now = etag ?? body.control[.etag]
            let isUpdate = entry.method != "POST"
            if isUpdate, EntityTag.areSame(now, entry.etag) { return .notExecuted }
            if try await isAsSent(entry, body: body) {
                return .shown(body, etag: now)
            }
            if isUpdate, try await isBoundAsSent(request, body: body, url: target) {
                return .shown(body, etag: now)
            }
            if isUpdate, try await isBase(entry, body: body) { return .notExecuted }
            // Without ETags the last write wins, but not over what was just seen.
            if isUpdate, now == nil, try await leavesAlone(entry, body: body) {
                return .notExecuted
            }
            // Carried out or not, the service has other values now: whose stay is decided as for any other change.
            return isUpdate ? .conflict(server: (body, now)) : .unknown(server: (body, now))
        }
    }

    /// Setting or removing a link is idempotent, but a service may refuse to add an existing one.
    private func linkVerdict(_ request: OutgoingRequest) async throws -> Verdict {
        let look = LinkLook(store: store, client: client, budget: budget)
        return try await look.isThere(request) ? .executed(.init()) : .notExecuted
    }

    /// The service has the content that was sent, the one before it, or that of another client.
    private func streamVerdict(_ entry: QueueEntry, url: String) async throws -> Verdict {
        let found: ServerStream.Found
        do {
            found = try await ServerStream(store: store, client: client).read(entry, sentTo: url)
        } catch let error as OfflineODataError {
            // A service that is busy or not there says nothing.
            guard error.category != .communication else { throw error }
            // One that does not let the stream be read says by its ETag what became of it.
            return .notExecuted
        }
        switch (entry.method, found) {
        case ("DELETE", .missing): return .executed(.init())
        case ("DELETE", _): return try await discarding(found, verdict: .notExecuted)
        case (_, .missing): return .notExecuted
        case (_, .known(.asSent, let etag)): return .executed(.init(etag: etag))
        case (_, .known(_, let etag)): return .notExecutedUnder(etag: etag ?? entry.etag)
        // Without an ETag the last write wins, whoever's it is.
        case (_, .other) where entry.etag == nil:
            return try await discarding(found, verdict: .notExecuted)
        case (_, .other): return .streamConflict(found)
        }
    }

    private func discarding(_ found: ServerStream.Found, verdict: Verdict) async throws -> Verdict {
        if case .other(let content, _) = found { try await store.discard(content: content) }
        return verdict
    }

    /// What a look at the service brings.
    private enum Look {
        case shown(ServerEntity.Found)
        /// The service does not take such requests.
        case refused
        /// The service failed, or something else answered in its place, which another look may not meet: a page to log on, for example.
        case failed
    }

    /// Looks for the entity of a request.
    ///
    /// - Throws: where the service cannot be asked now.
    private func look(_ entry: QueueEntry, url: String) async throws -> Look {
        var hasFailed = false
        let found = try await ServerEntity.ifAnswered {
            do {
                return try await budget.asking {
                    try await ServerEntity.read(
                        entry,
                        url: url,
                        in: store,
                        through: client,
                        budget: budget
                    )
                }
            } catch {
                let status = (error as? OfflineODataError)?.httpStatus
                hasFailed = ![400, 405, 406].contains(status)
                throw error
            }
        }
        return found.map(Look.shown) ?? (hasFailed ? .failed : .refused)
    }

    /// Whether the service shows that a creation was not carried out, under whatever key.
    private func isNowhere(_ entry: QueueEntry) async throws -> Bool {
        guard let name = entry.source, entry.url == name,
            let source = try await store.schema().source(named: name)
        else { return false }
        return try await ShownKeys(store: store, client: client, budget: budget)
            .areAllKnown(source)
    }

    /// Whether the service is known to keep the key that a creation has sent: else the entity may be there under another one.
    private func keepsKeys(_ entry: QueueEntry) async throws -> Bool {
        try await store.file.read { [store] connection in
            let schema = try store.schema(connection)
            guard let source = schema.source(of: entry),
                let table = schema.layout[source]
            else { return false }
            return try KeptKeys(connection).areKept(in: table)
        }
    }

    /// Whether the properties that an update writes are unchanged at the service.
    private func leavesAlone(_ entry: QueueEntry, body: EntityBody) async throws -> Bool {
        try await store.file.read { [store] connection in
            try UploadRecorder(connection, schema: store.schema(connection)).isBaseWritten(
                by: entry,
                body
            )
        }
    }

    /// Whether an update that sends references has been carried out: the service has its values, and shows all its relations.
    private func isBoundAsSent(_ request: OutgoingRequest, body: EntityBody, url: String)
        async throws -> Bool
    {
        let hasValues = try await store.file.read { [store] connection in
            try UploadRecorder(connection, schema: store.schema(connection))
                .isAsSentBesidesBindings(body, of: request.entry)
        }
        guard hasValues else { return false }
        return try await LinkLook(store: store, client: client, budget: budget)
            .areBound(request, at: url)
    }

    private func isBase(_ entry: QueueEntry, body: EntityBody) async throws -> Bool {
        try await store.file.read { [store] connection in
            try UploadRecorder(connection, schema: store.schema(connection)).isBase(body, of: entry)
        }
    }

    /// Whether every value that was sent is what the service has now.
    private func isAsSent(_ entry: QueueEntry, body: EntityBody) async throws -> Bool {
        try await store.file.read { [store] connection in
            try UploadRecorder(connection, schema: store.schema(connection)).isAsSent(
                body,
                of: entry
            )
        }
    }
}
