import ODataClient
import StoreUpload
import OfflineValues
import ODataModel
import ODataHTTP
import OfflineStore

/// Sends units as one batch and matches the answers to them.
///
/// It is multipart, which every service with batches takes; JSON only where that is asked for (OData 4.01 Part 1 § 13.2.3 makes it
/// a duty of few services).
struct BatchSender {
    let store: LocalStore
    let client: ServiceClient
    /// The request as errors name it.
    private var title: String { RequestTitle.text("POST", client.url.absolute("$batch")) }
    let settings: UploadSettings
    /// The attempts of the upload.
    let budget: RetryBudget

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
        let response = try await CancellationGrace.run(grace: settings.gracePeriod) {
            [client, budget, store, settings] in
            let message = HTTPRequest(
                method: "POST",
                url: client.url.absolute("$batch"),
                headers: headers,
                body: encoded.body
            )
            let requests = units.flatMap(\.requests)
            return try await settings.write(
                message,
                requests: requests,
                isBatch: true,
                in: store,
                through: client,
                budget: budget
            )
        }
        return try await answers(
            await client.unmasked(response),
            to: units,
            isRepetition: isRepetition
        )
    }

    /// What an answer to a batch says about its units.
    ///
    /// - Throws: ``RoundRefusal`` where the batch was refused unseen.
    func answers(
        _ response: HTTPResponse,
        to units: [OutgoingUnit],
        isRepetition: Bool
    ) async throws -> [UnitAnswer] {
        try refuse(response)
        guard response.isSuccess else {
            return units.map { UnitAnswer(lost: $0, .failure(response, to: title)) }
        }
        guard let (answer, isNamed) = await answer(response) else {
            let error = noBatch(response)
            return units.map { UnitAnswer(lost: $0, .unreadable(error)) }
        }
        let matching = BatchMatching(
            units: units,
            isRepetition: isRepetition,
            isNamed: isNamed,
            continuedOnError: PreferHeader(response.headers, field: "Preference-Applied")
                .continuesOnError == true
        )
        let answers = matching.answers(answer)
        if !isRepetition { try refuseUnsupportedChangeSets(answers, isWhole: answer.isComplete) }
        return answers
    }

    /// Versions 1 to 3 take changes inside change sets only, which a service need not support (OData 2.0 Batch Processing, 2): then its
    /// batches are for reading, and changes go one by one.
    ///
    /// - Throws: ``RoundRefusal`` where the service has answered so, and carried out nothing.
    private func refuseUnsupportedChangeSets(_ answers: [UnitAnswer], isWhole: Bool) throws {
        // One that stops at the first error leaves the others without an answer.
        let outcomes = answers.flatMap(\.outcomes)
        let responses = outcomes.compactMap { $0.response ?? $0.failure }
        guard !version.isV4, isWhole, let first = responses.first,
            responses.allSatisfy({ $0.status == 501 })
        else { return }
        throw RoundRefusal.batchNotOffered(ServiceClient.error(first, for: title))
    }

    /// - Throws: ``RoundRefusal`` for an answer that says that nothing in the batch was looked at.
    private func refuse(_ response: HTTPResponse) throws {
        guard !response.isSuccess else { return }
        let error = ServiceClient.error(response, for: title)
        switch response.status {
        case 415:
            let version = response.headers["OData-Version"]
            throw RoundRefusal.formatNotTaken(error, serviceVersion: version)
        case 404, 405, 406, 501: throw RoundRefusal.batchNotOffered(error)
        case 400: throw RoundRefusal.batchNotUnderstood(error)
        case 413: throw RoundRefusal.batchTooLarge(error)
        case 403 where response.isTokenWanted:
            throw RoundRefusal.whole(UnitAnswer.tokenRefused)
        // 303 says that the request was carried out (RFC 9110 § 15.4.4).
        case 300..<303, 304..<500: throw RoundRefusal.whole(error)
        case 503 where response.saysWhenToRetry:
            throw RoundRefusal.whole(UnitAnswer.later(response, to: title))
        default: break
        }
    }

    /// A success without a batch in it says nothing about the requests.
    private func noBatch(_ response: HTTPResponse) -> OfflineODataError {
        OfflineODataError(
            .communication,
            "the service answered \(response.status) to \(title) with "
                + (response.headers["Content-Type"] ?? "no content type")
                + " where multipart/mixed or application/json was expected; call upload again to find out what became of it",
            httpStatus: response.status
        )
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
    private func answer(_ response: HTTPResponse) async -> (BatchResponse, isNamed: Bool)? {
        let type = response.headers["Content-Type"] ?? ""
        switch BatchFormat(contentType: type) {
        case .json:
            return (
                await allPages(BatchResponse(json: response.body, limits: settings.batchLimits)),
                true
            )
        case .multipart, nil:
            let answer = try? BatchResponse(
                multipart: response.body,
                contentType: type,
                limits: settings.batchLimits
            )
            guard let answer else { return nil }
            return (version.isV4 ? answer : answer.mapResponses(AtomAnswer.converted), false)
        }
    }

    /// Follows the links to the rest of the answers (OData 4.01 JSON § 19.5); where one cannot be followed, the rest is lost.
    private func allPages(_ first: BatchResponse) async -> BatchResponse {
        var answer = first
        var seen: Set<String> = []
        while let link = answer.nextLink, answer.isComplete {
            answer.nextLink = nil
            do {
                let url = try client.url.resolve(link, against: client.url.absolute("$batch"))
                guard seen.insert(url).inserted, seen.count <= Self.maximumPages else {
                    throw BatchError(.malformed, "the next links of the batch do not end")
                }
                let response = try await client.get(url, budget: budget)
                let body = try await response.body.collect(upTo: client.maximumBodySize)
                let page = BatchResponse(json: body, limits: settings.batchLimits)
                answer.items += page.items
                answer.nextLink = page.nextLink
                answer.problem = page.problem
            } catch {
                answer.problem = BatchError(.incomplete, "the rest of the batch cannot be read")
            }
        }
        return answer
    }

    private static let maximumPages = 10_000

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
            request: outgoing.message(
                url: client.url.completedInBatch(outgoing.url),
                version: version,
                settings
            )
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
