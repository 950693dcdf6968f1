import ODataPayload
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
            guard var partial = try recorded(connection, target), partial.link == target.link,
                let head = try StreamTable(connection).head(content: partial.content)
            else { return nil }
            partial.contentType = head.contentType
            partial.byteCount = head.byteCount
            return partial
        }
    }

    /// Writes down that the rest of a stream is still to come, in place of any other stream.
    package func record(in store: LocalStore) async throws {
        let fields = [String(row), property, String(content), etag, link]
        guard fields.allSatisfy({ !$0.contains("\n") }) else { return }
        try await store.file.write { connection in
            let former = try Self.content(connection)
            try connection.setMetaValue(Self.key, .text(fields.joined(separator: "\n")))
            if let former, former != content { try StoreStreams(connection).sweep([former]) }
        }
    }

    private static func fields(_ connection: SQLiteConnection) throws -> [String]? {
        guard case .text(let text)? = try connection.metaValue(key) else { return nil }
        let fields = text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
        return fields.count == 5 ? fields : nil
    }

    private static func content(_ connection: SQLiteConnection) throws -> Int64? {
        try fields(connection).flatMap { Int64($0[2]) }
    }

    private static func recorded(_ connection: SQLiteConnection, _ target: MediaTarget) throws
        -> PartialStream?
    {
        guard let fields = try fields(connection), fields[0] == String(target.row),
            fields[1] == target.property, let content = Int64(fields[2])
        else { return nil }
        var partial = PartialStream(of: target, etag: fields[3], content: content)
        partial.link = fields[4]
        return partial
    }
}
