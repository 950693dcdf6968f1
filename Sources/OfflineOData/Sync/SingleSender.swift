import ODataProtocol
import OfflineStore

/// Sends requests one by one, for services without batches.
struct SingleSender {
    let client: ServiceClient
    let settings: UploadSettings

    /// Sends a unit; the requests of a change set one after the other, since the service offers nothing better.
    func send(_ unit: OutgoingUnit) async throws -> UnitAnswer {
        var outcomes: [Outcome] = []
        var statuses: [Int] = []
        for request in unit.requests {
            let message = request.message(
                url: client.url.absolute(request.url),
                isRepeatable: settings.isRepeatable
            )
            let response = try await Unhurried.run(grace: settings.gracePeriod) { [client] in
                try await client.write(
                    message.method,
                    message.url,
                    headers: message.headers,
                    body: message.body
                )
            }
            outcomes.append(Outcome(request, response))
            statuses.append(response.status)
        }
        return UnitAnswer(outcomes, statuses: statuses)
    }
}
