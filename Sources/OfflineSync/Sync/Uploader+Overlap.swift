import ODataHTTP

/// Several rounds at the service at once, as soon as one has succeeded:
///
///     service:  | round 1 |  | round 2      |    | round 5 …
///                            | round 3          |   | round 6 …
///                            | round 4   |    | round 7 …
///
/// A round is chosen among what waits for no other request, in the queue or at the service, so that no order is needed between those
/// that are on their way. Where one of them has no clear answer no further one leaves: what became of it is found out when all are back,
/// and then rounds go one by one until the next success.
extension Uploader {
    /// A round that is back from the service.
    private struct Flight: Sendable {
        let round: UploadRound
        let answer: Result<[UnitAnswer], any Error>
        /// How long the answers took.
        var answerTime = Duration.zero

        /// The answers; none if the round has failed, for the reason that `refusal` or `loss` has.
        var answers: [UnitAnswer] {
            guard case .success(let answers) = answer else { return [] }
            return answers
        }

        /// Whether it is known of each request what became of it, and nothing keeps others from being sent.
        var isSettled: Bool {
            guard case .success(let answers) = answer else { return false }
            return answers.allSatisfy(\.isSettled)
        }

        /// Why the service has looked at nothing in it.
        var refusal: RoundRefusal? {
            guard case .failure(let error) = answer else { return nil }
            return error as? RoundRefusal
        }

        /// Why it has no answer.
        var loss: (any Error)? {
            guard case .failure(let error) = answer, !(error is RoundRefusal) else { return nil }
            return error
        }

        /// Whether the service has surely not carried out anything of it.
        var isUnseen: Bool {
            refusal != nil || loss?.isOfUnsentRequest == true
        }
    }

    /// What has come back, but for the rounds that are done with.
    private struct Back {
        /// Whether further rounds may leave.
        var isClear = true
        var troubled: [Flight] = []
        /// Why the upload cannot go on.
        private(set) var failure: (any Error)?

        mutating func fail(_ error: any Error) {
            isClear = false
            failure = failure ?? error
        }
    }

    /// Whether a round may be at the service together with others.
    func mayOverlap(_ round: UploadRound, in course: Course) -> Bool {
        course.isSmooth && settings.parallelBatchCount > 1 && settings.background == nil
            && round.isBatch && !round.hasStaleETag
    }

    /// Sends a round, and others beside it, until nothing more can be sent or something goes wrong.
    func passTogether(_ first: UploadRound, in course: inout Course) async throws {
        guard let first = try await freed(first, in: &course) else { return }
        var back = Back()
        await withTaskGroup(of: Flight.self) { group in
            group.addTask { [sender = sender(course)] in await flight(first, sender: sender) }
            var count = 1
            while count > 0 {
                while count < settings.parallelBatchCount,
                    let next = await chooseBeside(&back, in: &course)
                {
                    group.addTask { [sender = sender(course)] in
                        await flight(next, sender: sender)
                    }
                    count += 1
                }
                guard let flight = await group.next() else { break }
                count -= 1
                await land(flight, into: &back, in: &course)
            }
        }
        try await settle(back, in: &course)
    }

    private func flight(_ round: UploadRound, sender: RoundSender) async -> Flight {
        do {
            let sent = try await sent(round, by: sender)
            return Flight(
                round: round,
                answer: .success(sent.answers),
                answerTime: sent.answerTime
            )
        } catch {
            return Flight(round: round, answer: .failure(error))
        }
    }

    /// Writes down the answers that wait for it and chooses a round that may go beside others; nil where there is none now.
    private func chooseBeside(_ back: inout Back, in course: inout Course) async -> UploadRound? {
        guard back.isClear, !Task.isCancelled else { return nil }
        do {
            guard let round = try await advance(&course, isHeldBack: false) else { return nil }
            guard !mayOverlap(round, in: course) else { return round }
            // It goes when the others are back.
            back.isClear = false
            try await giveBack([round])
        } catch {
            back.fail(error)
        }
        return nil
    }

    /// Takes the answer to a round while others may be on their way.
    private func land(_ flight: Flight, into back: inout Back, in course: inout Course) async {
        if !flight.answers.isEmpty { course.note(flight.answerTime, of: flight.round) }
        guard flight.isSettled else {
            back.isClear = false
            return back.troubled.append(flight)
        }
        do {
            _ = try await finish(
                flight.round,
                answers: flight.answers,
                ahead: nil,
                in: &course
            )
            back.isClear = back.isClear && course.isSmooth
            // Else that is done with the next choice.
            if !back.isClear { try await recordWaiting(&course) }
        } catch {
            back.fail(error)
        }
    }

    private func recordWaiting(_ course: inout Course) async throws {
        guard !course.unrecorded.isEmpty else { return }
        try await recording.record(course.unrecorded, into: &course.result)
        course.unrecorded = []
    }

    /// Deals with the rounds that have no clear answer, now that none is on its way.
    private func settle(_ back: Back, in course: inout Course) async throws {
        var back = back
        if !back.troubled.isEmpty { course.isSmooth = false }
        let refused = back.troubled.compactMap { flight in
            flight.refusal.map { (reason: $0, round: flight.round) }
        }
        do {
            try await giveBack(back.troubled.filter(\.isUnseen).map(\.round))
            try await settleAnswered(back.troubled, in: &course)
            try await recordWaiting(&course)
        } catch {
            back.fail(error)
        }
        if let error = back.troubled.lazy.compactMap(\.loss).first { back.fail(error) }
        if Task.isCancelled { back.fail(CancellationError()) }
        if let failure = back.failure { throw failure }
        if let first = refused.first {
            try await adapt(&course, to: first.reason, round: first.round)
        }
    }

    /// Deals with all answers at once: what the service did with the rest is asked for once, and its pauses are kept once.
    private func settleAnswered(_ troubled: [Flight], in course: inout Course) async throws {
        let answered = troubled.filter { !$0.answers.isEmpty }
        guard !answered.isEmpty else { return }
        let round = UploadRound(
            units: answered.flatMap(\.round.units),
            isBatch: true,
            isHeldBack: false
        )
        _ = try await finish(
            round,
            answers: answered.flatMap(\.answers),
            ahead: nil,
            in: &course
        )
    }
}
