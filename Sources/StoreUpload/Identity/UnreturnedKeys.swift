package import ODataSQLite
package import ODataSQL
import ODataValues
import ODataTables

/// Entities that the service has created without returning their key.
///
/// The key that the client has sent may be another entity's: nothing is sent to it before the service has shown the entity with it.
/// Few services do so, so the table is made when the first entity comes.
package struct UnreturnedKeys {
    private static let table = "$untold"
    private static let inlineKey = "untoldInline"
    private let connection: SQLiteConnection

    package init(_ connection: SQLiteConnection) {
        self.connection = connection
    }

    private func isUsed() throws -> Bool { try connection.tableNames().contains(Self.table) }

    /// Remembers an entity.
    func note(_ row: Int64, in table: TableLayout) throws {
        try connection.execute(
            """
            CREATE TABLE IF NOT EXISTS "$untold" ("row" INTEGER PRIMARY KEY, "table" TEXT NOT NULL, "link" TEXT)
            """
        )
        try connection.run(
            "INSERT OR IGNORE INTO \"$untold\" VALUES (?1, ?2, NULL)",
            [.integer(row), .text(table.name)]
        )
    }

    /// Remembers the link by the key that was sent and has turned out to be another entity's: bodies may hold the key.
    func setFormerLink(_ link: String, of row: Int64) throws {
        try connection.run(
            "UPDATE \"$untold\" SET \"link\" = ?2 WHERE \"row\" = ?1",
            [.integer(row), .text(link)]
        )
    }

    /// The link by the key that was sent; nil where that key is still the row's.
    func formerLink(of row: Int64) throws -> String? {
        guard try isUsed() else { return nil }
        return try connection.firstRow(
            "SELECT \"link\" FROM \"$untold\" WHERE \"row\" = ?1",
            [.integer(row)]
        ) { $0.optionalString(0) } ?? nil
    }

    /// Returns a query of rows without those whose key is not known.
    package func leftOut(of selection: String) throws -> String {
        try isUsed() ? "\(selection) EXCEPT SELECT \"row\" FROM main.\"$untold\"" : selection
    }

    /// Forgets an entity: its key is known.
    package func remove(_ row: Int64) throws {
        guard try isUsed() else { return }
        try connection.run("DELETE FROM \"$untold\" WHERE \"row\" = ?1", [.integer(row)])
        let inline = try inline()
        guard inline.contains(row) else { return }
        try connection.setMetaIDs(Self.inlineKey, to: inline.subtracting([row]).sorted())
    }

    /// Remembers of entities that they were created with what contains them: all that is in that was created with it.
    func noteInline(_ rows: some Collection<Int64>) throws {
        guard !rows.isEmpty else { return }
        try connection.setMetaIDs(Self.inlineKey, to: inline().union(rows).sorted())
    }

    /// Those that were created with the entity that contains them.
    private func inline() throws -> Set<Int64> { Set(try connection.metaIDs(Self.inlineKey)) }

    /// The other entities that were created with the one that contains a row.
    ///
    /// - Returns: nil where the row was not created so.
    package func siblings(of row: Int64, in table: TableLayout, layout: Layout) throws -> [Int64]? {
        let inline = try inline()
        guard table.isContained, inline.contains(row) else { return nil }
        let rows = RowEditor(connection, layout: layout)
        let parent = try rows.heldParent(of: row, in: table)
        return try all().filter { $0.table == table.name && $0.row != row }.map(\.row).filter {
            try inline.contains($0) && rows.heldParent(of: $0, in: table) == parent
        }
    }

    /// All of them that are still there, with the names of their tables.
    package func all() throws -> [(row: Int64, table: String)] {
        guard try isUsed() else { return [] }
        var found: [(row: Int64, table: String)] = []
        try connection.forEachRow(
            """
            SELECT u."row", u."table" FROM "$untold" u JOIN "$local" l ON l."row" = u."row" ORDER BY u."row"
            """
        ) { found.append(($0.integer(0), $0.string(1))) }
        return found
    }

    /// Those that waiting requests name, and those that contain them: the address of what is contained begins with theirs.
    package func awaited(in layout: Layout) throws -> [(row: Int64, table: String)] {
        let all = try all()
        var wanted = try Set(all.map(\.row).filter(isNamed))
        let rows = RowEditor(connection, layout: layout)
        // What contains another came before it.
        for item in all.reversed() where wanted.contains(item.row) {
            guard let table = layout.table(named: item.table) else { continue }
            if let parent = try rows.heldParent(of: item.row, in: table) { wanted.insert(parent) }
        }
        return all.filter { wanted.contains($0.row) }
    }

    private func isNamed(_ row: Int64) throws -> Bool {
        try connection.integer(
            """
            SELECT 1 FROM "$queue" WHERE "row" = ?1
            UNION ALL SELECT 1 FROM "$refers" WHERE "row" = ?1 LIMIT 1
            """,
            [.integer(row)]
        ) != nil
    }
}
