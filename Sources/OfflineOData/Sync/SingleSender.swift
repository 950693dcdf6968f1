import ODataProtocol
import ODataService
import OfflineStore

/// Sends requests one by one: streams, and everything where the service takes no batches.
struct SingleSender {
    let store: LocalStore
    let client: ServiceClient
    let settings: UploadSettings

    /// Sends a unit; the requests of a change set one after the other, since the service offers nothing better.
    ///
    /// Once one fails the rest is not sent: it depends on it, or was to take effect with it.
    func send(_ unit: OutgoingUnit, isRepetition: Bool = false) async throws -> UnitAnswer {
        var outcomes: [Outcome] = []
        var answers: [HTTPResponse] = []
        for request in unit.requests {
            guard outcomes.allSatisfy(\.isDone) else {
                outcomes.append(Outcome(request, .notProcessed(isForgotten: false)))
                continue
            }
            let sent = outcomes.count
            let response: HTTPResponse
            do {
                response = try await send(request)
            } catch let error as HTTPTransportError where sent > 0 {
                // What was answered before must not be lost with this.
                let kind: Outcome.Kind =
                    error.isCertainlyUnsent ? .notProcessed(isForgotten: false) : .lost
                outcomes.append(Outcome(request, kind))
                answers.append(HTTPResponse(status: 503))
                continue
            }
            outcomes.append(Outcome(request, response, isRepetition: isRepetition))
            answers.append(response)
        }
        return UnitAnswer(outcomes, answers: answers)
    }

    private func send(_ request: OutgoingRequest) async throws -> HTTPResponse {
        let message = try await message(request)
        return try await Unhurried.run(grace: settings.gracePeriod) { [client] in
            try await client.write(
                message.method,
                message.url,
                headers: message.headers,
                body: message.body,
                streamedBody: message.streamedBody
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
        message.headers["Content-Type"] = head.contentType
        message.body = []
        message.streamedBody = HTTPStreamedBody(byteCount: Int(head.byteCount)) { [store] in
            store.contentBody(stream)
        }
        return message
    }
}
