import ODataModel
import ODataProtocol
import OfflineStore

/// Sends units as one batch and matches the answers to them.
///
/// It is multipart, which every service with batches takes; JSON only where that is asked for (OData 4.01 Part 1 § 13.2.3 makes it
/// a duty of few services).
struct BatchSender {
    let client: ServiceClient
    let settings: UploadSettings

    private var version: ODataVersion { client.version }

    private var isJSON: Bool { settings.batchFormat == .json && version.isV4 }

    /// Returns the batch of some units.
    func encoded(_ units: [OutgoingUnit]) throws -> EncodedBatch {
        try isJSON ? batch(units).json() : batch(units).multipart()
    }

    /// Sends units as a batch.
    ///
    /// - Parameter encoded: The batch, made of the same units.
    /// - Throws: ``RoundRefusal``, or the transport's error where the answer was lost.
    func send(
        _ units: [OutgoingUnit],
        as encoded: EncodedBatch,
        isRepetition: Bool = false
    ) async throws -> [UnitAnswer] {
        let headers = headers(encoded)
        let response = try await Unhurried.run(grace: settings.gracePeriod) { [client] in
            try await client.write(
                "POST",
                client.url.absolute("$batch"),
                headers: headers,
                body: encoded.body
            )
        }
        switch response.status {
        case 200..<300: break
        case 404, 405, 406, 415, 501: throw RoundRefusal.batchNotOffered
        case 400:
            let error = ServiceClient.error(response, for: "POST $batch")
            throw RoundRefusal.batchNotUnderstood(error)
        case 413: throw RoundRefusal.batchTooLarge
        case 400..<500:
            throw RoundRefusal.whole(ServiceClient.error(response, for: "POST $batch"))
        default:
            return units.map { unit in
                UnitAnswer(unit.requests.map { Outcome($0, .lost) }, answers: [response])
            }
        }
        guard let (answer, isNamed) = Self.answer(response) else {
            // A success without a batch in it tells nothing about the requests.
            return units.map { lost($0) }
        }
        return BatchMatching(units: units, isRepetition: isRepetition, isNamed: isNamed)
            .answers(answer)
    }

    private func headers(_ encoded: EncodedBatch) -> HTTPHeaders {
        var headers: HTTPHeaders = [
            "Content-Type": encoded.contentType,
            "Accept": isJSON ? "application/json" : "multipart/mixed",
        ]
        if version.isV4 {
            headers["OData-Version"] = isJSON ? "4.01" : "4.0"
            headers["Prefer"] = isJSON ? "continue-on-error" : "odata.continue-on-error"
        } else {
            headers["DataServiceVersion"] = version == .v3 ? "3.0" : "2.0"
        }
        return headers
    }

    /// The answers to a batch, and whether they have names: those in JSON come in any order.
    private static func answer(_ response: HTTPResponse) -> (BatchResponse, isNamed: Bool)? {
        let type = response.headers["Content-Type"] ?? ""
        switch BatchFormat(contentType: type) {
        case .json: return (BatchResponse(json: response.body), true)
        case .multipart, nil:
            let answer = try? BatchResponse(multipart: response.body, contentType: type)
            return answer.map { ($0, false) }
        }
    }

    private func lost(_ unit: OutgoingUnit) -> UnitAnswer {
        UnitAnswer(unit.requests.map { Outcome($0, .lost) }, answers: [HTTPResponse(status: 503)])
    }

    /// Versions 1 to 3 take changes only inside change sets: independent ones get one each, so that they fail each for itself.
    private func batch(_ units: [OutgoingUnit]) -> BatchRequest {
        BatchRequest(
            items: units.map { unit in
                let parts = unit.requests.map { part($0, in: unit) }
                return unit.isChangeSet || !version.isV4 ? .changeSet(parts) : .request(parts[0])
            }
        )
    }

    private func part(_ outgoing: OutgoingRequest, in unit: OutgoingUnit) -> BatchPart {
        BatchPart(
            contentID: String(outgoing.contentID),
            dependsOn: unit.references(of: outgoing),
            atomicityGroup: unit.groupName,
            request: outgoing.message(url: outgoing.url, version: version, settings)
        )
    }
}

extension OutgoingUnit {
    /// Name of the change set in a JSON batch; nil for a request of its own.
    var groupName: String? {
        guard isChangeSet, let first = requests.first else { return nil }
        return "g\(first.contentID)"
    }

    /// The requests before one in a change set that it names: in a JSON batch they are to be listed (OData 4.01 JSON § 19.1).
    fileprivate func references(of request: OutgoingRequest) -> [String] {
        let earlier = requests.prefix { $0.contentID != request.contentID }
        return earlier.map { String($0.contentID) }.filter { name in
            let reference = "$" + name
            return request.url == reference || request.url.hasPrefix(reference + "/")
                || request.body?.contains(reference + "\"") ?? false
                || request.body?.contains(reference + "/") ?? false
        }
    }
}
