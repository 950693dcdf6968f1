import OfflineValues
import StoreRecords
import ODataClient
import StoreUpload
import ODataHTTP
import OfflineStore

/// What the service has accepted (202) and answers at a monitor.
extension LostAnswers {
    /// Asks for the answers to what the service had accepted (202): where it still works at it, nothing is sent again.
    func settleAccepted(_ result: inout OfflineODataUploadResult) async throws {
        let monitors = try await store.file.write { try AcceptedRequests($0).monitors() }
        guard !monitors.isEmpty else { return }
        let sent = try await sentUnits()
        for monitor in monitors {
            let units = sent.compactMap { $0.asSent(under: monitor.contentIDs) }.sorted {
                $0.firstContentID < $1.firstContentID
            }
            if let response = try await client.result(ofMonitor: monitor.url), !units.isEmpty {
                try await record(response, to: units, isBatch: monitor.isBatch, into: &result)
            }
            // Outcomes that it does not state are looked for like any lost answer.
            try await store.file.write {
                try AcceptedRequests($0).forget(monitor.contentIDs.keys)
            }
        }
    }

    func record(
        _ response: HTTPResponse,
        to units: [OutgoingUnit],
        isBatch: Bool,
        into result: inout OfflineODataUploadResult
    ) async throws {
        var answers: [UnitAnswer] = []
        do {
            answers =
                isBatch
                ? try await batches.answers(response, to: units, isRepetition: false)
                : [SingleSender.answer(response, to: units[0], isRepetition: false)]
        } catch is RoundRefusal {
            // Nothing in the batch was looked at: it waits again.
            let ids = units.flatMap { $0.requests.map(\.entry.id) }
            return try await store.file.write { connection in
                for id in ids { try RequestQueue(connection).setPending(id, isForgotten: false) }
            }
        }
        try await recording.record(answers, into: &result)
        if let stop = answers.lazy.compactMap(\.stop).first { throw stop.error }
    }
}
