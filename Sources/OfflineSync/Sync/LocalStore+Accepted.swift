import StoreUpload
import StoreRecords
import OfflineStore

extension LocalStore {
    /// Writes down where the answer is to be had of requests that the service works at.
    func noteAccepted(_ requests: [OutgoingRequest], at url: String, isBatch: Bool) async throws {
        let contentIDs = Dictionary(
            requests.map { ($0.entry.id, $0.contentID) },
            uniquingKeysWith: { first, _ in first }
        )
        try await file.write { connection in
            try AcceptedRequests(connection).note(
                .init(url: url, isBatch: isBatch, contentIDs: contentIDs)
            )
        }
    }
}
