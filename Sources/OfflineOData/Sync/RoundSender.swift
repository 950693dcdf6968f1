import ODataProtocol
import OfflineStore

/// Sends a round: as one batch, or one unit after the other.
struct RoundSender: Sendable {
    let store: LocalStore
    let client: ServiceClient
    let settings: UploadSettings
    let isBatching: Bool

    /// Makes the batch of a round before it is time to send it.
    ///
    /// Not where an ETag has still to be read, nor for what does not go as a batch.
    func prepared(_ round: UploadRound) throws -> UploadRound {
        guard isBatching, !round.hasStreams, !round.hasStaleETag, round.encoded == nil else {
            return round
        }
        var round = round
        round.encoded = try batches.encoded(round.units)
        return round
    }

    /// Sends a round.
    ///
    /// - Throws: ``RoundRefusal``, or the transport's error where the answer was lost.
    func send(_ round: UploadRound) async throws -> [UnitAnswer] {
        guard isBatching, !round.hasStreams else { return try await sendSingly(round.units) }
        let encoded = try round.encoded ?? batches.encoded(round.units)
        return try await batches.send(round.units, as: encoded)
    }

    private var batches: BatchSender { BatchSender(client: client, settings: settings) }

    private func sendSingly(_ units: [OutgoingUnit]) async throws -> [UnitAnswer] {
        let sender = SingleSender(store: store, client: client, settings: settings)
        var answers: [UnitAnswer] = []
        for unit in units {
            guard answers.allSatisfy({ $0.stop == nil }) else {
                let left = unit.requests.map { Outcome($0, .notProcessed(isForgotten: false)) }
                answers.append(UnitAnswer(left, answers: []))
                continue
            }
            do {
                answers.append(try await sender.send(unit))
            } catch let error as HTTPTransportError where !answers.isEmpty {
                // What was answered before must not be lost with this.
                answers.append(UnitAnswer(lost: unit, error))
            }
        }
        return answers
    }
}

extension UnitAnswer {
    /// What is known of a unit whose connection failed.
    fileprivate init(lost unit: OutgoingUnit, _ error: HTTPTransportError) {
        let kind: Outcome.Kind =
            error.isCertainlyUnsent ? .notProcessed(isForgotten: false) : .lost
        self.init(
            unit.requests.map { Outcome($0, kind) },
            answers: [HTTPResponse(status: 503)]
        )
    }
}
