import ODataModel
import ODataProtocol
import ODataTables
import OfflineStore

/// Uploads the queue in rounds: each round sends what waits for nothing, as one batch where the service takes batches.
///
/// One round at a time is at the service. Meanwhile the answers to the one before are written down and the one after is chosen, in
/// one transaction, so that the service waits for next to nothing:
///
///     service:  | round 1 |          | round 2 |             | round 3 | …
///     here:      choose 2   release 2  record 1, choose 3  release 3
///
/// A round that does not succeed as a whole is dealt with before anything else is sent.
struct Uploader {
    let store: LocalStore
    let client: ServiceClient
    let progress: ProgressReporter
    let settings: UploadSettings
    let recording: AnswerRecording

    /// What changes from round to round.
    private struct Course: Sendable {
        var isBatching: Bool
        /// Whether the service has answered a batch.
        var hasBatched = false
        let categories: Set<String>?
        /// The settings, with another format where the service does not take the first.
        var settings: UploadSettings
        var batchSize: Int
        /// Answers of the last round, all of them successes, that are not written down yet.
        var unrecorded: [UnitAnswer] = []
        /// Rounds in a row that the service has not looked at.
        var idleRounds = 0
        var result = OfflineODataUploadResult()

        /// Goes on with smaller batches, at last without.
        mutating func shrinkBatches(below round: UploadRound) {
            if round.units.count > 1 {
                batchSize = max(1, round.requestIDs.count / 2)
            } else {
                isBatching = false
            }
        }

        func choice(isHeldBack: Bool) -> RoundChoice {
            RoundChoice(
                limit: isBatching ? batchSize : 1,
                categories: categories,
                isBatching: isBatching,
                isHeldBack: isHeldBack
            )
        }
    }

    /// Sends everything that can be sent, of the given categories or all.
    ///
    /// Refused requests go to the error archive; only a lost connection or an answer that concerns all requests is an error.
    func upload(categories: Set<String>? = nil) async throws -> OfflineODataUploadResult {
        let model = try await store.schema().model
        var course = Course(
            isBatching: model.isBatchSupported ?? true,
            categories: categories,
            settings: settings,
            batchSize: settings.batchSize
        )
        try await settleLost(&course)
        // What was parked for want of a key or of another request may have all that it needs by now.
        try await store.file.write { try RequestQueue($0).unpark() }
        try await IdentityLookup(store: store, client: client).settleAwaited()
        let count = try await store.file.read { try RequestQueue($0).entries([.pending]).count }
        progress.update {
            $0.step = .sendingRequests
            $0.requestCount = count
        }
        var next: UploadRound?
        while true {
            if next == nil { next = try await advance(&course, isHeldBack: false) }
            guard let round = next else { break }
            next = try await pass(round, &course)
        }
        progress.update { $0.step = .processingAnswers }
        course.result.unknownCount = try await store.file.read {
            try RequestQueue($0).entries([.unknownOutcome]).count
        }
        return course.result
    }

    private func settleLost(_ course: inout Course) async throws {
        let lost = LostAnswers(
            store: store,
            client: client,
            settings: settings,
            recording: recording
        )
        try await lost.settle(&course.result)
    }

    private func sender(_ course: Course) -> RoundSender {
        RoundSender(
            store: store,
            client: client,
            settings: course.settings,
            isBatching: course.isBatching
        )
    }

    // MARK: Rounds

    /// Writes down the answers that wait for it and chooses the next round; nil where nothing can be sent.
    private func advance(_ course: inout Course, isHeldBack: Bool) async throws -> UploadRound? {
        let choice = course.choice(isHeldBack: isHeldBack)
        let round = try await recording.record(course.unrecorded, &course.result) {
            try choice.next($0, $1)
        }
        course.unrecorded = []
        return round
    }

    /// Sends a round while the one after it is made ready; answers that one.
    private func pass(_ round: UploadRound, _ course: inout Course) async throws -> UploadRound? {
        guard let round = try await released(round, &course) else { return nil }
        let sender = sender(course)
        async let sending = sender.send(round)
        // Where the file cannot be written now, nothing is lost: the next attempt does it, or says why it cannot be done.
        let chosen = try? await advance(&course, isHeldBack: true)
        let ahead = chosen.map { (try? sender.prepared($0)) ?? $0 }
        let answers: [UnitAnswer]
        do {
            answers = try await sending
        } catch let refusal as RoundRefusal {
            try await giveBack([round, ahead])
            try adapt(&course, to: refusal, round)
            return nil
        } catch {
            let isUnsent = (error as? HTTPTransportError)?.isCertainlyUnsent == true
            try await giveBack([isUnsent ? round : nil, ahead])
            throw error
        }
        return try await finish(answers, ahead, &course)
    }

