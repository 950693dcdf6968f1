import ODataService
import OfflineStore

/// The content of a media entity or a stream property, read from the store piece by piece.
///
/// Iterating reads at most 256 KiB at a time. A content that is replaced meanwhile ends the iteration with an error.
public struct OfflineODataStream: Sendable, AsyncSequence {
    /// Media type, such as `image/jpeg`.
    public let contentType: String
    /// The service's ETag of the content; nil where it has not given one.
    public let etag: String?
    /// Number of bytes.
    public let byteCount: Int64
    private let content: Int64
    private let store: LocalStore

    init(_ head: StreamTable.Head, _ store: LocalStore) {
        contentType = head.contentType
        etag = head.etag
        byteCount = head.byteCount
        content = head.content
        self.store = store
    }

    /// Begins to read the content.
    public func makeAsyncIterator() -> Iterator {
        Iterator(content: content, store: store)
    }

    /// Reads the whole content into memory.
    ///
    /// - Throws: ``OfflineODataError``; of the category `cancelled` when the task is cancelled.
    public func bytes() async throws(OfflineODataError) -> [UInt8] {
        var bytes: [UInt8] = []
        for try await piece in self { bytes += piece }
        return bytes
    }

    /// Pieces of the content in order.
    public struct Iterator: AsyncIteratorProtocol {
        fileprivate let content: Int64
        fileprivate let store: LocalStore
        private var number: Int64 = 0

        fileprivate init(content: Int64, store: LocalStore) {
            self.content = content
            self.store = store
        }

        /// Returns the next piece; nil at the end.
        ///
        /// - Throws: ``OfflineODataError``; of the category `cancelled` when the task is cancelled.
        public mutating func next(
            isolation actor: isolated (any Actor)? = #isolation
        ) async throws(OfflineODataError) -> [UInt8]? {
            defer { number += 1 }
            do {
                return try await store.piece(number, of: content)
            } catch {
                throw OfflineODataError.whole(error)
            }
        }
    }
}
