package import ODataHTTP
package import ODataAnswers
package import OfflineStore

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
    private let content: Content

    /// Where the bytes are.
    fileprivate enum Content: Sendable {
        case stored(Int64, LocalStore)
        /// What the service has answered, and the store does not keep.
        case answered([UInt8])
    }

    package init(_ head: StreamTable.Head, store: LocalStore) {
        contentType = head.contentType
        etag = head.etag
        byteCount = head.byteCount
        content = .stored(head.content, store)
    }

    package init(_ response: HTTPResponse) {
        contentType = response.headers["Content-Type"] ?? "application/octet-stream"
        etag = response.headers["ETag"]
        byteCount = Int64(response.body.count)
        content = .answered(response.body)
    }

    /// Whether the content is read from the store; else the service has just answered it, and the store does not keep it.
    public var isStored: Bool {
        if case .stored = content { return true }
        return false
    }

    /// Begins to read the content.
    public func makeAsyncIterator() -> Iterator { Iterator(content: content) }

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
        private let content: Content
        private var number: Int64 = 0

        fileprivate init(content: Content) { self.content = content }

        /// Returns the next piece; nil at the end.
        ///
        /// - Throws: ``OfflineODataError``; of the category `cancelled` when the task is cancelled.
        public mutating func next(
            isolation actor: isolated (any Actor)? = #isolation
        ) async throws(OfflineODataError) -> [UInt8]? {
            defer { number += 1 }
            switch content {
            case .answered(let bytes): return number == 0 && !bytes.isEmpty ? bytes : nil
            case .stored(let content, let store):
                do {
                    return try await store.piece(number, of: content)
                } catch {
                    throw OfflineODataError.whole(error)
                }
            }
        }
    }
}
