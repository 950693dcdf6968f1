package import StoreRecords
package import OfflineStore
import ODataValues
import ODataSQLite
import ODataAnswers
import ODataTables

/// A stream of which a part has come: the bytes are a content that no entity has yet, and a later download goes on with them.
package struct PartialStream: Sendable, Equatable {
    /// The row of the entity.
    package var row: Int64
    /// Name of the stream property; empty for the stream of a media entity.
    package var property: String
    /// Where the rest is.
    package var link: String
    /// The strong ETag of the stream.
    package var etag: String
    /// The content with the part.
    package var content: Int64
    /// Its media type.
    package var contentType = ""
    /// Bytes that have come.
    package var byteCount: Int64 = 0

    /// Describes a part of a stream.
    package init(of target: MediaTarget, etag: String, content: Int64) {
        (row, property, link) = (target.row, target.property, target.link)
        (self.etag, self.content) = (etag, content)
    }

    private static let key = "partialStream"

    /// Returns what has come of a stream; nil where nothing has, or where it was removed since.
    package static func read(of target: MediaTarget, _ store: LocalStore) async throws
        -> PartialStream?
    {
        try await store.file.read { connection in
            guard var partial = try recorded(connection, target: target),
                partial.link == target.link,
                try partial.isStillToCome(connection),
                let head = try StreamTable(connection).head(content: partial.content)
            else { return nil }
            partial.contentType = head.contentType
            partial.byteCount = head.byteCount
            return partial
        }
    }

    /// Writes down that the rest of a stream is still to come, beside others that are on their way.
    ///
    /// Nothing is removed here: a content without an entity may be one that is being received. What a killed process has left goes with
    /// the other abandoned contents.
    package func record(in store: LocalStore) async throws {
        guard fields.allSatisfy({ !$0.contains("\n") }) else { return }
        try await store.file.write { connection in
            let others = try Self.all(connection).filter { other in
                guard (other.row, other.property) != (row, property), other.content != content
                else { return false }
                return try other.isStillToCome(connection)
            }
            let lines = (others + [self]).flatMap(\.fields)
            try connection.setMetaValue(Self.key, to: .text(lines.joined(separator: "\n")))
        }
    }

    /// The lines that it is kept in.
    private var fields: [String] { [String(row), property, String(content), etag, link] }

    private init?(fields: ArraySlice<String>) {
        let fields = Array(fields)
        guard fields.count == 5, let row = Int64(fields[0]), let content = Int64(fields[2]) else {
            return nil
        }
        (self.row, property, self.content) = (row, fields[1], content)
        (etag, link) = (fields[3], fields[4])
    }

    /// Whether no entity has the content yet.
    private func isStillToCome(_ connection: SQLiteConnection) throws -> Bool {
        try connection.integer(
            """
            SELECT 1 FROM "$content" WHERE "id" = ?1
                AND NOT EXISTS (SELECT 1 FROM "$streamHead" WHERE "content" = ?1)
            """,
            [.integer(content)]
        ) != nil
    }

    private static func all(_ connection: SQLiteConnection) throws -> [PartialStream] {
        guard case .text(let text)? = try connection.metaValue(key) else { return [] }
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
        return stride(from: 0, to: lines.count, by: 5).compactMap {
            PartialStream(fields: lines[$0..<min($0 + 5, lines.count)])
        }
    }

    private static func recorded(_ connection: SQLiteConnection, target: MediaTarget) throws
        -> PartialStream?
    {
        try all(connection).first { $0.row == target.row && $0.property == target.property }
    }
}
