package import ODataClient
package import OfflineValues
import ODataSQLite
import StoreUpload
import StoreRecords
import ODataSQL
import ODataPayload
import ODataHTTP
import ODataTables
package import OfflineStore

/// Commits the results of requests, and fetches the service's version where an answer reports a conflict.
package struct AnswerRecording {
    package let store: LocalStore
    package let client: ServiceClient
    package let settings: UploadSettings
    package let requestDidFail: @Sendable (OfflineODataFailedRequest) -> Void

    package init(
        store: LocalStore,
        client: ServiceClient,
        settings: UploadSettings,
        requestDidFail: @escaping @Sendable (OfflineODataFailedRequest) -> Void
    ) {
        self.store = store
        self.client = client
        self.settings = settings
        self.requestDidFail = requestDidFail
    }
    /// What was sent again in this upload since only its ETag was another one.
    let renewals = ETagRenewals()
    private let missingSets = MissingSets()

    /// Commits the outcomes of a round together.
    func record(_ answers: [UnitAnswer], into result: inout OfflineODataUploadResult) async throws {
        try await record(answers, into: &result) { _, _ in }
    }

    /// Commits the outcomes of a round together with what comes after them.
    func record<R: Sendable>(
        _ answers: [UnitAnswer],
        into result: inout OfflineODataUploadResult,
        then work: @escaping @Sendable (SQLiteConnection, TableSchema) throws -> R
    ) async throws -> R {
        var outcomes: [Outcome] = []
        for answer in answers {
            let settled = try await confirmingGone(try await withoutGoneDeletes(answer.outcomes))
            outcomes += try await conflicts.understood(settled)
        }
        outcomes = try await IdentityLookup(store: store, client: client).found(outcomes)
        let (failed, more) = try await commit(outcomes, then: work)
        result.succeededCount += outcomes.count(where: \.isDone)
        log(outcomes)
        note(failed, into: &result)
        try await fetchServerCopies(outcomes)
        return more
    }

    private func log(_ outcomes: [Outcome]) {
        for outcome in outcomes {
            let id = OfflineODataLogRecord.Value.integer(outcome.request.entry.id)
            if outcome.showsConflict { client.log(.notice, "conflict", [("request", id)]) }
        }
        guard !outcomes.isEmpty else { return }
        client.log(
            .debug,
            "answers.recorded",
            [
                ("carriedOut", .count(outcomes.count(where: \.isDone))),
                ("requests", .count(outcomes.count)),
            ]
        )
    }

    /// Counts refused requests and reports each to the delegate.
    func note(_ failed: [OfflineODataFailedRequest], into result: inout OfflineODataUploadResult) {
        result.failedCount += failed.count
        result.refusedRequestIDs += failed.map(\.requestID)
        for request in failed {
            client.log(
                .warning,
                "request.refused",
                [
                    ("request", .integer(request.requestID)), ("method", .text(request.method)),
                    ("status", .count(request.httpStatus)), ("code", .code(request.code.rawValue)),
                ]
            )
            requestDidFail(request)
        }
    }

    private func commit<R: Sendable>(
        _ outcomes: [Outcome],
        then work: @escaping @Sendable (SQLiteConnection, TableSchema) throws -> R
    ) async throws -> ([OfflineODataFailedRequest], R) {
        try await store.file.write { [store, settings] connection in
            let schema = try store.schema(connection)
            let recorder = UploadRecorder(
                connection,
                schema: schema,
                appliesResponses: settings.appliesResponses
            )
            let queue = RequestQueue(connection)
            if outcomes.contains(where: \.isRepeatabilityShown) {
                try StoreState.setRepeatable(connection)
            }
            if outcomes.contains(where: \.isCallWithoutETag) {
                try CalledEntity.setETagWanted(connection)
            }
            var failed: [OfflineODataFailedRequest] = []
            for outcome in outcomes {
                let entry = outcome.request.entry
                switch outcome.kind {
                case .done where outcome.shown != nil:
                    guard let (body, etag) = outcome.shown else { continue }
                    try recorder.succeed(entry, shownBy: body, etag: etag)
                case .done(let response):
                    var success = UploadRecorder.Success(response, of: entry, schema: schema)
                    if let identity = outcome.identity { success.take(identity) }
                    try recorder.succeed(entry, success: success)
                case .refused(let response), .gone(let response):
                    let failure = QueueEntry.Failure(response, of: outcome)
                    try recorder.fail(entry, failure: failure)
                    if outcome.isGone { try recorder.markGone(entry) }
                    failed.append(OfflineODataFailedRequest(entry, failure: failure))
                case .notProcessed(let isForgotten):
                    if let renewed = outcome.renewed {
                        try recorder.takeRenewedETag(renewed.etag, for: entry)
                    }
                    try queue.setPending(entry.id, isForgotten: isForgotten)
                case .parked: try queue.park([entry.id], because: outcome.parkingReason)
                case .lost:
                    if let text = outcome.failure?.lossText {
                        try queue.noteLoss(of: entry.id, text)
                    }
                }
            }
            try UploadSpool(connection).remove(
                requests: outcomes.filter { !$0.isLost }.map(\.request.entry.id)
            )
            // What was not processed waits for the members of its transaction that were refused.
            try queue.park(behind: failed.map(\.requestID))
            return (failed, try work(connection, schema))
        }
    }

    // MARK: Deletes of what is gone

    /// A change set that failed because an entity to be deleted is gone already is sent again without that delete.
    ///
    /// OData 4.01 Part 1 § 11.7.4: nothing in the set took effect.
    private func withoutGoneDeletes(_ outcomes: [Outcome]) async throws -> [Outcome] {
        guard outcomes.count > 1,
            outcomes.allSatisfy({ [404, 410].contains($0.response?.status) && !$0.isDone })
        else { return outcomes }
        var settled = outcomes
        for index in outcomes.indices {
            let request = outcomes[index].request
            guard request.entry.method == "DELETE", !request.entry.url.contains("/$ref"),
                case .missing? = try await found(request)
            else { continue }
            settled[index].kind = .done(
                HTTPResponse(status: outcomes[index].response?.status ?? 404)
            )
        }
        guard settled.contains(where: \.isDone) else { return outcomes }
        for index in settled.indices where !settled[index].isDone {
            settled[index].kind = .notProcessed(isForgotten: true)
        }
        return settled
    }

    // MARK: Conflicts

    private var conflicts: ConflictReading {
        ConflictReading(store: store, client: client, renewals: renewals)
    }

    /// A 404 to an update may be about an entity that its body refers to: a read of the entity itself decides.
    ///
    /// As a page it is the service's word only where the collection of the entity shows the same. A deletion is not carried
    /// out by a 404 that the whole set has.
    private func confirmingGone(_ outcomes: [Outcome]) async throws -> [Outcome] {
        let look = PageLook(store: store, client: client)
        var outcomes = outcomes
        for index in outcomes.indices {
            let (outcome, request) = (outcomes[index], outcomes[index].request)
            guard let response = outcome.response, response.status == 404,
                outcome.isDone || outcome.isGone
            else { continue }
            if WebPage.isNotFound(response) {
                if try await look.isGone(at: request.url) { continue }
                outcomes[index].note = PageLook.note
            } else if outcome.isDone {
                guard try await isMissing(setOf: request) else { continue }
                outcomes[index].note = MissingSets.note
            } else if case .missing? = try await found(request) {
                continue
            }
            outcomes[index].kind = .refused(response)
        }
        return outcomes
    }

    private func isMissing(setOf request: OutgoingRequest) async throws -> Bool {
        try await missingSets.isMissing(setOf: request, in: store, through: client)
    }

    /// The entity of a request at the service; nil if it cannot be read now.
    private func found(_ request: OutgoingRequest) async throws -> ServerEntity.Found? {
        try await ServerEntity.ifReadable {
            try await ServerEntity.read(
                request.entry,
                url: request.url,
                in: store,
                through: client
            )
        }
    }

    /// After a conflict the service's version stands beside the local one.
    private func fetchServerCopies(_ outcomes: [Outcome]) async throws {
        for outcome in outcomes where outcome.server != nil || outcome.serverStream != nil {
            let entry = outcome.request.entry
            try await store.file.write { [store] connection in
                let recorder = UploadRecorder(connection, schema: try store.schema(connection))
                if let (body, etag) = outcome.server {
                    try recorder.keepServerCopy(body, etag: etag, for: entry)
                }
                switch outcome.serverStream {
                case .missing?: try recorder.keepServerStream(nil, etag: nil, for: entry)
                case .other(let content, let etag)?:
                    try recorder.keepServerStream(content, etag: etag, for: entry)
                case .known?, nil: break
                }
            }
        }
    }
}

