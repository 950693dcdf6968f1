import ODataModel
import ODataSQLite
import ODataTables
import ODataValues

/// The metadata document that the tables of a service's file were last served with.
enum ServiceDocument {
    static let createStatement = """
        CREATE TABLE IF NOT EXISTS "$metadata" ("id" INTEGER PRIMARY KEY, "document" BLOB NOT NULL)
        """

    /// Returns the model of that document; nil where it is this one, and where the file has none that can be read.
    static func former(_ connection: SQLiteConnection, unless document: [UInt8]) throws -> EdmModel?
    {
        try connection.execute(createStatement)
        let kept = try connection.firstRow(
            "SELECT \"document\" FROM \"$metadata\" WHERE \"document\" <> ?1",
            [.blob(document)]
        ) { $0.bytes(0) }
        guard let kept else { return nil }
        // Without it, what the tables hold is compared with the new model by its columns.
        return try? CSDLDocument(reading: kept).model
    }

    /// Keeps the document; writes nothing where the file has it.
    static func save(_ document: [UInt8], _ connection: SQLiteConnection) throws {
        try connection.run(
            """
            INSERT INTO "$metadata" VALUES (1, ?1) ON CONFLICT ("id") DO UPDATE
            SET "document" = excluded."document" WHERE "document" <> excluded."document"
            """,
            [.blob(document)]
        )
    }
}
