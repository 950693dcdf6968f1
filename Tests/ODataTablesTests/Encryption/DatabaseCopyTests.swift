@testable import ODataSQLite
import ODataSQL
import ODataValues
import TestSupport
import Testing

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// The copy of a database that a change of its key makes.
@Suite struct DatabaseCopyTests {
    /// The tables behind a search index are copied as they stand, and the index goes on with the copy.
    @Test(.enabled(if: SearchSupport.isPresent, Comment(rawValue: SearchSupport.absence)))
    func copiesSearchIndexes() throws {
        let folder = FileManager.default.temporaryDirectory.appending(
            path: "copy-\(UUID().uuidString)"
        )
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let (old, new) = (
            folder.appending(path: "old").path(), folder.appending(path: "new").path()
        )
        let index = try #require(SearchIndex(table: "Items", columns: ["Name"]))
        let source = try SQLiteConnection(path: old, mode: .create)
        try source.execute(
            """
            CREATE TABLE "Items" ("$id" INTEGER PRIMARY KEY, "Name" TEXT);
            INSERT INTO "Items" VALUES (1, 'red lamp'), (2, 'green lamp'), (3, 'door')
            """
        )
        for sql in [index.createStatement] + index.changesStatements + [index.fillStatement] {
            try source.execute(sql)
        }
        try source.execute("UPDATE \"Items\" SET \"Name\" = 'blue' WHERE \"$id\" = 3")
        let copy = try SQLiteConnection(path: new, mode: .create)
        try copy.attach(old, as: "old", key: nil)
        try DatabaseCopy(copy, from: "old").run()
        let again = try SQLiteConnection(path: new, mode: .readWrite)
        #expect(try again.text("PRAGMA integrity_check") == "ok")
        #expect(try schema(again) == schema(source))
        let search =
            "SELECT group_concat(rowid) FROM \"$search(Items)\" WHERE \"$search(Items)\" MATCH ?1"
        #expect(try again.text(search, [.text("lamp")]) == "1,2")
        #expect(try again.text(search, [.text("door")]) == "3")
        for sql in index.catchUpStatements { try again.run(sql) }
        #expect(try again.text(search, [.text("door")]) == nil)
        #expect(try again.text(search, [.text("blue")]) == "3")
        #expect(try again.integer(index.differencesStatement) == 0)
        #expect(throws: SQLiteError.self) {
            try again.execute("DELETE FROM \"$search(Items)_data\"")
        }
        #expect(throws: SQLiteError.self) {
            try copy.execute("DELETE FROM \"$search(Items)_data\"")
        }
    }

    private func schema(_ connection: SQLiteConnection) throws -> [String] {
        var lines: [String] = []
        try connection.forEachRow("SELECT \"name\", \"sql\" FROM main.sqlite_schema ORDER BY 1") {
            lines.append($0.string(0) + ": " + ($0.optionalString(1) ?? ""))
        }
        return lines
    }
}
