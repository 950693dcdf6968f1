/// The queue as a file: what waits in one store, repeated in another.
extension OfflineODataProvider {
    /// Writes the requests that wait as a JSON array, with what is needed to repeat them, contents of streams included.
    ///
    /// - Parameter write: Takes the text piece by piece.
    /// - Returns: How many requests there were.
    /// - Throws: ``OfflineODataError``, and what `write` throws.
    @discardableResult
    public func exportQueue(to write: ([UInt8]) async throws -> Void) async throws -> Int {
        try await settings.log.work("queue.export", [], Self.count) {
            let requests = try await requestQueue()
            try await QueueFile.write(requests, of: self, write)
            return requests.count
        }
    }

    /// Repeats the requests of an exported queue as changes of this store; answers how many.
    ///
    /// They keep their transactions, categories, tags and header fields. Entities that they create get local ids of this store.
    ///
    /// - Throws: ``OfflineODataError`` at the first request that the store refuses; those before it stay.
    @discardableResult
    public func importQueue(_ json: [UInt8]) async throws -> Int {
        try await settings.log.work("queue.import", [], Self.count) {
            try await mapping { try await QueueFile(json).replay(in: self) }
        }
    }

    private static func count(_ requests: Int) -> [Log.Field] { [("requests", .count(requests))] }
}
