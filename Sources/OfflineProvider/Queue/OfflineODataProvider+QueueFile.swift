public import OfflineValues
import StoreRecords
import StoreDownload
import StoreExchange

/// The queue as a file: what waits in one store, repeated in another.
extension OfflineODataProvider {
    /// Writes the requests that wait as a JSON array, with what is needed to repeat them, contents of streams included.
    ///
    /// Refused requests come along where waiting ones depend on them, or belong to the same transaction: without them these could not be
    /// repeated.
    ///
    /// - Parameter write: Takes the text piece by piece.
    /// - Returns: How many requests there were.
    /// - Throws: ``OfflineODataError``, and what `write` throws.
    @discardableResult
    public func exportQueue(to write: ([UInt8]) async throws -> Void) async throws -> Int {
        try await settings.log.work("queue.export", about: [], fields: Self.count) {
            let requests = try await Self.withRefused(requestQueue(), of: errorArchive())
            try await QueueFile.write(requests, of: self, put: write)
            return requests.count
        }
    }

    /// Writes the requests that wait into a new file under a key; it takes a SQLite that can encrypt.
    ///
    /// - Returns: How many requests there were.
    /// - Throws: ``OfflineODataError``, also where the file exists already.
    @discardableResult
    public func exportQueue(
        toFile path: String,
        key: OfflineODataEncryptionKey
    ) async throws -> Int {
        let pieces = try await mapping {
            try await DiskWork.run { PieceWriter(try EncryptedFile(making: path, key: key.key)) }
        }
        return try await exportQueue { try await pieces.append($0) }
    }

    /// Repeats the requests of a file that was exported under a key; see the form that takes the text.
    @discardableResult
    public func importQueue(
        fromFile path: String,
        key: OfflineODataEncryptionKey
    ) async throws -> Int {
        let json = try await mapping {
            try await DiskWork.run { try EncryptedFile(reading: path, key: key.key).contents() }
        }
        return try await importQueue(json)
    }

    /// Writes pieces one after the other, on threads that may wait.
    ///
    /// What guards what: whoever appends waits for the end of it before the next.
    private final class PieceWriter: @unchecked Sendable {
        private let file: EncryptedFile

        init(_ file: EncryptedFile) { self.file = file }

        func append(_ piece: [UInt8]) async throws {
            try await DiskWork.run { [self] in try file.append(piece) }
        }
    }

    /// Repeats the requests of an exported queue as changes of this store; answers how many.
    ///
    /// They keep their transactions, categories, tags and header fields. Entities that they create get local ids of this store.
    ///
    /// - Throws: ``OfflineODataError`` at the first request that the store refuses; those before it are taken back.
    @discardableResult
    public func importQueue(_ json: [UInt8]) async throws -> Int {
        try await settings.log.work("queue.import", about: [], fields: Self.count) {
            try await mapping { try await QueueFile(json).replay(in: self) }
        }
    }

    /// Puts in what requests cannot do without, ahead of them.
    private static func withRefused(
        _ requests: [OfflineODataRequest],
        of archive: [OfflineODataRequest]
    ) -> [OfflineODataRequest] {
        var refused = Dictionary(archive.map { ($0.id, $0) }) { first, _ in first }
        let fellows = Dictionary(grouping: archive, by: \.transactionID)
        var complete: [OfflineODataRequest] = []
        func add(_ request: OfflineODataRequest) {
            let members = request.transactionID.flatMap { fellows[$0] } ?? []
            for id in request.dependsOn + members.map(\.id) {
                if let needed = refused.removeValue(forKey: id) { add(needed) }
            }
            complete.append(request)
        }
        requests.forEach(add)
        return complete
    }

    private static func count(_ requests: Int) -> [Log.Field] { [("requests", .count(requests))] }
}
