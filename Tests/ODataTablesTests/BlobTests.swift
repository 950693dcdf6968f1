import ODataSQLite
import ODataValues
import Testing

/// Blobs read whole, beside the page cache.
@Suite struct BlobTests {
    private static func connection() throws -> SQLiteConnection {
        let connection = try SQLiteConnection(path: ":memory:", mode: .create)
        try connection.execute("CREATE TABLE t (id INTEGER PRIMARY KEY, bytes BLOB)")
        return connection
    }

    @Test(arguments: [0, 1, 4_095, 1_000_003])
    func givesEveryByte(count: Int) throws {
        let connection = try Self.connection()
        let bytes = (0..<count).map { UInt8(truncatingIfNeeded: $0 &* 31 &+ $0 >> 8) }
        try connection.run("INSERT INTO t VALUES (7, ?1)", [.blob(bytes)])
        #expect(try connection.blob("bytes", of: "t", row: 7) == bytes)
        #expect(try connection.integer("PRAGMA cache_size") == -2_000)
    }

    @Test func givesNothingWhereThereIsNone() throws {
        let connection = try Self.connection()
        try connection.execute("INSERT INTO t VALUES (1, NULL), (2, 5)")
        for row in [1, 2, 3] as [Int64] {
            #expect(try connection.blob("bytes", of: "t", row: row) == nil, "row \(row)")
        }
        #expect(try connection.integer("PRAGMA cache_size") == -2_000)
    }
}
