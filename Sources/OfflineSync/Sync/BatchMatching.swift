import StoreUpload
import StoreRecords
import ODataHTTP

/// Finds the answer to each unit of a batch.
///
/// By Content-ID where the service gives it (OData 4.01 Part 1 § 11.7.7.6). By position only where that leaves no doubt: as many
/// answers as units, or answers that end where the standard says that a service stops. Whatever is left in doubt is lost, and asked
/// for at the service.
struct BatchMatching {
    let units: [OutgoingUnit]
    let isRepetition: Bool
    /// Whether the answers bear names only, in any order: those in JSON.
    var isNamed = false
    /// Whether the service says that it went on after errors: then it has not stopped anywhere.
    var continuedOnError = false

    /// What was found for a unit.
    private struct Found {
        /// An answer by itself: to the only request, or to a change set as a whole.
        var single: [BatchResponsePart] = []
        /// Answers to the members of a change set.
        var members: [BatchResponsePart] = []
    }

    func answers(_ answer: BatchResponse) -> [UnitAnswer] {
        let places = places(of: answer)
        var found: [Int: Found] = [:]
        for (item, place) in zip(answer.items, places) {
            if let place { add(item, to: &found[place, default: Found()], at: place) }
        }
        let stop = stop(answer, places: places)
        return units.indices.map { index in
            guard let found = found[index] else {
                return unanswered(units[index], isStopped: stop.map { index > $0 } ?? false)
            }
            return match(units[index], found: found)
        }
    }

    // MARK: Places

    /// The unit of each answer; nil where it cannot be determined.
    private func places(of answer: BatchResponse) -> [Int?] {
        let items = answer.items
        let named = items.map(named)
        let isByName = isNamed || named.contains { $0 != .none }
        guard isByName else { return placesByPosition(answer) }
        // Answers without a name among such with names keep their places where all of those do.
        let isInOrder =
            !isNamed
            && (items.count == units.count
                // To the error at which it has stopped alone a service may give no name: one answer refuses a whole change set.
                || endsAtError(answer) && !named.dropLast().contains(.none))
            && named.indices.allSatisfy { named[$0] == .none || named[$0] == .unit($0) }
        return named.enumerated().map { index, name in
            switch name {
            case .unit(let place): place
            case .unknown: nil
            case .none: isInOrder ? index : nil
            }
        }
    }

    /// Whether a whole answer has fewer parts than the batch, the last one an error: there a service stops that was not asked to go on.
    private func endsAtError(_ answer: BatchResponse) -> Bool {
        answer.isComplete && !continuedOnError && answer.items.count < units.count
            && answer.items.last?.isRefusal == true
    }

    private enum Name: Equatable {
        case none
        case unit(Int)
        /// A name that no request has, or names of several units.
        case unknown
    }

    private func named(_ item: BatchResponse.Item) -> Name {
        let names = Set(item.parts.compactMap(\.contentID))
        guard !names.isEmpty else { return .none }
        let places = names.map { name in units.firstIndex { $0.contentIDs.contains(name) } }
        guard let first = places[0], places.allSatisfy({ $0 == first }) else { return .unknown }
        return .unit(first)
    }

    private func placesByPosition(_ answer: BatchResponse) -> [Int?] {
        let isWhole = answer.items.count == units.count
        guard isWhole || isStopped(answer) else {
            return answer.items.map { _ in nil }
        }
        return Array(answer.items.indices)
    }

    /// Whether answers without names end as those of a service do that stops at the first error (OData 4.01 Part 1 § 11.7.7.1):
    /// all but the last are successes such as their requests have.
    private func isStopped(_ answer: BatchResponse) -> Bool {
        guard endsAtError(answer) else { return false }
        return zip(units, answer.items.dropLast()).allSatisfy { unit, item in
            zip(unit.requests, item.parts).allSatisfy { $0.canHave($1.response) }
                && item.parts.count == unit.requests.count
        }
    }

    /// The unit at which a service has stopped, all before it being answered; nil where it has not, or where the answer broke off.
    ///
    /// In JSON the answers may stand in any order; frameworks that stop at the first error do so there, too.
    private func stop(_ answer: BatchResponse, places: [Int?]) -> Int? {
        guard answer.isComplete, !continuedOnError,
            let last = places.compactMap({ $0 }).max(),
            Set(places) == Set((0...last).map { Optional($0) }), places.count == last + 1,
            let item = zip(answer.items, places).first(where: { $0.1 == last })?.0, item.isRefusal
        else { return nil }
        return last
    }

    private func add(_ item: BatchResponse.Item, to found: inout Found, at place: Int) {
        switch item {
        // In JSON the members of a group may be answered each for itself.
        case .response(let part) where isNamed && units[place].requests.count > 1:
            found.members.append(part)
        case .response(let part): found.single.append(part)
        case .changeSet(let parts): found.members += parts
        }
    }

