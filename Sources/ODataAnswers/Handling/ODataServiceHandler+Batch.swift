import ODataModel
import ODataHTTP

/// Batches (OData 4.01 Part 1 § 11.7).
extension ODataServiceHandler {
    func batch(_ request: HTTPRequest, service: RequestURL) async -> HTTPResponse {
        do {
            guard serviceOptions.hasBatch else {
                throw ServiceError(501, "this service has no $batch")
            }
            var (batch, format) = try read(request)
            let wanted = answerFormat(request, format: format)
            batch.inherit(request.headers)
            // Decided before anything is done: every answer in JSON has an id, a part of a multipart batch may have none.
            if wanted == .json { batch.nameParts() }
            // A JSON batch continues after an error by default, a multipart batch stops (OData 4.01 Part 1 § 8.2.8.3).
            // Versions 1 to 3 know no such preference: their batches go on (OData 2.0 Batch Processing § 2.2.6).
            let version = await version(for: request)
            let prefer = PreferHeader(request.headers)
            let preference = prefer.continuesOnError
            let goesOn = preference ?? (format == .json || !version.isV4)
            let answer = await answer(
                batch,
                service: service,
                goesOn: goesOn,
                format: wanted,
                version: version
            )
            let encoded = try answer.encoded(as: wanted)
            // JSON batches came with 4.01; a client that takes 4.0 at most gets no higher one (OData 4.01 Part 1 § 8.2.7).
            let isLimited = request.headers["OData-MaxVersion"] != nil
            let isNewest = format == .json && !(isLimited && version.isV4)
            var headers = VersionNegotiation.headers(isNewest ? .v401 : version)
            headers["Content-Type"] = encoded.contentType
            if preference == true {
                headers["Preference-Applied"] = prefer["continue-on-error"]?.name
            }
            // Versions 1 to 3 call a finished batch accepted (OData 2.0 Batch Processing § 2.2.6).
            let status = version.isV4 || format == .json ? 200 : 202
            return HTTPResponse(status: status, headers: headers, body: encoded.body)
        } catch {
            return ServiceError(error).response(await version(for: request))
        }
    }

    private func read(_ request: HTTPRequest) throws -> (BatchRequest, BatchFormat) {
        guard let type = request.headers["Content-Type"],
            let format = BatchFormat(contentType: type)
        else { throw ServiceError(415, "a batch is multipart/mixed or application/json") }
        guard request.body.count <= serviceOptions.limits.bodyBytes else {
            throw ServiceError(
                413,
                "the batch is larger than \(serviceOptions.limits.bodyBytes) bytes"
            )
        }
        var limits = serviceOptions.limits.batch
        limits.parts = min(limits.parts, serviceOptions.limits.batchParts)
        let batch = try BatchRequest(reading: request.body, contentType: type, limits: limits)
        let ids = batch.parts.compactMap(\.contentID)
        guard Set(ids).count == ids.count else {
            throw ServiceError(400, "a Content-ID occurs twice in the batch")
        }
        return (batch, format)
    }

    /// The answer comes in the format of the request, unless the client accepts only the other one.
    private func answerFormat(_ request: HTTPRequest, format: BatchFormat) -> BatchFormat {
        guard let accept = request.headers.list("Accept").map({ AcceptHeader($0) }) else {
            return format
        }
        let json = accept.quality(of: .json)
        let multipart = accept.quality(of: MediaType(type: "multipart", subtype: "mixed"))
        if format == .multipart, multipart == 0, json > 0, accept.elements.count == 1,
            accept.elements[0].range.subtype == "json"
        {
            return .json
        }
        return format == .json && json == 0 && multipart > 0 ? .multipart : format
    }

    /// Answers the positions in order; a batch that does not go on ends with the answer to the first that fails.
    private func answer(
        _ batch: BatchRequest,
        service: RequestURL,
        goesOn: Bool,
        format: BatchFormat,
        version: ODataVersion
    ) async -> BatchResponse {
        var answer = BatchResponse()
        var state = BatchState(service: service)
        var isStopped = false
        for item in batch.items {
            if isStopped {
                // In JSON every request has an answer.
                if format == .json {
                    let stopped = ServiceError(424, "the batch stopped before")
                    answer.items += answers(to: item, stopped, version)
                }
                continue
            }
            if let refusal = item.refusal(in: state) {
                answer.items += answers(to: item, refusal, version)
                for part in item.parts { state.fail(part) }
                isStopped = !goesOn
                continue
            }
            let isError: Bool
            switch item {
            case .request(let part):
                let response = await single(part.request, state: state)
                state.note(part, response: response)
                answer.items.append(
                    .response(BatchResponsePart(contentID: part.contentID, response: response))
                )
                isError = response.status >= 400
            case .changeSet(let parts):
                let position: BatchResponse.Item
                (position, isError) = await changeSet(parts, state: &state)
                answer.items +=
                    isError && format == .json ? each(of: parts, position, version) : [position]
            }
            isStopped = isError && !goesOn
        }
        return answer
    }

