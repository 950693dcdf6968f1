import ODataProtocol
import OfflineStore

/// Sends units as one multipart batch and matches the answers to them.
struct BatchSender {
    let client: ServiceClient
    let settings: UploadSettings

    /// Sends a round.
    ///
    /// - Throws: ``BatchNotOffered``, ``WholeRefusal``, or the transport's error where the answer was lost.
    func send(_ units: [OutgoingUnit]) async throws -> [UnitAnswer] {
        let encoded = try batch(units).multipart()
        let response = try await Unhurried.run(grace: settings.gracePeriod) { [client] in
            try await client.write(
                "POST",
                client.url.absolute("$batch"),
                headers: [
                    "Content-Type": encoded.contentType, "Accept": "multipart/mixed",
                    "OData-Version": "4.0",
                    "Prefer": "odata.continue-on-error",
                ],
                body: encoded.body
            )
        }
        switch response.status {
        case 200..<300: break
        case 404, 405, 415, 501: throw BatchNotOffered()
        case 400..<500: throw WholeRefusal(error: ServiceClient.error(response, for: "POST $batch"))
        default:
            return units.map { UnitAnswer($0.requests.map { Outcome($0, .lost) }, statuses: [503]) }
        }
        let answer = try BatchResponse(
            multipart: response.body,
            contentType: response.headers["Content-Type"] ?? ""
        )
        return match(units, answer)
    }

    private func batch(_ units: [OutgoingUnit]) -> BatchRequest {
        BatchRequest(
            items: units.map { unit in
                let parts = unit.requests.map { part($0) }
                return unit.isChangeSet ? .changeSet(parts) : .request(parts[0])
            }
        )
    }

    private func part(_ outgoing: OutgoingRequest) -> BatchPart {
        BatchPart(
            contentID: String(outgoing.contentID),
            request: outgoing.message(url: outgoing.url, isRepeatable: settings.isRepeatable)
        )
    }

    // MARK: Matching

    /// Answers by Content-ID where the service gives it, else by order; a unit without a whole answer has lost it.
    private func match(_ units: [OutgoingUnit], _ answer: BatchResponse) -> [UnitAnswer] {
        var items = answer.items[...]
        var hasStopped = false
        return units.map { unit in
            guard let item = items.first else {
                // A complete answer with fewer parts: the service stopped at the first error.
                return UnitAnswer(
                    unit.requests.map {
                        Outcome($0, answer.isComplete && hasStopped ? .notProcessed : .lost)
                    },
                    statuses: answer.isComplete ? [] : [503]
                )
            }
            items = items.dropFirst()
            let matched = self.match(unit, item)
            hasStopped = hasStopped || matched.outcomes.contains { !$0.isDone }
            return matched
        }
    }

    private func match(_ unit: OutgoingUnit, _ item: BatchResponse.Item) -> UnitAnswer {
        switch item {
        case .response(let part):
            // One answer to a change set is a refusal of all its members.
            return UnitAnswer(
                unit.requests.map { Outcome($0, part.response) },
                statuses: [part.response.status]
            )
        case .changeSet(let parts):
            let outcomes = unit.requests.enumerated().map { index, request in
                let named = parts.first { $0.contentID == String(request.contentID) }
                let part = named ?? (parts.indices.contains(index) ? parts[index] : nil)
                return part.map { Outcome(request, $0.response) } ?? Outcome(request, .lost)
            }
            return UnitAnswer(outcomes, statuses: parts.map(\.response.status))
        }
    }
}

extension OutgoingRequest {
    /// The HTTP request, for a batch part or by itself.
    func message(url: String, isRepeatable: Bool) -> HTTPRequest {
        var headers = headers
        headers["Accept"] = "application/json"
        if body != nil {
            headers["Content-Type"] = "application/json"
            headers["OData-Version"] = "4.0"
        }
        // The representation brings the ETag that the next update needs.
        if ["POST", "PATCH", "PUT"].contains(entry.method), !url.contains("/$ref") {
            headers["Prefer"] = headers["Prefer"] ?? "return=representation"
        }
        if isRepeatable, let unit = entry.unit, let firstSent = entry.firstSent {
            headers["Repeatability-Request-ID"] = unit
            headers["Repeatability-First-Sent"] = HTTPDateText.of(timestamp: firstSent)
        }
        return HTTPRequest(
            method: entry.method,
            url: ServiceURL.encoded(url),
            headers: headers,
            body: Array((body ?? "").utf8)
        )
    }
}