    /// Returns the round with all that it needs, free to leave; nil where none of it can.
    private func released(_ round: UploadRound, _ course: inout Course) async throws -> UploadRound?
    {
        guard !Task.isCancelled else {
            try await withdraw(round, &course)
            throw CancellationError()
        }
        var round = round
        if round.hasStaleETag {
            do {
                round.units = try await staleETags.refresh(round.units, &course.result)
            } catch {
                // Nothing of the round has left.
                try await withdraw(round, &course)
                throw error
            }
        }
        if round.isHeldBack { try await store.file.write { try UnsentRound.release($0) } }
        return round.units.isEmpty ? nil : round
    }

    private var staleETags: StaleETags {
        StaleETags(store: store, client: client, recording: recording)
    }

    /// Writes down what is known and takes back what has not been sent.
    private func withdraw(_ round: UploadRound, _ course: inout Course) async throws {
        try await recording.record(course.unrecorded, &course.result) { connection, _ in
            try round.giveBack(connection)
        }
        course.unrecorded = []
    }

    private func giveBack(_ rounds: [UploadRound?]) async throws {
        let rounds = rounds.compactMap { $0 }
        guard !rounds.isEmpty else { return }
        try await store.file.write { connection in
            for round in rounds { try round.giveBack(connection) }
        }
    }

    /// Goes on in the way that the service takes, or ends the upload.
    private func adapt(
        _ course: inout Course,
        to refusal: RoundRefusal,
        _ round: UploadRound
    ) throws {
        switch refusal {
        case .batchNotOffered:
            if course.settings.batchFormat == .json {
                course.settings.batchFormat = .multipart
            } else {
                course.isBatching = false
            }
        case .batchTooLarge: course.shrinkBatches(below: round)
        case .batchNotUnderstood(let error):
            // A change set takes effect as a whole or not at all: its members do not go one by one.
            guard round.units.count > 1 || round.requestIDs.count == 1 else { throw error }
            course.shrinkBatches(below: round)
        case .whole(let error): throw error
        }
    }

    // MARK: Answers

    /// Deals with the answers to a round; answers the round that may go next.
    private func finish(
        _ answers: [UnitAnswer],
        _ ahead: UploadRound?,
        _ course: inout Course
    ) async throws -> UploadRound? {
        // One request that spoilt its batch has been sent by itself: the service does take batches.
        if course.hasBatched { course.isBatching = true }
        if course.isBatching, answers.contains(where: \.isKnown) { course.hasBatched = true }
        let count = answers.reduce(0) { $0 + $1.outcomes.count }
        progress.update { $0.answeredRequestCount += count }
        guard !answers.allSatisfy(\.isSuccess) else {
            course.unrecorded += answers
            course.idleRounds = 0
            return ahead
        }
        let stop = answers.lazy.compactMap(\.stop).first
        let hasLost = answers.contains { $0.outcomes.contains(where: \.isLost) }
        let isHeld = stop != nil || hasLost
        if isHeld { try await giveBack([ahead]) }
        let before = course.result
        try await recording.record(course.unrecorded + answers, &course.result)
        course.unrecorded = []
        course.idleRounds = course.result != before ? 0 : course.idleRounds + 1
        if let stop {
            try await wait(stop, course.idleRounds)
        } else if hasLost {
            // The service is there: what it did with the rest can be asked for at once.
            try await settleLost(&course)
        }
        return isHeld ? nil : ahead
    }

    /// Waits where a later attempt makes sense, else ends the upload.
    private func wait(_ stop: UnitAnswer.Stop, _ idleRounds: Int) async throws {
        guard stop.isTemporary,
            let delay = client.settings.retry.delay(
                after: max(1, idleRounds),
                retryAfter: stop.retryAfter
            )
        else { throw stop.error }
        try await client.settings.retry.sleep(delay)
    }
}