extension Outcome {
    /// Whether the answer says that the service has another version than the one that was changed.
    ///
    /// The status of a duplicate key is 409; some services answer 403 or 500.
    package var isConflict: Bool {
        let entry = request.entry
        guard case .refused(let response) = kind, !request.url.hasPrefix("$"),
            !entry.url.contains("/$ref")
        else { return false }
        if entry.isOnStream {
            return entry.method != "POST" && [412, 428].contains(response.status)
        }
        return entry.method == "POST"
            ? entry.isCreation : [409, 412, 428].contains(response.status)
    }

    /// Whether the service has another version, or says that the entity is not what the request expects.
    var showsConflict: Bool {
        guard isConflict, case .refused(let response) = kind else { return false }
        return server != nil || serverStream != nil || [409, 412, 428].contains(response.status)
    }

    /// Whether the answer to a call may be mended by the ETag of the entity that it was made on.
    var isAboutCalledETag: Bool {
        guard case .refused(let response) = kind, request.entry.flags.contains(.operation),
            !request.entry.hasOwnCondition
        else {
            return false
        }
        return response.status == 428
            || response.status == 412 && request.headers["If-Match"] != nil
    }

    /// Whether the service wants a condition with the change of a link, which had none.
    var isLinkWithoutCondition: Bool {
        guard case .refused(let response) = kind, response.status == 428 else { return false }
        return request.entry.isLinkChange && ["PUT", "DELETE"].contains(request.entry.method)
            && request.headers["If-Match"] == nil
    }

