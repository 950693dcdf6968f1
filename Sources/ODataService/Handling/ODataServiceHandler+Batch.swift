import ODataProtocol

/// Batches (OData 4.01 Part 1 § 11.7).
extension ODataServiceHandler {
    func batch(_ request: HTTPRequest, _ service: ServiceURL) async -> HTTPResponse {
        do {
            guard serviceOptions.hasBatch else {
                throw ServiceError(501, "this service has no $batch")
            }
            let batch = try read(request)
            let stopsAtError = PreferHeader(request.headers).continuesOnError != true
            let answer = await answer(batch, service, stopsAtError: stopsAtError)
            let encoded = try answer.multipart()
            var headers: HTTPHeaders = [
                "Content-Type": encoded.contentType, "OData-Version": "4.0",
            ]
            if !stopsAtError { headers["Preference-Applied"] = "odata.continue-on-error" }
            return HTTPResponse(status: 200, headers: headers, body: encoded.body)
        } catch {
            return ServiceError(error).response()
        }
    }

    private func read(_ request: HTTPRequest) throws -> BatchRequest {
        guard let type = request.headers["Content-Type"],
            MediaType(type)?.isType("multipart/mixed") == true
        else { throw ServiceError(415, "a batch is multipart/mixed") }
        guard request.body.count <= serviceOptions.limits.bodyBytes else {
            throw ServiceError(
                413,
                "the batch is larger than \(serviceOptions.limits.bodyBytes) bytes"
            )
        }
        var limits = BatchLimits()
        limits.parts = serviceOptions.limits.batchParts
        let batch = try BatchRequest(multipart: request.body, contentType: type, limits: limits)
        let ids = batch.parts.compactMap(\.contentID)
        guard Set(ids).count == ids.count else {
            throw ServiceError(400, "a Content-ID occurs twice in the batch")
        }
        return batch
    }

    /// Answers the positions in order; without `continue-on-error` the first that fails is the last that is answered.
    private func answer(
        _ batch: BatchRequest,
        _ service: ServiceURL,
        stopsAtError: Bool
    ) async -> BatchResponse {
        var answer = BatchResponse()
        var state = BatchState(service: service)
        for item in batch.items {
            let position: BatchResponse.Item
            let isError: Bool
            switch item {
            case .request(let part):
                let response = await single(part.request, state)
                state.note(part, response)
                position = .response(
                    BatchResponsePart(contentID: part.contentID, response: response)
                )
                isError = response.status >= 400
            case .changeSet(let parts):
                (position, isError) = await changeSet(parts, &state)
            }
            answer.items.append(position)
            if isError, stopsAtError { break }
        }
        return answer
    }

    // MARK: Change sets

    /// Carries out all of a change set or nothing of it; one that fails has one answer (OData 4.01 Part 1 § 11.7.7.5).
    private func changeSet(
        _ parts: [BatchPart],
        _ state: inout BatchState
    ) async -> (BatchResponse.Item, isError: Bool) {
        let before = state
        let answers: [BatchResponsePart]
        if let repeated {
            answers = await repeated.answer(to: parts.map(\.request)) {
                await self.execute(parts, before)
            }
        } else {
            answers = await execute(parts, before)
        }
        if answers.count == 1, let only = answers.first, only.response.status >= 400 {
            return (.response(only), true)
        }
        for (part, answer) in zip(parts, answers) { state.note(part, answer.response) }
        return (.changeSet(answers), false)
    }

    private func execute(_ parts: [BatchPart], _ state: BatchState) async -> [BatchResponsePart] {
        let options = serviceOptions
        do {
            return try await entityStore.write { writing in
                var state = state
                var answers = [BatchResponsePart?](repeating: nil, count: parts.count)
                for index in try ChangeSetOrder.order(of: parts) {
                    let part = parts[index]
                    guard !Self.isReading(part.request) else {
                        throw ServiceError(400, "a change set cannot hold a reading request")
                    }
                    do {
                        let response = try Self.change(part.request, state, writing, options)
                        state.note(part, response)
                        answers[index] = BatchResponsePart(
                            contentID: part.contentID,
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
        } catch let failure as ChangeSetFailure {
            return [
                BatchResponsePart(contentID: failure.contentID, response: failure.cause.response())
            ]
        } catch {
            return [BatchResponsePart(response: ServiceError(error).response())]
        }
    }
}

/// The request that made its change set fail.
private struct ChangeSetFailure: Error {
    var contentID: String?
    var cause: ServiceError
}

/// The order in which requests of a change set can be carried out: what is referred to comes first.
enum ChangeSetOrder {
    /// Returns the places of the parts.
    ///
    /// - Throws: `ServiceError` where references run in a circle.
    static func order(of parts: [BatchPart]) throws -> [Int] {
        let ids = parts.map(\.contentID)
        var order: [Int] = []
        var done: Set<String> = []
        while order.count < parts.count {
            let next = parts.indices.first { index in
                !order.contains(index)
                    && ids.allSatisfy { id in
                        guard let id, !done.contains(id), id != ids[index] else { return true }
                        return !refers(parts[index].request, to: id)
                    }
            }
            guard let next else {
                throw ServiceError(400, "references in the change set run in a circle")
            }
            order.append(next)
            if let id = ids[next] { done.insert(id) }
        }
        return order
    }

    /// Whether a request's URL begins with `$id`, or its body holds the string `$id` or a path from it.
    private static func refers(_ request: HTTPRequest, to id: String) -> Bool {
        if isReference(Array(request.url.utf8)[...], id) { return true }
        if request.headers["If-Match"] == "$" + id { return true }
        let quoted = Array(("\"$" + id).utf8)
        var rest = request.body[...]
        while let start = rest.firstIndex(of: UInt8(ascii: "\"")) {
            rest = rest[start...]
            if rest.starts(with: quoted), isReference(rest.dropFirst(), id) { return true }
            rest = rest.dropFirst()
        }
        return false
    }

    private static func isReference(_ text: ArraySlice<UInt8>, _ id: String) -> Bool {
        guard text.starts(with: Array(("$" + id).utf8)) else { return false }
        let after = text.dropFirst(id.utf8.count + 1).first
        return after == nil || after == UInt8(ascii: "/") || after == UInt8(ascii: "?")
            || after == UInt8(ascii: "\"")
    }
}
