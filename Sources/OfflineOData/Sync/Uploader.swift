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
    let requestDidFail: @Sendable (OfflineODataFailedRequest) -> Void

    /// Sends everything that can be sent, of the given categories or all.
    ///
    /// Refused requests go to the error archive; only a lost connection or an answer that concerns all requests is an error.
    func upload(categories: Set<String>? = nil) async throws -> OfflineODataUploadResult {
        var result = OfflineODataUploadResult()
        try await LostAnswers(store: store, client: client, isRepeatable: settings.isRepeatable)
            .settle()
        progress.update { $0.step = .sendingRequests }
        var isBatching = true
        while true {
            try Task.checkCancellation()
            let units = try await nextRound(isBatching ? settings.batchSize : 1, categories)
            if units.isEmpty { break }
            let answers: [UnitAnswer]
            do {
                answers = try await send(units, isBatching: isBatching)
            } catch is BatchNotOffered {
                try await giveBack(units)
                isBatching = false
                continue
            } catch let error as HTTPTransportError where error.isCertainlyUnsent {
                try await giveBack(units)
                throw error
            } catch let refusal as WholeRefusal {
                try await giveBack(units)
                throw refusal.error
            }
            try await record(answers, &result)
            if let error = answers.lazy.compactMap(\.stop).first { throw error }
        }
        result.unknownCount = try await store.file.read {
            try RequestQueue($0).entries([.unknownOutcome]).count
        }
        return result
    }

    /// Chooses the next units and writes down that they are being sent, before a byte leaves.
    private func nextRound(_ limit: Int, _ categories: Set<String>?) async throws -> [OutgoingUnit]
    {
        try await store.file.write { [store] connection in
            let plan = UploadPlan(connection, try store.schema(connection))
            let units = try plan.nextUnits(limit: limit, categories: categories)
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
                try RequestQueue(connection).set(.pending, of: request.entry.id)
            }
        }
    }

    // MARK: Sending

    private func send(_ units: [OutgoingUnit], isBatching: Bool) async throws -> [UnitAnswer] {
        if isBatching {
            return try await BatchSender(client: client, settings: settings).send(units)
        }
        var answers: [UnitAnswer] = []
        for unit in units {
            answers.append(try await SingleSender(client: client, settings: settings).send(unit))
        }
        return answers
    }

    // MARK: Recording

    /// Commits what became of a round's requests together.
    private func record(_ answers: [UnitAnswer], _ result: inout OfflineODataUploadResult)
        async throws
    {
        progress.update { $0.step = .processingAnswers }
        let outcomes = answers.flatMap(\.outcomes)
        let failed = try await store.file.write { [store] connection in
            let schema = try store.schema(connection)
            let recorder = UploadRecorder(connection, schema)
            var failed: [OfflineODataFailedRequest] = []
            for outcome in outcomes {
                let request = outcome.request
                switch outcome.kind {
                case .done(let response):
                    try recorder.succeed(request.entry, .init(response, request.entry, schema))
                case .refused(let response):
                    let failure = QueueEntry.Failure(response)
                    try recorder.fail(request.entry, failure)
                    failed.append(OfflineODataFailedRequest(request.entry, failure))
                case .notProcessed: try RequestQueue(connection).set(.pending, of: request.entry.id)
                case .parked: try RequestQueue(connection).set(.parked, of: request.entry.id)
                case .lost: break
                }
            }
            return failed
        }
        result.succeededCount += outcomes.count { $0.isDone }
        result.failedCount += failed.count
        progress.update { $0.answeredRequestCount += outcomes.count }
        for request in failed { requestDidFail(request) }
        try await fetchServerCopies(outcomes)
    }

    /// After a conflict the service's version is fetched, so that it stands beside the local one.
    private func fetchServerCopies(_ outcomes: [Outcome]) async throws {
        for outcome in outcomes {
            guard case .refused(let response) = outcome.kind, [409, 412].contains(response.status),
                ["PATCH", "PUT", "DELETE"].contains(outcome.request.entry.method),
                let found = try? await ServerEntity.read(
                    outcome.request.entry,
                    outcome.request.url,
                    store,
                    client
                ),
                case .found(let body, let etag) = found
            else { continue }
            try await store.file.write { [store] connection in
                let recorder = UploadRecorder(connection, try store.schema(connection))
                try recorder.keepServerCopy(body, etag: etag, for: outcome.request.entry)
            }
        }
    }
}

extension QueueEntry.Failure {
    /// What a refusing answer says.
    init(_ response: HTTPResponse) {
        let told = ODataErrorBody(reading: response.body.span)
        self.init(
            httpStatus: response.status,
            code: told?.code ?? "",
            message: told?.message ?? "the service answered \(response.status)",
            innerError: told?.innerError,
            answer: String(decoding: response.body.prefix(65_536), as: UTF8.self)
        )
    }
}

extension OfflineODataFailedRequest {
    init(_ entry: QueueEntry, _ failure: QueueEntry.Failure) {
        self.init(
            requestID: entry.id,
            method: entry.method,
            url: entry.url,
            httpStatus: failure.httpStatus,
            code: failure.code,
            message: failure.message,
            customTag: entry.tag
        )
    }
}

extension UploadRecorder.Success {
    /// What a successful answer says; a body that is no entity is passed over, since the change was carried out.
    init(_ response: HTTPResponse, _ entry: QueueEntry, _ schema: TableSchema) {
        var body: EntityBody?
        if !response.body.isEmpty, let source = entry.source.flatMap({ schema.source(named: $0) }),
            let plan = schema.plans.plan(for: source)
        {
            body = (try? EntityBodyReader.read(response.body, plan, schema)) ?? nil
        }
        self.init(
            representation: body,
            etag: response.headers["ETag"],
            entityID: response.headers["OData-EntityId"] ?? response.headers["Location"]
        )
    }
}
