package import ODataClient
import StoreUpload
import OfflineValues
import ODataHTTP
package import OfflineStore

/// Sends a round: as one batch, or one unit after the other.
package struct RoundSender: Sendable {
    package let store: LocalStore
    package let client: ServiceClient
    package let settings: UploadSettings
    /// The attempts of the upload.
    package let budget: RetryBudget

    package init(
        store: LocalStore,
        client: ServiceClient,
        settings: UploadSettings,
        budget: RetryBudget
    ) {
        self.store = store
        self.client = client
        self.settings = settings
        self.budget = budget
    }

    /// Makes the batch of a round before it is time to send it.
    ///
    /// Not where an ETag has still to be read, nor for what does not go as a batch.
    func prepared(_ round: UploadRound) throws -> UploadRound {
        guard round.isBatch, !round.hasStaleETag, round.encoded == nil else {
            return round
        }
        var round = round
        round.encoded = try batches.encoded(round.units)
        return round
    }

    /// Sends a round.
    ///
    /// - Throws: ``RoundRefusal``, or the transport's error where the answer was lost.
    package func send(_ round: UploadRound) async throws -> [UnitAnswer] {
        guard round.isBatch else { return try await sendSingly(round.units) }
        let encoded = try round.encoded ?? batches.encoded(round.units)
        return try await batches.send(round.units, as: encoded)
    }

    private var batches: BatchSender {
        BatchSender(store: store, client: client, settings: settings, budget: budget)
    }

    private func sendSingly(_ units: [OutgoingUnit]) async throws -> [UnitAnswer] {
        let sender = SingleSender(
            store: store,
            client: client,
            settings: settings,
            budget: budget
        )
        var answers: [UnitAnswer] = []
        for unit in units {
            guard answers.allSatisfy({ $0.stop == nil }) else {
                let left = unit.requests.map {
                    Outcome($0, kind: .notProcessed(isForgotten: false))
                }
                answers.append(UnitAnswer(left, answers: []))
                continue
            }
            do {
                answers.append(try await sender.send(unit))
            } catch  where !answers.isEmpty && !(error is CancellationError) {
                // What was answered before must not be lost with this.
                answers.append(UnitAnswer(unit, after: error))
            }
        }
        return answers
    }
}

extension UnitAnswer {
    /// What is known of a unit whose sending failed.
    fileprivate init(_ unit: OutgoingUnit, after error: any Error) {
        let kind = error.isOfUnsentRequest ? Outcome.Kind.notProcessed(isForgotten: false) : .lost
        self.init(unit.requests.map { Outcome($0, kind: kind) }, answers: [])
        let mapped = OfflineODataError.mapping(error) as? OfflineODataError
        stop = Stop(
            error: mapped ?? OfflineODataError(.internal, "unexpected: \(error)", cause: error),
            isTemporary: false
        )
    }
}

extension Error {
    /// Whether it says that nothing of the request has reached the service.
    var isOfUnsentRequest: Bool { (self as? HTTPTransportError)?.isCertainlyUnsent == true }
}
