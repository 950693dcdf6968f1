import ODataClient
import StoreUpload
import StoreRecords
import StoreDownload
import OfflineValues
import OfflineStore

/// Reads the service's present content of a stream that a queued request is about.
struct ServerStream {
    let store: LocalStore
    let client: ServiceClient

    /// What the service has, compared with what the request was made on.
    enum Found: Sendable {
        case missing
        /// What the request sends, or what it was made on.
        case known(ServerStanding, etag: String?)
        /// The content of another client, received completely and not referred to yet.
        case other(content: Int64, etag: String?)
    }

    /// Asks the service.
    ///
    /// - Parameter url: Where the request itself goes.
    /// - Throws: where the service cannot be asked.
    func read(_ entry: QueueEntry, sentTo url: String) async throws -> Found {
        let link = try await MediaTarget.readLink(of: entry, store)
        let stated = link.flatMap { try? client.url.resolve($0) }
        let download = MediaDownload(
            store: store,
            client: client,
            progress: ProgressReporter(.upload) { _ in }
        )
        guard
            case .content(let content, let etag) = try await download.fetch(
                stated ?? client.url.target(url)
            )
        else { return .missing }
        let standing = try await store.file.read { [store] connection in
            try UploadRecorder(connection, schema: store.schema(connection))
                .standing(ofContent: content, etag: etag, for: entry)
        }
        guard case .other = standing else {
            try await store.discard(content: content)
            return .known(standing, etag: etag)
        }
        return .other(content: content, etag: etag)
    }
}
