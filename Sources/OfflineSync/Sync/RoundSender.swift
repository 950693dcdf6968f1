package import ODataClient
import StoreUpload
import OfflineValues
import ODataHTTP
package import OfflineStore

/// Sends a round: as one batch, or the one request that it is.
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
        guard round.isBatch else { return [try await single.send(round.units[0])] }
        let encoded = try round.encoded ?? batches.encoded(round.units)
        return try await batches.send(round.units, as: encoded)
    }

    private var single: SingleSender {
        SingleSender(store: store, client: client, settings: settings, budget: budget)
    }

    private var batches: BatchSender {
        BatchSender(store: store, client: client, settings: settings, budget: budget)
    }
}

extension Error {
    /// Whether it says that nothing of the request has reached the service.
    var isOfUnsentRequest: Bool { (self as? HTTPTransportError)?.isCertainlyUnsent == true }
}
