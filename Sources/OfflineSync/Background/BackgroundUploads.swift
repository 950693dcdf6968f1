import StoreUpload
import StoreRecords
import ODataSQLite
import OfflineValues
import ODataClient
import ODataHTTP
import OfflineStore

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// Sends requests through a background session, and takes up what it has left from an earlier process.
struct BackgroundUploads: Sendable {
    let session: any BackgroundUploadSession
    let store: LocalStore

    // MARK: Sending

    /// Sends a message and answers its response; the store knows of it before the session does.
    ///
    /// - Throws: `HTTPTransportError` where no answer came.
    func send(_ message: HTTPRequest, for item: UploadSpool.Item) async throws -> HTTPResponse {
        let file = bodyFile(item.id)
        try await DiskWork.run { [body = message.body] in try Self.write(body, to: file) }
        do {
            try await store.file.write { try UploadSpool($0).put(item) }
            var head = message
            head.body = []
            try await session.start(head, bodyFile: file, name: item.id)
        } catch {
            try? FileManager.default.removeItem(atPath: file)
            throw error
        }
        let task = try await session.end(of: item.id)
        return try await take(task, item: item)
    }

    private func take(
        _ task: BackgroundUploadTask?,
        item: UploadSpool.Item
    ) async throws -> HTTPResponse {
        switch task?.state {
        case .answered(let response):
            _ = try await store.file.write {
                try UploadSpool($0).answer(item.id, message: response.message)
            }
            await remove(item.id, task: task)
            return response
        case .failed(let isCertainlyUnsent):
            await remove(item.id, task: task)
            try await store.file.write { try UploadSpool($0).remove(item.id) }
            throw HTTPTransportError(
                isCertainlyUnsent ? .notConnected : .connectionLost,
                "the background session brought no answer"
            )
        case .running, nil:
            throw HTTPTransportError(.connectionLost, "the background session has lost the task")
        }
    }

    private func remove(_ id: String, task: BackgroundUploadTask?) async {
        if let task { await session.remove(task) }
        try? FileManager.default.removeItem(atPath: bodyFile(id))
    }

    // MARK: After a relaunch

    /// Finds the tasks of earlier processes again, waits for those that run, and puts their answers into the store.
    func takeUp() async throws {
        var waitedFor: Set<String> = []
        while true {
            let items = try await store.file.write { try UploadSpool($0).items() }
            let found = BackgroundReconciliation(items, tasks: await session.tasks())
            try await carryOut(found)
            guard let next = found.running.first(where: { waitedFor.insert($0).inserted }) else {
                return
            }
            _ = try await session.end(of: next)
        }
    }

    private func carryOut(_ found: BackgroundReconciliation) async throws {
        try await store.file.write { connection in
            let spool = UploadSpool(connection)
            for (id, response) in found.answers { try spool.answer(id, message: response.message) }
            for id in found.unsent { try Self.giveBack(id, on: connection) }
            for id in found.unsent + found.lost { try spool.remove(id) }
        }
        // Only when the store has what they have brought.
        for task in found.removed {
            await session.remove(task)
            guard let name = task.name else { continue }
            try? FileManager.default.removeItem(atPath: bodyFile(name))
        }
    }

    private static func giveBack(_ id: String, on connection: SQLiteConnection) throws {
        let queue = RequestQueue(connection)
        let item = try UploadSpool(connection).items().first { $0.id == id }
        for request in item?.contentIDs.keys.sorted() ?? [] {
            try queue.setPending(request, isForgotten: false)
        }
    }

    // MARK: Files

    private func bodyFile(_ id: String) -> String {
        store.file.path + StoreFiles.uploadMark + id
    }

    /// The session of the system opens the file by itself, also while the device is locked.
    private static func write(_ body: [UInt8], to file: String) throws {
        guard
            FileManager.default.createFile(
                atPath: file,
                contents: Data(body),
                attributes: [.posixPermissions: 0o600]
            )
        else {
            throw OfflineODataError(
                .internal,
                "cannot write \(file) for the background session",
                code: .storage
            )
        }
    }
}

extension LostAnswers {
    /// Takes up what a background session has carried on.
    func settleBackground() async throws {
        guard let session = settings.background else { return }
        try await BackgroundUploads(session: session, store: store).takeUp()
    }
}

extension UploadSettings {
    /// Sends a change: through the background session where there is one, else by the client.
    func write(
        _ message: HTTPRequest,
        requests: [OutgoingRequest],
        isBatch: Bool,
        in store: LocalStore,
        through client: ServiceClient,
        budget: RetryBudget
    ) async throws -> HTTPResponse {
        try await client.write(
            message.method,
            absolute: message.url,
            headers: message.headers,
            body: message.body,
            streamedBody: message.streamedBody,
            budget: budget,
            // The content of a stream is sent while it is read.
            carrier: message.streamedBody == nil
                ? carrier(requests, isBatch: isBatch, in: store) : nil
        ) { url in
            try await store.noteAccepted(requests, at: url, isBatch: isBatch)
        }
    }

    private func carrier(
        _ requests: [OutgoingRequest],
        isBatch: Bool,
        in store: LocalStore
    ) -> ServiceClient.Carrier? {
        guard let background else { return nil }
        let contentIDs = Dictionary(
            requests.map { ($0.entry.id, $0.contentID) },
            uniquingKeysWith: { first, _ in first }
        )
        let uploads = BackgroundUploads(session: background, store: store)
        return { message in
            let item = UploadSpool.Item(form: isBatch ? .batch : .single, contentIDs: contentIDs)
            return try await uploads.send(message, for: item)
        }
    }
}
