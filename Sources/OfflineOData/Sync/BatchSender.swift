import ODataModel
import ODataProtocol
import OfflineStore

/// Sends units as one multipart batch and matches the answers to them.
struct BatchSender {
    let client: ServiceClient
    let settings: UploadSettings

    private var version: ODataVersion { client.version }

    /// Sends a round.
    ///
    /// - Throws: ``BatchNotOffered``, ``BatchTooLarge``, ``WholeRefusal``, or the transport's error where the answer was lost.
    func send(_ units: [OutgoingUnit], isRepetition: Bool = false) async throws -> [UnitAnswer] {
        let encoded = try batch(units).multipart()
        var headers: HTTPHeaders = [
            "Content-Type": encoded.contentType, "Accept": "multipart/mixed",
        ]
        if version.isV4 {
            headers["OData-Version"] = "4.0"
            headers["Prefer"] = "odata.continue-on-error"
        } else {
            headers["DataServiceVersion"] = version == .v3 ? "3.0" : "2.0"
        }
        let response = try await Unhurried.run(grace: settings.gracePeriod) { [client, headers] in
            try await client.write(
                "POST",
                client.url.absolute("$batch"),
                headers: headers,
                body: encoded.body
            )
        }
        switch response.status {
        case 200..<300: break
        case 404, 405, 415, 501: throw BatchNotOffered()
        case 413: throw BatchTooLarge()
        case 400..<500: throw WholeRefusal(error: ServiceClient.error(response, for: "POST $batch"))
        default:
            return units.map { unit in
                UnitAnswer(unit.requests.map { Outcome($0, .lost) }, answers: [response])
            }
        }
        guard
            let answer = try? BatchResponse(
                multipart: response.body,
                contentType: response.headers["Content-Type"] ?? ""
            )
        else {
            // A success without a batch in it tells nothing about the requests.
            return units.map { lost($0) }
        }
        return BatchMatching(units: units, isRepetition: isRepetition).answers(answer)
    }

    private func lost(_ unit: OutgoingUnit) -> UnitAnswer {
        UnitAnswer(unit.requests.map { Outcome($0, .lost) }, answers: [HTTPResponse(status: 503)])
    }

    /// Versions 1 to 3 take changes only inside change sets: independent ones get one each, so that they fail each for itself.
    private func batch(_ units: [OutgoingUnit]) -> BatchRequest {
        BatchRequest(
            items: units.map { unit in
                let parts = unit.requests.map { part($0) }
                return unit.isChangeSet || !version.isV4 ? .changeSet(parts) : .request(parts[0])
            }
        )
    }

    private func part(_ outgoing: OutgoingRequest) -> BatchPart {
        BatchPart(
            contentID: String(outgoing.contentID),
            request: outgoing.message(url: outgoing.url, version: version, settings)
        )
    }
}
