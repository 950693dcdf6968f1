package import ODataSQLite
import ODataHTTP
import ODataValues
package import ODataSQL
import ODataTables

/// Media streams in pieces, so that no value of the file is larger than a piece.
///
/// A content is written piece by piece under an id of its own; `$streamHead` says which content is the present one of a row and a
/// property. So a long content is stored before it is visible, and made current by one small change. Used inside a transaction.
package struct StreamTable {
    package let connection: SQLiteConnection

    /// Bytes of a piece: large enough for few rows, small enough to be held in memory by many readers.
    package static let pieceSize = 256 * 1024

    package init(_ connection: SQLiteConnection) {
        self.connection = connection
    }

    /// What is known of a stream besides its bytes.
    package struct Head: Sendable, Equatable {
        /// Id of the bytes.
        package var content: Int64
        package var contentType: String
        /// The media ETag; nil where the service has not given one.
        package var etag: String?
        package var byteCount: Int64

        package init(content: Int64, contentType: String, etag: String?, byteCount: Int64) {
            (self.content, self.contentType) = (content, contentType)
            (self.etag, self.byteCount) = (etag, byteCount)
        }
    }

    /// The statements that make the tables.
    package static let createStatements = [
        """
        CREATE TABLE IF NOT EXISTS "$content" (
            "id" INTEGER PRIMARY KEY, "contentType" TEXT NOT NULL, "etag" TEXT,
            "byteCount" INTEGER NOT NULL DEFAULT 0, "started" INTEGER NOT NULL DEFAULT 0
        )
        """,
        """
        CREATE TABLE IF NOT EXISTS "$streamHead" (
            "row" INTEGER NOT NULL, "property" TEXT NOT NULL, "content" INTEGER NOT NULL,
            PRIMARY KEY ("row", "property")
        ) WITHOUT ROWID
        """,
        "CREATE INDEX IF NOT EXISTS \"$streamHead:content\" ON \"$streamHead\" (\"content\")",
        """
        CREATE TABLE IF NOT EXISTS "$stream" (
            "content" INTEGER NOT NULL, "piece" INTEGER NOT NULL, "bytes" BLOB NOT NULL,
            UNIQUE ("content", "piece")
        )
        """,
    ]

    // MARK: Contents

    /// Begins a content and returns its id.
    ///
    /// - Parameter started: Seconds since 1970; identifies contents that were begun and never used.
    package func begin(contentType: String, etag: String? = nil, started: Int64 = 0) throws -> Int64
    {
        guard HTTPFieldRules.isValue(contentType) else {
            throw EditError(
                .invalid,
                "'\(HTTPFieldRules.cleaned(contentType))' is no media type: it holds control characters"
            )
        }
        let id = try connection.takeRowID()
        try connection.run(
            """
            INSERT INTO "$content" ("id", "contentType", "etag", "started") VALUES (?1, ?2, ?3, ?4)
            """,
            [.integer(id), .text(contentType), etag.map { .text($0) } ?? .null, .integer(started)]
        )
        return id
    }

    /// Appends bytes, at most a piece of them, to a content.
    ///
    /// Every piece but the last is of the full size.
    package func append(_ bytes: [UInt8], to content: Int64) throws {
        guard !bytes.isEmpty else { return }
        let length =
            try connection.integer(
                """
                UPDATE "$content" SET "byteCount" = "byteCount" + ?2 WHERE "id" = ?1
                RETURNING "byteCount"
                """,
                [.integer(content), .integer(Int64(bytes.count))]
            ) ?? 0
        let piece = (length - Int64(bytes.count)) / Int64(Self.pieceSize)
        try connection.run(
            "INSERT INTO \"$stream\" (\"content\", \"piece\", \"bytes\") VALUES (?1, ?2, ?3)",
            [.integer(content), .integer(piece), .blob(bytes)]
        )
    }

    /// Stores a content that is in memory as a whole, and returns its id.
    package func add(_ bytes: [UInt8], contentType: String, etag: String? = nil) throws -> Int64 {
        let content = try begin(contentType: contentType, etag: etag)
        for start in stride(from: 0, to: bytes.count, by: Self.pieceSize) {
            let end = min(start + Self.pieceSize, bytes.count)
            try append(Array(bytes[start..<end]), to: content)
        }
        return content
    }

    /// Sets the media ETag of a content.
    package func setETag(_ etag: String?, of content: Int64) throws {
        try connection.run(
            "UPDATE \"$content\" SET \"etag\" = ?2 WHERE \"id\" = ?1",
            [.integer(content), etag.map { .text($0) } ?? .null]
        )
    }

    /// Marks the media ETag of a content as one that has to be read: the service took the content and did not state the ETag.
    package func setETagStale(of content: Int64) throws {
        try setETag("", of: content)
    }

    /// Whether the media ETag of a content has to be read before the stream is changed.
    package func hasStaleETag(content: Int64) throws -> Bool {
        try connection.integer(
            "SELECT 1 FROM \"$content\" WHERE \"id\" = ?1 AND \"etag\" = ''",
            [.integer(content)]
        ) != nil
    }

    /// Whether two contents have the same bytes; compared piece by piece, which are of one size in both.
    package func isSame(_ content: Int64, as other: Int64) throws -> Bool {
        guard let first = try head(content: content), let second = try head(content: other),
            first.byteCount == second.byteCount
        else { return false }
        return try connection.integer(
            """
            SELECT 1 FROM "$stream" a JOIN "$stream" b ON b."content" = ?2 AND b."piece" = a."piece"
            WHERE a."content" = ?1 AND a."bytes" <> b."bytes" LIMIT 1
            """,
            [.integer(content), .integer(other)]
        ) == nil
    }

    /// Removes a content with its bytes.
    package func remove(content: Int64) throws {
        for (table, column) in [("$stream", "content"), ("$content", "id")] {
            try connection.run(
                "DELETE FROM \(table.sqlQuoted) WHERE \(column.sqlQuoted) = ?1",
                [.integer(content)]
            )
        }
    }

    /// Returns what is known of a content; nil where it is gone.
    package func head(content: Int64) throws -> Head? {
        try connection.firstRow(
            """
            SELECT "id", "contentType", nullif("etag", ''), "byteCount" FROM "$content" WHERE "id" = ?1
            """,
            [.integer(content)],
            Self.head
        )
    }

    private static func head(_ row: SQLiteStatement) -> Head {
        Head(
            content: row.integer(0),
            contentType: row.string(1),
            etag: row.optionalString(2),
            byteCount: row.integer(3)
        )
    }

    /// Returns a piece of a content, counted from 0; nil behind the last one.
    package func piece(_ number: Int64, of content: Int64) throws -> [UInt8]? {
        try connection.firstRow(
            "SELECT \"bytes\" FROM \"$stream\" WHERE \"content\" = ?1 AND \"piece\" = ?2",
            [.integer(content), .integer(number)]
        ) { $0.bytes(0) }
    }

    /// Returns the bytes of a content between two places, the second one not among them.
    package func bytes(_ range: Range<Int64>, of content: Int64) throws -> [UInt8] {
        guard !range.isEmpty else { return [] }
        let size = Int64(Self.pieceSize)
        var found: [UInt8] = []
        found.reserveCapacity(range.count)
        for number in range.lowerBound / size...(range.upperBound - 1) / size {
            guard let piece = try piece(number, of: content) else { break }
            let start = max(0, range.lowerBound - number * size)
            let end = min(Int64(piece.count), range.upperBound - number * size)
            if start < end { found += piece[Int(start)..<Int(end)] }
        }
        return found
    }

    // MARK: Streams of rows

    /// Returns what is known of a row's stream; the media stream of the entity itself has the empty name.
    package func head(of row: Int64, property: String = "") throws -> Head? {
        try connection.firstRow(
            """
            SELECT c."id", c."contentType", nullif(c."etag", ''), c."byteCount"
            FROM "$streamHead" h JOIN "$content" c ON c."id" = h."content"
            WHERE h."row" = ?1 AND h."property" = ?2
            """,
            [.integer(row), .text(property)],
            Self.head
        )
    }

    /// Makes a content the present one of a row and a property, none where nil, and returns the former one.
    @discardableResult
    package func point(_ row: Int64, property: String, to content: Int64?) throws -> Int64? {
        let former = try head(of: row, property: property)?.content
        if let content {
            try connection.run(
                "INSERT OR REPLACE INTO \"$streamHead\" VALUES (?1, ?2, ?3)",
                [.integer(row), .text(property), .integer(content)]
            )
        } else {
            try connection.run(
                "DELETE FROM \"$streamHead\" WHERE \"row\" = ?1 AND \"property\" = ?2",
                [.integer(row), .text(property)]
            )
        }
        return former == content ? nil : former
    }

    /// Forgets the streams of a row and returns their contents.
    package func unpoint(_ row: Int64) throws -> [Int64] {
        var contents: [Int64] = []
        try connection.forEachRow(
            "DELETE FROM \"$streamHead\" WHERE \"row\" = ?1 RETURNING \"content\"",
            [.integer(row)]
        ) { contents.append($0.integer(0)) }
        return contents
    }

    /// Writes the control information of a stream into the row that has it (OData JSON 4.01 § 4.6.14).
    package func writeControl(of row: Int64, in table: TableLayout, property: String) throws {
        let head = try head(of: row, property: property)
        var writer = JSONWriter()
        writer.beginObject()
        let members = [("mediaContentType", head?.contentType), ("mediaEtag", head?.etag)]
        for (name, value) in members {
            writer.name("\(property)@odata.\(name)")
            if let value { writer.string(value) } else { writer.null() }
        }
        writer.endObject()
        try connection.run(
            """
            UPDATE \(table.sql) SET "$control" = nullif(json_patch(coalesce("$control", '{}'), ?2), '{}')
            WHERE "$id" = ?1
            """,
            [.integer(row), .text(String(decoding: writer.bytes, as: UTF8.self))]
        )
    }
}
