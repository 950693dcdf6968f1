import ODataProtocol
import OfflineStore

/// Finds the answer to each request of a batch: by Content-ID where the service gives it, else by order.
struct BatchMatching {
    let units: [OutgoingUnit]
    let isRepetition: Bool
    /// Whether the names alone tell which request an answer is for.
    var isNamed = false

    func answers(_ answer: BatchResponse) -> [UnitAnswer] {
        var rest = answer.items[...]
        // An answer for each unit leaves nothing to doubt; fewer can be told apart by their names only.
        let isNamed =
            isNamed
            || answer.items.count < units.count && answer.items.allSatisfy { $0.contentID != nil }
        var hasStopped = false
        return units.map { unit in
            let item: BatchResponse.Item?
            if isNamed {
                item = rest.first { $0.contentID.map(unit.contentIDs.contains) ?? false }
            } else {
                item = rest.popFirst()
            }
            guard let item else { return unanswered(unit, answer, hasStopped: hasStopped) }
            // An error stops a service also where it is as good as a success here, such as 404 to a deletion.
            hasStopped = hasStopped || item.isRefusal
            return match(unit, item)
        }
    }

    /// A complete answer with fewer parts says that the service stopped at the first error (OData 4.01 Part 1 § 11.7.7); one that
    /// broke off says nothing.
    private func unanswered(_ unit: OutgoingUnit, _ answer: BatchResponse, hasStopped: Bool)
        -> UnitAnswer
    {
        let isStopped = answer.isComplete && hasStopped
        return UnitAnswer(
            unit.requests.map {
                Outcome($0, isStopped ? .notProcessed(isForgotten: false) : .lost)
            },
            answers: isStopped ? [] : [HTTPResponse(status: 503)]
        )
    }

    private func match(_ unit: OutgoingUnit, _ item: BatchResponse.Item) -> UnitAnswer {
        switch item {
        case .response(let part): single(unit, part.response)
        case .changeSet(let parts): changeSet(unit, parts)
        }
    }

    /// One answer to a change set is a refusal of all its members.
    private func single(_ unit: OutgoingUnit, _ response: HTTPResponse) -> UnitAnswer {
        let isAlone = unit.requests.count == 1
        guard isAlone || !response.isSuccess else {
            return UnitAnswer(unit.requests.map { Outcome($0, .lost) }, answers: [])
        }
        return UnitAnswer(
            unit.requests.map {
                Outcome($0, response, isAlone: isAlone, isRepetition: isRepetition)
            },
            answers: [response]
        )
    }

    /// A change set takes effect as a whole: where some members are answered with an error, successes beside it prove nothing.
    ///
    /// A service that answers so carries out each member for itself.
    private func changeSet(_ unit: OutgoingUnit, _ parts: [BatchResponsePart]) -> UnitAnswer {
        let isAlone = unit.requests.count == 1
        let isMixed = !isAlone && parts.contains { !$0.response.isSuccess }
        let outcomes = unit.requests.enumerated().map { index, request in
            let named = parts.first { $0.contentID == String(request.contentID) }
            let part = named ?? (parts.indices.contains(index) ? parts[index] : nil)
            guard let response = part?.response, !(isMixed && response.isSuccess) else {
                return Outcome(request, .lost)
            }
            return Outcome(
                request,
                response,
                isAlone: isAlone || isMixed && parts.contains { $0.response.isSuccess },
                isRepetition: isRepetition
            )
        }
        return UnitAnswer(outcomes, answers: parts.map(\.response))
    }
}

extension BatchResponse.Item {
    /// Whether a request was answered with an error.
    fileprivate var isRefusal: Bool {
        switch self {
        case .response(let part): !part.response.isSuccess
        case .changeSet(let parts): parts.contains { !$0.response.isSuccess }
        }
    }

    /// The name of the request that is answered, or of one of the change set's.
    fileprivate var contentID: String? {
        switch self {
        case .response(let part): part.contentID
        case .changeSet(let parts): parts.lazy.compactMap(\.contentID).first
        }
    }
}

extension OutgoingUnit {
    fileprivate var contentIDs: Set<String> {
        Set(requests.map { String($0.contentID) } + [groupName].compactMap { $0 })
    }
}