    // MARK: Answers

    /// A complete answer with fewer parts says that the service stopped at the first error; one that broke off says nothing.
    private func unanswered(_ unit: OutgoingUnit, isStopped: Bool) -> UnitAnswer {
        guard isStopped else { return UnitAnswer(lost: unit, .noAnswer) }
        return UnitAnswer(
            unit.requests.map { Outcome($0, kind: .notProcessed(isForgotten: false)) },
            answers: []
        )
    }

    private func match(_ unit: OutgoingUnit, found: Found) -> UnitAnswer {
        switch (found.single.count, found.members.isEmpty) {
        case (1, true): single(unit, part: found.single[0])
        case (0, false): changeSet(unit, parts: found.members)
        // Two answers to one request contradict each other.
        default: UnitAnswer(lost: unit, .noAnswer)
        }
    }

    /// One answer to a change set is a refusal of all its members; it may say by its name which of them was to blame.
    private func single(_ unit: OutgoingUnit, part: BatchResponsePart) -> UnitAnswer {
        let isAlone = unit.requests.count == 1
        let response = part.response
        guard isAlone || !response.isSuccess else { return UnitAnswer(lost: unit, .noAnswer) }
        let isNamed = !isAlone && unit.contentIDs.contains { $0 == part.contentID }
        return UnitAnswer(
            unit.requests.map { request in
                var outcome = Outcome(
                    request,
                    response: response,
                    isAlone: isAlone,
                    isRepetition: isRepetition
                )
                outcome.isBlameless = isNamed && String(request.contentID) != part.contentID
                return outcome
            },
            answers: [response]
        )
    }

    /// A change set takes effect as a whole: where some members are answered with an error, successes beside it prove nothing.
    ///
    /// A service that answers so carries out each member for itself.
    private func changeSet(_ unit: OutgoingUnit, parts: [BatchResponsePart]) -> UnitAnswer {
        // One refusal stands for all members, wherever it stands.
        if parts.count == 1, unit.requests.count > 1, !parts[0].response.isSuccess {
            return single(unit, part: parts[0])
        }
        let isAlone = unit.requests.count == 1
        let isMixed = !isAlone && parts.contains { !$0.response.isSuccess }
        let found = responses(of: unit, parts)
        // A set is answered whole; an answer with a gap may be another's.
        guard found.allSatisfy({ $0 != nil }) else { return UnitAnswer(lost: unit, .noAnswer) }
        let outcomes = zip(unit.requests, found).map { request, response in
            guard let response, !(isMixed && response.isSuccess) else {
                return Outcome(request, kind: .lost)
            }
            return Outcome(
                request,
                response: response,
                isAlone: isAlone || isMixed && parts.contains { $0.response.isSuccess },
                isRepetition: isRepetition
            )
        }
        return UnitAnswer(outcomes, answers: parts.map(\.response))
    }

    /// The answer to each member of a change set: the service may give them in any order, so without names their number must agree.
    private func responses(
        of unit: OutgoingUnit,
        _ parts: [BatchResponsePart]
    ) -> [HTTPResponse?] {
        guard parts.contains(where: { $0.contentID != nil }) else {
            guard parts.count == unit.requests.count else { return unit.requests.map { _ in nil } }
            return parts.map(\.response)
        }
        var found = unit.requests.map { request -> HTTPResponse? in
            let own = parts.filter { $0.contentID == String(request.contentID) }
            return own.count == 1 ? own[0].response : nil
        }
        let left = found.indices.filter { found[$0] == nil }
        let unnamed = parts.filter { $0.contentID == nil }
        if left.count == 1, unnamed.count == 1, parts.count == unit.requests.count {
            found[left[0]] = unnamed[0].response
        }
        return found
    }
}

extension BatchResponse.Item {
    /// The answers in it.
    fileprivate var parts: [BatchResponsePart] {
        switch self {
        case .response(let part): [part]
        case .changeSet(let parts): parts
        }
    }

    /// Whether a request was answered with an error.
    fileprivate var isRefusal: Bool { parts.contains { !$0.response.isSuccess } }
}

extension OutgoingRequest {
    /// Whether a success may be the answer to this request (OData 4.01 Part 1 § 11.4).
    fileprivate func canHave(_ response: HTTPResponse) -> Bool {
        guard response.isSuccess else { return false }
        let isCreation = entry.method == "POST" && !entry.isLinkChange
        switch response.status {
        case 201: return isCreation || entry.flags.contains(.upsert) || entry.isOnStream
        case 204 where isCreation: return response.headers["OData-EntityId"] != nil
        default: return true
        }
    }
}

extension OutgoingUnit {
    fileprivate var contentIDs: Set<String> {
        Set(requests.map { String($0.contentID) } + [groupName].compactMap { $0 })
    }
}