    /// Answers requests that were not tried.
    private func answers(
        to item: BatchRequest.Item,
        _ refusal: ServiceError,
        _ version: ODataVersion
    ) -> [BatchResponse.Item] {
        item.parts.map { part in
            .response(
                BatchResponsePart(
                    contentID: part.contentID,
                    atomicityGroup: part.atomicityGroup,
                    response: refusal.response(version)
                )
            )
        }
    }

    /// In JSON each member of a failed group is answered: the guilty one with its error, the others as its victims.
    private func each(
        of parts: [BatchPart],
        _ position: BatchResponse.Item,
        _ version: ODataVersion
    ) -> [BatchResponse.Item] {
        guard case .response(let failure) = position else { return [position] }
        return parts.enumerated().map { index, part in
            let isGuilty =
                failure.contentID == nil
                ? index == parts.count - 1 : failure.contentID == part.contentID
            let response =
                isGuilty
                ? failure.response
                : ServiceError(424, "another member of the group failed").response(version)
            return .response(
                BatchResponsePart(
                    contentID: part.contentID,
                    atomicityGroup: part.atomicityGroup,
                    response: response
                )
            )
        }
    }

    // MARK: Change sets

    /// Carries out all of a change set or nothing of it; one that fails has one answer (OData 4.01 Part 1 § 11.7.7.5).
    private func changeSet(
        _ parts: [BatchPart],
        state: inout BatchState
    ) async -> (BatchResponse.Item, isError: Bool) {
        let before = state
        let answers: [BatchResponsePart]
        if let repeats = additions.repeats {
            answers = await repeats.answer(to: parts.map(\.request)) {
                await self.execute(parts, state: before)
            }
        } else {
            answers = await execute(parts, state: before)
        }
        if answers.count == 1, let only = answers.first, only.response.status >= 400 {
            for part in parts { state.fail(part) }
            return (.response(only), true)
        }
        for (part, answer) in zip(parts, answers) { state.note(part, response: answer.response) }
        return (.changeSet(answers), false)
    }

    private func execute(_ parts: [BatchPart], state: BatchState) async -> [BatchResponsePart] {
        let options = serviceOptions
        do {
            let work: @Sendable (any EntityWriting) throws -> [BatchResponsePart] = { writing in
                var state = state
                var answers = [BatchResponsePart?](repeating: nil, count: parts.count)
                let plans = ChangePlans(writing.schema)
                for index in try ChangeSetOrder.order(of: parts) {
                    let part = parts[index]
                    (writing as? any DeferredChecking)?.begin(request: index)
                    do {
                        guard !Self.isReading(part.request) else {
                            throw ServiceError(400, "a change set cannot hold a reading request")
                        }
                        let response = try Self.change(
                            part.request,
                            state: state,
                            writing: writing,
                            plans: plans,
                            options: options
                        )
                        state.note(part, response: response)
                        answers[index] = BatchResponsePart(
                            contentID: part.contentID,
                            atomicityGroup: part.atomicityGroup,
                            response: response
                        )
                    } catch {
                        throw ChangeSetFailure(
                            contentID: part.contentID,
                            cause: ServiceError(error)
                        )
                    }
                }
                return answers.compactMap { $0 }
            }
            return parts.count > 1
                ? try await entityStore.writeChangeSet(work) : try await entityStore.write(work)
        } catch {
            return [await failure(of: parts, error)]
        }
    }

    /// The answer to a change set that failed, with the id of the request that is to blame: where none is known, of the last.
    private func failure(of parts: [BatchPart], _ error: any Error) async -> BatchResponsePart {
        let failure =
            switch error {
            case let error as ChangeSetFailure: error
            case let error as DeferredFault:
                ChangeSetFailure(
                    contentID: parts[error.request].contentID,
                    cause: ServiceError(error.cause)
                )
            default:
                ChangeSetFailure(contentID: parts.last?.contentID, cause: ServiceError(error))
            }
        let version = await version(for: parts.first?.request ?? HTTPRequest(method: "", url: ""))
        return BatchResponsePart(
            contentID: failure.contentID,
            response: failure.cause.response(version)
        )
    }
}

extension BatchRequest {
    /// Gives each part without an id one that no other part has, and each change set without a name one
    /// (OData JSON 4.01 § 19.4).
    fileprivate mutating func nameParts() {
        var known = Set(parts.flatMap { [$0.contentID, $0.atomicityGroup].compactMap(\.self) })
        func new(_ start: String) -> String {
            var number = 1
            while known.contains("\(start)\(number)") { number += 1 }
            known.insert("\(start)\(number)")
            return "\(start)\(number)"
        }
        func named(_ part: BatchPart, group: String?) -> BatchPart {
            var part = part
            part.contentID = part.contentID ?? new("part")
            part.atomicityGroup = part.atomicityGroup ?? group
            return part
        }
        items = items.map { item in
            switch item {
            case .request(let part): return .request(named(part, group: nil))
            case .changeSet(let parts):
                let group = new("set")
                return .changeSet(parts.map { named($0, group: group) })
            }
        }
    }
}

/// The request that made its change set fail.
private struct ChangeSetFailure: Error {
    var contentID: String?
    var cause: ServiceError
}
