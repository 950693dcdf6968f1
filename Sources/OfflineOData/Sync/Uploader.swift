import ODataModel
import ODataProtocol
import ODataTables
import OfflineStore

/// Uploads the queue in rounds: each round sends what waits for nothing, as one batch where the service takes batches.
struct Uploader {
    let store: LocalStore
    let client: ServiceClient
    let progress: ProgressReporter
    let settings: UploadSettings
    let recording: AnswerRecording

    /// What changes from round to round.
    private struct Course {
        var isBatching: Bool
        /// The settings, with another format where the service does not take the first.
        var settings: UploadSettings
        var batchSize: Int
        /// Rounds in a row that the service has not looked at.
        var idleRounds = 0
        var result = OfflineODataUploadResult()
    }

    /// Sends everything that can be sent, of the given categories or all.
    ///
    /// Refused requests go to the error archive; only a lost connection or an answer that concerns all requests is an error.
    func upload(categories: Set<String>? = nil) async throws -> OfflineODataUploadResult {
        let model = try await store.schema().model
        var course = Course(
            isBatching: model.isBatchSupported ?? true,
            settings: settings,
            batchSize: settings.batchSize
        )
        try await settleLost(&course)
        let count = try await store.file.read { try RequestQueue($0).entries([.pending]).count }
        progress.update {
            $0.step = .sendingRequests
            $0.requestCount = count
        }
        while try await round(&course, categories) {}
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

    /// Sends one round; answers whether there may be more.
    private func round(_ course: inout Course, _ categories: Set<String>?) async throws -> Bool {
        try Task.checkCancellation()
        progress.update { $0.step = .sendingRequests }
        let limit = course.isBatching ? course.batchSize : 1
        var units = try await nextRound(limit, categories, grouping: course.isBatching)
        if units.isEmpty { return false }
        units = try await StaleETags(store: store, client: client, recording: recording)
            .refresh(units, &course.result)
        if units.isEmpty { return true }
        let answers: [UnitAnswer]
        do {
            answers = try await send(units, course)
        } catch is BatchNotOffered {
            try await giveBack(units)
            if course.settings.batchFormat == .json {
                course.settings.batchFormat = .multipart
            } else {
                course.isBatching = false
            }
            return true
        } catch is BatchTooLarge {
            try await giveBack(units)
            let sent = units.reduce(0) { $0 + $1.requests.count }
            if units.count > 1 {
                course.batchSize = max(1, sent / 2)
            } else {
                course.isBatching = false
            }
            return true
        } catch let error as HTTPTransportError where error.isCertainlyUnsent {
            try await giveBack(units)
            throw error
        } catch let refusal as WholeRefusal {
            try await giveBack(units)
            throw refusal.error
        }
        try await finish(units, answers, &course)
        return true
    }

    private func finish(
        _ units: [OutgoingUnit],
        _ answers: [UnitAnswer],
        _ course: inout Course
    ) async throws {
        progress.update { $0.step = .processingAnswers }
        let before = course.result
        try await recording.record(answers, &course.result)
        progress.update { $0.answeredRequestCount += answers.reduce(0) { $0 + $1.outcomes.count } }
        let hasMoved = course.result != before
        course.idleRounds = hasMoved ? 0 : course.idleRounds + 1
        if let stop = answers.lazy.compactMap(\.stop).first {
            try await wait(stop, course.idleRounds)
        } else if answers.contains(where: { $0.outcomes.contains(where: \.isLost) }) {
            // The service is there: what it did with the rest can be asked for at once.
            try await settleLost(&course)
        }
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

    /// Chooses the next units and writes down that they are being sent, before a byte leaves.
    private func nextRound(_ limit: Int, _ categories: Set<String>?, grouping: Bool) async throws
        -> [OutgoingUnit]
    {
        try await store.file.write { [store] connection in
            let plan = try UploadPlan(connection, try store.schema(connection))
            let units = try plan.nextUnits(
                limit: limit,
                categories: categories,
                grouping: grouping
            )
            for unit in units {
                let known = unit.requests.lazy.compactMap(\.entry.unit).first
                try RequestQueue(connection).markSending(
                    unit.requests.map(\.entry.id),
                    unit: known ?? LocalID().uuidText,
                    firstSent: Timestamp.now
                )
            }
            return try plan.refreshed(units)
        }
    }

    /// Puts units back that the service has not looked at.
    private func giveBack(_ units: [OutgoingUnit]) async throws {
        try await store.file.write { connection in
            for request in units.flatMap(\.requests) {
                try RequestQueue(connection).setPending(request.entry.id, isForgotten: false)
            }
        }
    }

    /// Sends a batch, or one unit after the other; streams are too large for batches and go by themselves behind it.
    private func send(_ units: [OutgoingUnit], _ course: Course) async throws -> [UnitAnswer] {
        let settings = course.settings
        guard course.isBatching else { return try await sendSingly(units) }
        let inBatch = units.filter { $0.requests.allSatisfy { $0.entry.stream == nil } }
        guard inBatch.count < units.count else {
            return try await BatchSender(client: client, settings: settings).send(units)
        }
        guard inBatch.isEmpty else {
            // They are sent with the next round.
            try await giveBack(units.filter { $0.requests.contains { $0.entry.stream != nil } })
            return try await BatchSender(client: client, settings: settings).send(inBatch)
        }
        return try await sendSingly(units)
    }

    private func sendSingly(_ units: [OutgoingUnit]) async throws -> [UnitAnswer] {
        let sender = SingleSender(store: store, client: client, settings: settings)
        var answers: [UnitAnswer] = []
        for unit in units {
            guard answers.allSatisfy({ $0.stop == nil }) else {
                let left = unit.requests.map { Outcome($0, .notProcessed(isForgotten: false)) }
                answers.append(UnitAnswer(left, answers: []))
                continue
            }
            do {
                answers.append(try await sender.send(unit))
            } catch let error as HTTPTransportError where !answers.isEmpty {
                // What was answered before must not be lost with this.
                answers.append(UnitAnswer(lost: unit, error))
            }
        }
        return answers
    }
}

extension UnitAnswer {
    /// What is known of a unit whose connection failed.
    fileprivate init(lost unit: OutgoingUnit, _ error: HTTPTransportError) {
        let kind: Outcome.Kind =
            error.isCertainlyUnsent ? .notProcessed(isForgotten: false) : .lost
        self.init(
            unit.requests.map { Outcome($0, kind) },
            answers: [HTTPResponse(status: 503)]
        )
    }
}
