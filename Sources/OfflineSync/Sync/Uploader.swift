package import ODataClient
package import OfflineValues
import StoreRecords
import StoreUpload
import ODataModel
import ODataHTTP
package import OfflineStore

/// Uploads the queue in rounds: each round sends what waits for nothing, as one batch where the service takes batches.
///
/// Until the first has succeeded one round at a time is at the service, then several (`passTogether`). Meanwhile the answers to the one before are written down and the one after is chosen, in
/// one transaction, so that the service waits for next to nothing:
///
///     service:  | round 1 |          | round 2 |             | round 3 | …
///     here:      choose 2   release 2  record 1, choose 3  release 3
///
/// A round that does not succeed as a whole is dealt with before anything else is sent.
package struct Uploader {
    package let store: LocalStore
    package let client: ServiceClient
    package let progress: ProgressReporter
    package let settings: UploadSettings
    package let recording: AnswerRecording

    package init(
        store: LocalStore,
        client: ServiceClient,
        progress: ProgressReporter,
        settings: UploadSettings,
        recording: AnswerRecording
    ) {
        self.store = store
        self.client = client
        self.progress = progress
        self.settings = settings
        self.recording = recording
    }

    /// Sends everything that can be sent, of the given categories or all, and once what has come meanwhile.
    ///
    /// Refused requests go to the error archive; only a lost connection or an answer that concerns all requests is an error.
    ///
    /// - Parameter interrupted: Receives what was done and what is left where the upload fails half-way.
    package func upload(
        categories: Set<String>? = nil,
        interrupted: @Sendable (OfflineODataUploadResult) -> Void = { _ in }
    ) async throws -> OfflineODataUploadResult {
        let start = client.settings.retry.clock()
        let sentBefore = client.requestCount
        var course = try await course(of: categories)
        func finish() async throws {
            try await countLeft(&course.result)
            course.result.requestCount = client.requestCount - sentBefore
            course.result.duration = client.settings.retry.clock() - start
        }
        do {
            try await pass(&course)
        } catch {
            // The error of the upload is the one to report.
            if (try? await finish()) != nil { interrupted(course.result) }
            throw error
        }
        progress.update { $0.step = .processingAnswers }
        try await finish()
        return course.result
    }

    /// Sends round after round until nothing can be sent any more.
    private func pass(_ course: inout Course) async throws {
        try await settleLost(&course)
        // What was parked for want of a key or of another request may have all that it needs by now.
        _ = try await settleIdentities(&course)
        course.newest = try await store.file.write { connection in
            try RequestQueue(connection).unpark()
            return try RequestQueue(connection).lastID()
        }
        let count = try await store.file.read { try RequestQueue($0).count(of: [.pending]) }
        progress.update {
            $0.step = .sendingRequests
            $0.requestCount = count
        }
        var next: UploadRound?
        while true {
            if next == nil { next = try await advance(&course, isHeldBack: false) }
            guard let round = next else {
                // The answers to this upload's creations may have left out what they made inline.
                if try await settleIdentities(&course) {
                    try await store.file.write { try RequestQueue($0).unpark() }
                } else if !course.extend(newest: try await newestRequest()) {
                    break
                }
                continue
            }
            if mayOverlap(round, in: course) {
                next = nil
                try await passTogether(round, in: &course)
            } else {
                next = try await pass(round, in: &course)
            }
        }
    }

    private func newestRequest() async throws -> Int64 {
        try await store.file.write { try RequestQueue($0).lastID() }
    }

    /// Counts what is still in the queue, so that it never seems empty where something waits.
    private func countLeft(_ result: inout OfflineODataUploadResult) async throws {
        let (unknown, parked, waiting) = try await store.file.read { connection in
            let queue = RequestQueue(connection)
            return try (
                queue.count(of: [.unknownOutcome]), queue.count(of: [.parked]),
                queue.count(of: [.pending, .sending])
            )
        }
        result.unknownCount = unknown
        result.parkedCount = parked
        result.waitingCount = waiting
    }

    private func settleIdentities(_ course: inout Course) async throws -> Bool {
        try await IdentityLookup(store: store, client: client)
            .settleAwaited(besides: &course.asked)
    }

    /// - Parameter answers: Those that have just come.
    private func settleLost(_ course: inout Course, answers: [UnitAnswer] = []) async throws {
        var lost = LostAnswers(
            store: store,
            client: client,
            settings: settings,
            recording: recording,
            budget: course.budget
        )
        lost.accepted = Set(
            answers.flatMap(\.outcomes).filter(\.isAccepted).map(\.request.entry.id)
        )
        try await lost.settle(&course.result)
    }

    func sender(_ course: Course) -> RoundSender {
        RoundSender(
            store: store,
            client: client,
            settings: course.settings,
            budget: course.budget
        )
    }

    // MARK: Rounds

    /// Writes down the answers that wait for it and chooses the next round; nil where nothing can be sent.
    func advance(_ course: inout Course, isHeldBack: Bool) async throws -> UploadRound? {
        var choice = course.choice(isHeldBack: isHeldBack)
        choice.renewed = recording.renewals.requests
        let chosen = try await recording.record(course.unrecorded, into: &course.result) {
            [choice] in try choice.next($0, schema: $1)
        }
        course.unrecorded = []
        recording.note(chosen.refused, into: &course.result)
        return chosen.round
    }

    /// Sends a round while the one after it is made ready; answers that one.
    private func pass(_ round: UploadRound, in course: inout Course) async throws -> UploadRound? {
        guard let round = try await freed(round, in: &course) else { return nil }
        let sender = sender(course)
        async let sending = sent(round, by: sender)
        // Where the file cannot be written now, nothing is lost: the next attempt does it, or says why it cannot be done.
        // Where one request goes by itself because it may have spoilt its batch, its answer decides how the next ones go.
        let isSure = course.isBatching || course.noBatch != nil
        let chosen = isSure ? try? await advance(&course, isHeldBack: true) : nil
        let ahead = chosen.map { (try? sender.prepared($0)) ?? $0 }
        let answers: [UnitAnswer]
        do {
            let sent = try await sending
            answers = sent.answers
            course.note(sent.answerTime, of: round)
        } catch let refusal as RoundRefusal {
            course.isSmooth = false
            try await giveBack([round, ahead])
            try await adapt(&course, to: refusal, round: round)
            return nil
        } catch {
            try await giveBack([error.isOfUnsentRequest ? round : nil, ahead])
            throw error
        }
        return try await finish(round, answers: answers, ahead: ahead, in: &course)
    }

    /// Sends a round; returns the answers, and how long they took.
    func sent(_ round: UploadRound, by sender: RoundSender) async throws
        -> (answers: [UnitAnswer], answerTime: Duration)
    {
        let start = client.settings.retry.clock()
        let answers = try await sender.send(round)
        return (answers, client.settings.retry.clock() - start)
    }

    /// Returns the round with all that it needs, free to leave; nil where none of it can.
    func freed(_ round: UploadRound, in course: inout Course) async throws -> UploadRound? {
        do {
            return try await released(round, in: &course)
        } catch {
            // Nothing of it has left.
            try await giveBack([round])
            throw error
        }
    }

    private func released(_ round: UploadRound, in course: inout Course) async throws
        -> UploadRound?
    {
        guard !Task.isCancelled else {
            try await withdraw(round, in: &course)
            throw CancellationError()
        }
        var round = round
        if round.hasStaleETag {
            do {
                round.units = try await staleETags.refresh(round.units, into: &course.result)
            } catch {
                // Nothing of the round has left.
                try await withdraw(round, in: &course)
                throw error
            }
        }
        try await release(round, in: course)
        return round.units.isEmpty ? nil : round
    }

    /// Writes down that the round may be at the service from now on, and the answers that have come so far.
    private func release(_ round: UploadRound, in course: Course) async throws {
        guard round.isHeldBack else { return }
        let items =
            settings.spoolsAnswers ? UploadSpool.Item.items(of: course.unrecorded) : []
        try await store.file.write { connection in
            try UnsentRound.release(connection)
            let spool = UploadSpool(connection)
            for item in items { try spool.put(item) }
        }
    }

    private var staleETags: StaleETags {
        StaleETags(store: store, client: client, recording: recording)
    }

    /// Writes down what is known and takes back what has not been sent.
    private func withdraw(_ round: UploadRound, in course: inout Course) async throws {
        try await recording.record(course.unrecorded, into: &course.result) { connection, _ in
            try round.giveBack(connection)
        }
        course.unrecorded = []
    }

    func giveBack(_ rounds: [UploadRound?]) async throws {
        let rounds = rounds.compactMap { $0 }
        guard !rounds.isEmpty else { return }
        try await store.file.write { connection in
            for round in rounds { try round.giveBack(connection) }
        }
    }

    /// Goes on in the way that the service takes, or ends the upload.
    func adapt(
        _ course: inout Course,
        to refusal: RoundRefusal,
        round: UploadRound
    ) async throws {
        switch refusal {
        case .formatNotTaken(let error, let serviceVersion):
            // Batches in JSON came with version 4.01, and whoever answers a lower one has none.
            let mayTakeJSON =
                client.maySpeak401
                && (client.version >= .v401 || client.version.isV4 && serviceVersion != "4.0")
            course.changeFormat(after: error, mayTakeJSON: mayTakeJSON)
        case .batchNotOffered(let error): course.changeFormat(after: error, mayTakeJSON: false)
        case .batchTooLarge(let error), .batchNotUnderstood(let error):
            // A change set takes effect as a whole or not at all: its members do not go one by one.
            guard round.units.count > 1 || round.requestIDs.count == 1 else {
                return try await refuse(round.units, failure: error.failure, in: &course)
            }
            course.shrinkBatches(below: round)
        case .whole(let error): throw error
        }
    }

    /// Puts units into the archive that the service, or what is between, has refused in every form that they can take.
    private func refuse(
        _ units: [OutgoingUnit],
        failure: QueueEntry.Failure,
        in course: inout Course
    ) async throws {
        let entries = units.flatMap { $0.requests.map(\.entry) }
        let failed = try await store.file.write { [store] connection in
            let recorder = UploadRecorder(connection, schema: try store.schema(connection))
            let queue = RequestQueue(connection)
            return try entries.filter { try queue.entry($0.id)?.status == .pending }
                .map { entry in
                    try recorder.fail(entry, failure: failure)
                    return OfflineODataFailedRequest(entry, failure: failure)
                }
        }
        recording.note(failed, into: &course.result)
    }

    // MARK: Answers

    /// Deals with the answers to a round; answers the round that may go next.
    func finish(
        _ round: UploadRound,
        answers: [UnitAnswer],
        ahead: UploadRound?,
        in course: inout Course
    ) async throws -> UploadRound? {
        let isKnown = answers.contains(where: \.isKnown)
        // One request that spoilt its batch has been sent by itself: the service does take batches.
        if course.hasBatched, isKnown, course.noBatch == nil { course.isBatching = true }
        if round.isBatch, isKnown {
            if !course.hasBatched, !course.refusedFormats.isEmpty {
                let isJSON = course.settings.batchFormat == .json
                try await store.file.write { try StoreState.setTakesJSONBatches(isJSON, on: $0) }
            }
            course.hasBatched = true
        }
        course.isSmooth = round.isBatch && answers.allSatisfy(\.isSettled)
        let count = answers.reduce(0) { $0 + $1.outcomes.count }
        progress.update { $0.answeredRequestCount += count }
        guard !answers.allSatisfy(\.isSuccess) else {
            course.unrecorded += answers
            course.budget.reset()
            return ahead
        }
        let stop = answers.lazy.compactMap(\.stop).first
        let hasLost = answers.contains { $0.outcomes.contains(where: \.isLost) }
        let renewalCount = recording.renewals.total
        try await recording.record(course.unrecorded + answers, into: &course.result)
        course.unrecorded = []
        // What is to be sent again with another ETag goes first: others may change the ETag again.
        let isHeld = stop != nil || hasLost || recording.renewals.total > renewalCount
        if isHeld { course.isSmooth = false }
        if isHeld { try await giveBack([ahead]) }
        // The service is reachable: the outcome of the remaining requests can be queried at once.
        if stop == nil, hasLost { try await settleLost(&course, answers: answers) }
        // A request that is sent again with another ETag is a new one; how often that may be is counted by itself.
        let isRenewed = recording.renewals.total > renewalCount
        let isSettled = try await hasMoved(round)
        let hasMoved = isRenewed || isSettled
        if hasMoved { course.budget.reset() }
        if let stop {
            guard stop.isTemporary,
                try await course.budget.waits(retryAfter: stop.retryAfter)
            else { throw stop.error }
        } else if !hasMoved {
            try await goOn(&course, after: round, answers: answers)
        }
        return isHeld ? nil : ahead
    }

    /// Whether anything of a round is settled: carried out, refused, parked, or left to a person.
    private func hasMoved(_ round: UploadRound) async throws -> Bool {
        try await store.file.read { connection in
            let queue = RequestQueue(connection)
            return try round.requestIDs.contains { id in
                guard let status = try queue.entry(id)?.status else { return true }
                return status != .pending && status != .sending
            }
        }
    }

    /// Goes on after a round that has come to nothing: in smaller pieces, then again after a while, at last without its requests.
    private func goOn(
        _ course: inout Course,
        after round: UploadRound,
        answers: [UnitAnswer]
    ) async throws {
        if round.isBatch, round.units.count > 1 || round.requestIDs.count == 1 {
            return course.shrinkBatches(below: round)
        }
        guard try await !course.budget.waits() else { return }
        let response = answers.flatMap(\.outcomes).lazy.compactMap(\.failure).first
        try await refuse(round.units, failure: .init(unanswered: response), in: &course)
        course.budget.reset()
    }
}

extension OfflineODataError {
    /// The error as the answer to a request.
    fileprivate var failure: QueueEntry.Failure {
        QueueEntry.Failure(httpStatus: httpStatus ?? 0, code: "", message: message)
    }
}

extension QueueEntry.Failure {
    /// For a request that was sent as often as the settings allow, and has not taken effect.
    fileprivate init(unanswered response: HTTPResponse?) {
        let reason =
            response.map { "answered \($0.status), without saying why" } ?? "gave no answer to it"
        self.init(
            httpStatus: response?.status ?? 0,
            code: "",
            message: "the service \(reason), and has not carried the request out",
            answer: response.map { String(decoding: $0.body.prefix(65_536), as: UTF8.self) }
        )
    }
}
