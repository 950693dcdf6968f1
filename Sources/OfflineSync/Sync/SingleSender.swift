import ODataClient
import StoreUpload
import StoreRecords
import ODataHTTP
import ODataAnswers
import OfflineStore

/// Sends requests one by one: streams, and everything where the service takes no batches.
struct SingleSender {
    let store: LocalStore
    let client: ServiceClient
    let settings: UploadSettings
    /// The attempts of the upload.
    let budget: RetryBudget

    /// Sends a request by itself.
    ///
    /// - Throws: the transport's error where the answer was lost.
    func send(_ unit: OutgoingUnit, isRepetition: Bool = false) async throws -> UnitAnswer {
        precondition(unit.requests.count == 1, "a transaction is sent whole or not at all")
        let response = await client.unmasked(try await send(unit.requests[0]))
        return Self.answer(response, to: unit, isRepetition: isRepetition)
    }

    /// What an answer says about a request that was sent by itself.
    static func answer(
        _ response: HTTPResponse,
        to unit: OutgoingUnit,
        isRepetition: Bool
    ) -> UnitAnswer {
        let request = unit.requests[0]
        if response.status == 200, WebPage.isAnswer(response) {
            let error = WebPage.insteadOfResult(
                of: request.entry.method,
                status: response.status
            )
            return UnitAnswer(lost: unit, .unreadable(error))
        }
        return UnitAnswer(
            [Outcome(request, response: response, isRepetition: isRepetition)],
            answers: [response]
        )
    }

    private func send(_ request: OutgoingRequest) async throws -> HTTPResponse {
        let message = try await message(request)
        return try await CancellationGrace.run(grace: settings.gracePeriod) {
            [client, budget, store, settings] in
            try await settings.write(
                message,
                requests: [request],
                isBatch: false,
                in: store,
                through: client,
                budget: budget
            )
        }
    }

    private func message(_ request: OutgoingRequest) async throws -> HTTPRequest {
        var message = try request.message(
            url: client.url.target(request.url),
            version: client.version,
            settings
        )
        guard let stream = request.entry.stream else { return message }
        let head = try await store.contentHead(stream)
        message.headers["Content-Type"] = HTTPFieldRules.cleaned(head.contentType)
        message.body = []
        message.streamedBody = HTTPStreamedBody(byteCount: Int(head.byteCount)) { [store] in
            store.contentBody(stream)
        }
        return message
    }
}
