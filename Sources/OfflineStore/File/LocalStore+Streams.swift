import StoreRecords
package import ODataBinding
import ODataSQL
package import ODataHTTP
package import ODataAnswers
import ODataTables
import Synchronization

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// Long streams, written and read piece by piece: no more than a piece is in memory, and no transaction waits for the next one.
extension LocalStore {
    /// How long an unreferenced content may take to be written, in seconds.
    static let spoolLifetime: Int64 = 86_400

    /// Bytes of each piece of a content but the last.
    package static let contentPieceSize = StreamTable.pieceSize

    /// Returns what is known of a content that a request sends.
    ///
    /// - Throws: ``StoreError`` where there is none of this number.
    package func contentHead(_ content: Int64) async throws -> StreamTable.Head {
        try await file.read { connection in
            guard let head = try StreamTable(connection).head(content: content) else {
                throw StoreError(
                    .notFound,
                    "the stream that a request sends does not exist any more"
                )
            }
            return head
        }
    }

    /// Returns a content from its beginning, piece by piece as they are asked for.
    package func contentBody(_ content: Int64) -> HTTPBody {
        let number = PieceNumber()
        return HTTPBody { [self] in try await piece(number.take(), of: content) }
    }

    /// Begins a content and returns its id; contents that were begun long ago and never used are removed on this occasion.
    package func beginContent(contentType: String) async throws -> Int64 {
        let now = Int64(Date().timeIntervalSince1970)
        return try await file.write { connection in
            try StoreStreams(connection).sweepAbandoned(before: now - Self.spoolLifetime)
            return try StreamTable(connection).begin(contentType: contentType, started: now)
        }
    }

    /// Appends a piece to a content; each but the last is `StreamTable.pieceSize` bytes long.
    package func append(_ piece: [UInt8], to content: Int64) async throws {
        try await file.write { try StreamTable($0).append(piece, to: content) }
    }

    /// Removes a content that will not be used.
    package func discard(content: Int64) async throws {
        try await file.write { try StoreStreams($0).sweep([content]) }
    }

    /// Returns what is known of the stream of an entity; nil where it has none.
    ///
    /// - Throws: `EditError` where there is no such entity.
    package func streamHead(at path: EntityPath, property: String) async throws -> StreamTable.Head?
    {
        try await read { query, _ in
            guard let row = try query.rows(path).first else {
                throw EditError(.notFound, "there is no such entity in the store")
            }
            return try StreamTable(query.connection).head(of: row.row, property: property)
        }
    }

    /// Returns a piece of a content, counted from 0; nil behind the last one.
    ///
    /// - Throws: ``StoreError`` where the content has been replaced since its reading began.
    package func piece(_ number: Int64, of content: Int64) async throws -> [UInt8]? {
        try await file.read { connection in
            if let piece = try StreamTable(connection).piece(number, of: content) { return piece }
            guard try StreamTable(connection).head(content: content) != nil else {
                throw StoreError(
                    .wrongState,
                    "the stream was replaced while it was read: read it again"
                )
            }
            return nil
        }
    }
}

/// Counts the pieces of a content while it is read.
private final class PieceNumber: Sendable {
    private let next = Atomic<Int64>(0)

    /// Returns the next number, from 0 on.
    func take() -> Int64 { next.add(1, ordering: .relaxed).oldValue }
}
