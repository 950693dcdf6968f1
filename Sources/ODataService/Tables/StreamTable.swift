import ODataProtocol
package import ODataTables

/// Media streams in pieces, so that no value of the file is larger than a piece.
///
/// Used inside a transaction.
package struct StreamTable {
    let connection: SQLiteConnection

    /// Bytes of a piece: large enough for few rows, small enough to be held in memory by many readers.
    package static let pieceSize = 256 * 1024

    package init(_ connection: SQLiteConnection) {
        self.connection = connection
    }

    /// What is known of a stream besides its bytes.
    package struct Head: Sendable, Equatable {
        package var contentType: String
        package var etag: String
        package var byteCount: Int64
    }

    static let createStatements = [
        """
        CREATE TABLE IF NOT EXISTS "$streamHead" (
            "row" INTEGER NOT NULL, "property" TEXT NOT NULL,
            "contentType" TEXT NOT NULL, "etag" TEXT NOT NULL, "byteCount" INTEGER NOT NULL,
            PRIMARY KEY ("row", "property")
        ) WITHOUT ROWID
        """,
        """
        CREATE TABLE IF NOT EXISTS "$stream" (
            "row" INTEGER NOT NULL, "property" TEXT NOT NULL, "piece" INTEGER NOT NULL,
            "bytes" BLOB NOT NULL, UNIQUE ("row", "property", "piece")
        )
        """,
    ]

    /// Whether the file has streams.
    package var exists: Bool {
        get throws {
            try connection.integer("SELECT 1 FROM sqlite_schema WHERE \"name\" = '$streamHead'")
                != nil
        }
    }

    /// Returns what is known of a row's stream; the media stream of the entity itself has the empty name.
    package func head(of row: Int64, property: String = "") throws -> Head? {
        try connection.firstRow(
            """
            SELECT "contentType", "etag", "byteCount" FROM "$streamHead"
            WHERE "row" = ?1 AND "property" = ?2
            """,
            [.integer(row), .text(property)]
        ) { Head(contentType: $0.string(0), etag: $0.string(1), byteCount: $0.integer(2)) }
    }

    /// Returns a stream's bytes.
    package func content(of row: Int64, property: String = "") throws -> [UInt8] {
        var content: [UInt8] = []
        try connection.forEachRow(
            """
            SELECT "bytes" FROM "$stream" WHERE "row" = ?1 AND "property" = ?2 ORDER BY "piece"
            """,
            [.integer(row), .text(property)]
        ) { content += $0.bytes(0) }
        return content
    }

    /// Replaces a stream.
    package func set(
        _ content: [UInt8],
        contentType: String,
        etag: String,
        of row: Int64,
        property: String = ""
    ) throws {
        try remove(of: row, property: property)
        try connection.run(
            "INSERT INTO \"$streamHead\" VALUES (?1, ?2, ?3, ?4, ?5)",
            [
                .integer(row), .text(property), .text(contentType), .text(etag),
                .integer(Int64(content.count)),
            ]
        )
        for (piece, start) in stride(from: 0, to: content.count, by: Self.pieceSize).enumerated() {
            let end = min(start + Self.pieceSize, content.count)
            try connection.run(
                "INSERT INTO \"$stream\" VALUES (?1, ?2, ?3, ?4)",
                [
                    .integer(row), .text(property), .integer(Int64(piece)),
                    .blob(Array(content[start..<end])),
                ]
            )
        }
    }

    /// Removes a stream, or every stream of a row.
    package func remove(of row: Int64, property: String? = nil) throws {
        for table in ["$streamHead", "$stream"] {
            try connection.run(
                """
                DELETE FROM \(table.sqlQuoted)
                WHERE "row" = ?1 AND (?2 IS NULL OR "property" = ?2)
                """,
                [.integer(row), property.map { .text($0) } ?? .null]
            )
        }
    }
}
