package import ODataSQLite
package import StoreRecords
import ODataSQL
import ODataValues
package import ODataTables

/// The stored collections of a store.
package struct StoredCollections {
    private let connection: SQLiteConnection
    /// What the connection has read of the present state of the file; nil where it may change it.
    private let findings: CollectionFindings?

    private static let columns = """
        "name", "url", "slot", "isFetched", "fetched", "expires", "validator", "deltaLink", "attributes", "count"
        """

    package init(_ connection: SQLiteConnection) {
        (self.connection, findings) = (connection, nil)
    }

    /// Reads in the transaction of a query.
    package init(_ query: borrowing TableQuery) {
        (connection, findings) = (query.connection, CollectionFindings.present(query))
    }

    /// Statements that reads by fetch policies run each time.
    private enum ReadText {
        static let byName = SQLText(
            "SELECT \(columns) FROM \"$collection\" WHERE \"name\" = ?1"
        )
        static let bySlot = SQLText(
            "SELECT \(columns) FROM \"$collection\" WHERE \"slot\" = ?1"
        )
    }

    /// Returns the collection of a name; nil where there is none.
    package func collection(named name: String) throws -> StoredCollection? {
        guard let findings else { return try read(ReadText.byName, value: .text(name)) }
        return try findings.collection(name) { try read(ReadText.byName, value: .text(name)) }
    }

    /// Returns the collection of a slot; nil where there is none.
    package func collection(slot: Int64) throws -> StoredCollection? {
        guard let findings else { return try read(ReadText.bySlot, value: .integer(slot)) }
        return try findings.collection(slot) { try read(ReadText.bySlot, value: .integer(slot)) }
    }

    private func read(_ text: SQLText, value: Scalar) throws -> StoredCollection? {
        let statement = try connection.statement(text)
        try statement.bind(value, at: 1)
        defer { statement.reset() }
        return try statement.step() ? StoredCollection(statement) : nil
    }

    /// Returns the collections in the order of their names; those that were out of date at a moment only, where one is given.
    ///
    /// - Parameters:
    ///   - moment: Milliseconds since 1970.
    ///   - name: Only those behind this name.
    ///   - limit: At most so many.
    package func all(
        expiredAt moment: Int64? = nil,
        after name: String = "",
        limit: Int = 1_000
    ) throws -> [StoredCollection] {
        let isExpired = moment == nil ? "1" : "\"expires\" <= ?3"
        return try list(
            where: "\"name\" > ?1 AND \(isExpired) ORDER BY \"name\" LIMIT ?2",
            values: [.text(name), .integer(Int64(limit))] + (moment.map { [.integer($0)] } ?? [])
        )
    }

    /// Calls a function for each, in the order of their names; the function may change it.
    package func forEach(_ body: (StoredCollection) throws -> Void) throws {
        var page = try all()
        while let last = page.last {
            for collection in page { try body(collection) }
            page = try all(after: last.name)
        }
    }

    /// Returns how many there are.
    package func count() throws -> Int {
        Int(try connection.integer("SELECT count(*) FROM \"$collection\"") ?? 0)
    }

    /// Returns the collections that hold a row.
    package func holding(row: Int64) throws -> [StoredCollection] {
        try list(
            where: "\"slot\" IN (SELECT \"query\" FROM \"$member\" WHERE \"row\" = ?1)",
            values: [.integer(row)]
        )
    }

    /// Returns whether the answer of a collection had no entities.
    package func isEmpty(_ collection: StoredCollection) throws -> Bool {
        try connection.integer(
            "SELECT 1 FROM \"$member\" WHERE \"query\" = ?1 AND \"position\" IS NOT NULL LIMIT 1",
            [.integer(Int64(collection.slot))]
        ) == nil
    }

    /// Returns the collection of a name, made where there is none; in a write transaction.
    ///
    /// - Throws: ``StoreError`` where the name stands for another address.
    package func ensure(named name: String, url: String) throws -> StoredCollection {
        if let known = try collection(named: name) {
            guard known.url == url else {
                throw StoreError(
                    .invalid,
                    "the stored collection \(name) has another address: \(known.url)"
                )
            }
            return known
        }
        let slot = try MemberRows(connection).freeSlot()
        try connection.run(
            "INSERT INTO \"$collection\" (\"slot\", \"name\", \"url\") VALUES (?1, ?2, ?3)",
            [.integer(Int64(slot)), .text(name), .text(url)]
        )
        return StoredCollection(name: name, url: url, slot: slot)
    }

    /// Writes down everything about a collection but its members; in a write transaction.
    package func update(_ collection: StoredCollection) throws {
        try connection.run(
            """
            UPDATE "$collection" SET "isFetched" = ?2, "fetched" = ?3, "expires" = ?4, "validator" = ?5,
                "deltaLink" = ?6, "attributes" = ?7, "count" = ?8 WHERE "slot" = ?1
            """,
            [
                .integer(Int64(collection.slot)), .integer(collection.isFetched ? 1 : 0),
                Scalar(collection.fetched), Scalar(collection.expires),
                Scalar(collection.validator), Scalar(collection.deltaLink),
                Scalar(collection.attributes), Scalar(collection.count),
            ]
        )
    }

    /// Removes a collection and those of its entities that nothing else holds; what is changed here stays.
    ///
    /// - Returns: How many entities went.
    @discardableResult
    package func remove(_ collection: StoredCollection, in schema: TableSchema) throws -> Int {
        try StoredFiles(connection, schema: schema).drop(collection)
        var rows: [Int64] = []
        try connection.forEachRow(
            "SELECT \"row\" FROM \"$member\" WHERE \"query\" = ?1",
            [.integer(Int64(collection.slot))]
        ) { rows.append($0.integer(0)) }
        let coverage = RowCoverage(connection, layout: schema.layout)
        let removed = try coverage.release(rows, of: collection.query)
        let slot = Scalar.integer(Int64(collection.slot))
        try connection.run("DELETE FROM \"$member\" WHERE \"query\" = ?1", [slot])
        try connection.run("DELETE FROM \"$collection\" WHERE \"slot\" = ?1", [slot])
        try forgetValues(of: rows, broughtBy: collection, in: schema)
        try coverage.noteRemoval()
        return removed
    }

    /// What stays since others hold it loses the values that nothing reads any more.
    private func forgetValues(
        of rows: [Int64],
        broughtBy collection: StoredCollection,
        in schema: TableSchema
    ) throws {
        guard !rows.isEmpty else { return }
        let queries = try DefiningQueries(connection).all()
        let lapsed = LapsedRows(connection, schema: schema)
        let catalog = TableCatalog(connection, layout: schema.layout)
        let sources = QueryReach.sources(of: collection.url, in: schema)
        for table in try catalog.tables() where sources.contains(table.source) {
            try lapsed.forgetValues(of: collection.query, in: table, rows, besides: queries)
        }
    }

    private func list(where condition: String, values: [Scalar]) throws -> [StoredCollection] {
        var found: [StoredCollection] = []
        try connection.forEachRow(
            "SELECT \(Self.columns) FROM \"$collection\" WHERE \(condition)",
            values
        ) { found.append(StoredCollection($0)) }
        return found
    }
}

extension StoredCollection {
    /// Reads a row of `$collection`.
    fileprivate init(_ row: SQLiteStatement) {
        func number(_ column: Int) -> Int64? { row.isNull(column) ? nil : row.integer(column) }
        self.init(
            name: row.string(0),
            url: row.string(1),
            slot: Int(row.integer(2)),
            isFetched: row.integer(3) != 0,
            fetched: number(4),
            expires: number(5),
            validator: row.optionalString(6),
            deltaLink: row.optionalString(7),
            attributes: row.optionalString(8),
            count: number(9)
        )
    }
}