    /// Whether a call was sent again with the ETag that the service wanted.
    var isCallWithoutETag: Bool {
        request.entry.flags.contains(.operation) && renewed?.etag != nil
            && request.headers["If-Match"] == nil
    }

    /// Whether the answer says that the service would recognise the request if it came again.
    var isRepeatabilityShown: Bool {
        response?.headers["Repeatability-Result"]?.lowercased() == "accepted"
    }

    var isGone: Bool {
        if case .gone = kind { true } else { false }
    }
}

extension QueueEntry.Failure {
    /// What a refusing answer says.
    init(_ response: HTTPResponse, of outcome: Outcome) {
        let error = ODataErrorBody(reading: response.body.span)
        var message = error.map(Self.text) ?? ""
        if message.isEmpty {
            message =
                outcome.isUnsent
                ? "it was not sent, since a read has shown another version at the service"
                : "the service answered \(response.status)"
        }
        if outcome.isGone {
            message =
                response.status == 201
                ? "the service had deleted the entity and has created another one: "
                    + (response.headers["Location"] ?? response.headers["OData-EntityId"] ?? "")
                : "the service has deleted the entity: " + message
        }
        if outcome.request.entry.flags.contains(.hasLostAnswer) {
            message +=
                "; the answer was lost when it was sent before, and the service did not show its effect then: it may have been carried out all the same"
        }
        if let note = outcome.note { message += "; " + note }
        self.init(
            httpStatus: response.status,
            code: error?.code ?? "",
            message: message,
            innerError: error?.innerError,
            answer: String(decoding: response.body.prefix(65_536), as: UTF8.self)
        )
    }

    /// The message with what it is about, and the further errors (OData JSON 4.01 § 21.1).
    fileprivate static func text(_ error: ODataErrorBody) -> String {
        let all = [(error.target, error.message)] + error.details.map { ($0.target, $0.message) }
        var texts: [String] = []
        for (target, message) in all {
            let place = target ?? ""
            let text = place.isEmpty || message.contains(place) ? message : "\(place): \(message)"
            if !text.isEmpty, !texts.contains(text) { texts.append(text) }
        }
        return texts.joined(separator: "; ")
    }
}

extension OfflineODataFailedRequest {
    init(_ entry: QueueEntry, failure: QueueEntry.Failure) {
        self.init(
            requestID: entry.id,
            method: entry.method,
            url: entry.url,
            httpStatus: failure.httpStatus,
            code: OfflineODataError.Code(rawValue: failure.code),
            message: failure.message,
            labels: OfflineODataRequestLabels(entry.labels)
        )
    }
}

extension UploadRecorder.Success {
    /// Puts the entity as a read has shown it in the place of the answer's; what that has shown inside of it stays, since a read of the
    /// entity alone does not show it.
    fileprivate mutating func take(_ identity: EntityBody) {
        let shown = representation?.inline ?? []
        representation = identity
        if identity.inline.isEmpty { representation?.inline = shown }
    }

    /// What a successful answer says; a body that is no entity is passed over, since the change was carried out.
    init(_ response: HTTPResponse, of entry: QueueEntry, schema: TableSchema) {
        var body: EntityBody?
        if !response.body.isEmpty, !entry.isOnStream || entry.method == "POST",
            let source = schema.source(of: entry),
            let plan = schema.plans.plan(for: source)
        {
            body = (try? EntityBodyReader.read(response.body, plan: plan, in: schema)) ?? nil
        }
        self.init(
            representation: body,
            etag: response.headers["ETag"],
            entityID: response.headers["OData-EntityId"] ?? response.headers["DataServiceId"],
            location: response.headers["Location"]
        )
    }
}

extension HTTPResponse {
    /// What a service has said that does not tell what became of a request.
    fileprivate var lossText: String {
        let text = ODataErrorBody(reading: body.span).map(QueueEntry.Failure.text) ?? ""
        return "the service answered \(status)" + (text.isEmpty ? "" : ": " + text)
    }
}
