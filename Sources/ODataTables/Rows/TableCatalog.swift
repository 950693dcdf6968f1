package import ODataSQLite
package import ODataSQL
package import ODataValues
package import ODataModel

/// The tables of one file: what exists, and how it comes to exist.
package struct TableCatalog {
    package let connection: SQLiteConnection
    package let layout: Layout

    package init(_ connection: SQLiteConnection, layout: Layout) {
        self.connection = connection
        self.layout = layout
    }

    /// Tables that every file has.
    package static let systemTables = [
        """
        CREATE TABLE IF NOT EXISTS "$meta" ("key" TEXT PRIMARY KEY, "value" ANY) WITHOUT ROWID
        """,
        """
        CREATE TABLE IF NOT EXISTS "$layout" (
            "table" TEXT NOT NULL, "element" TEXT NOT NULL, "name" TEXT NOT NULL,
            PRIMARY KEY ("table", "element")
        ) WITHOUT ROWID
        """,
        """
        CREATE TABLE IF NOT EXISTS "$local" (
            "id" BLOB PRIMARY KEY, "row" INTEGER NOT NULL UNIQUE, "table" TEXT NOT NULL
        ) WITHOUT ROWID
        """,
        """
        INSERT OR IGNORE INTO "$meta" VALUES ('row', 0), ('download', 0)
        """,
    ]

    /// Creates the tables that every file has; `connection` is in a write transaction.
    package static func createSystemTables(_ connection: SQLiteConnection) throws {
        for sql in systemTables { try connection.execute(sql) }
    }

    /// Returns the names chosen before.
    package static func loadNames(_ connection: SQLiteConnection) throws -> LayoutNames {
        var names = LayoutNames()
        try connection.forEachRow("SELECT \"table\", \"element\", \"name\" FROM \"$layout\"") {
            row in
            names.restore(.init(table: row.string(0), element: row.string(1)), as: row.string(2))
        }
        return names
    }

    /// Stores the names of tables that are new in the layout; existing names stay.
    package func saveNames() throws {
        try save(layout.names.tables, of: "")
    }

    /// Keeps the names inside a table.
    package func saveNames(in table: TableLayout) throws {
        try save(table.names, of: table.name)
    }

    private func save(_ names: TableNames, of table: String) throws {
        for element in names.fresh {
            guard let name = names.known(element) else { continue }
            try connection.run(
                "INSERT OR IGNORE INTO \"$layout\" VALUES (?1, ?2, ?3)",
                [.text(table), .text(element), .text(name)]
            )
        }
    }

    /// Makes an index over properties of a source's table, and the table where it is missing.
    ///
    /// - Throws: ``QueryError`` where a property has no column of its own.
    package func createIndex(on source: NavigationSource, over paths: [[String]]) throws {
        let table = try ensureTable(source)
        let columns = try paths.map { path -> Column in
            guard let place = table.columns.firstIndex(where: { $0.path == path }) else {
                throw QueryError(
                    .notSupported,
                    "\(table.name) has no column for \(path.joined(separator: "/"))"
                )
            }
            return table.columns[place]
        }
        guard !columns.isEmpty else { return }
        let name = "$index:\(table.name):" + columns.map(\.name).joined(separator: ",")
        try connection.execute(
            "CREATE INDEX IF NOT EXISTS \(name.sqlQuoted) ON \(table.sql)"
                + " (\(columns.map(\.sql).joined(separator: ", ")))"
        )
    }

    /// Names of the tables that exist.
    package static func existingTables(_ connection: SQLiteConnection) throws -> Set<String> {
        try connection.tableNames()
    }

    /// Tables of entities that exist in the file, in the order of the model; sets that are views are none.
    package func tables() throws -> [TableLayout] {
        let existing = try connection.tableNames().subtracting(connection.viewNames())
        return layout.sources.compactMap { source in
            layout.tableName(of: source).map(existing.contains) == true ? layout[source] : nil
        }
    }

    /// Names of the link tables that exist in the file.
    package func linkTables() throws -> [String] {
        var names: [String] = []
        try connection.forEachRow(
            "SELECT \"name\" FROM sqlite_schema WHERE \"type\" = 'table' AND \"name\" >= ?1 AND \"name\" < '$link;'",
            [.text(Layout.linkPrefix)]
        ) { names.append($0.string(0)) }
        return names
    }

    /// Names of the table of some entities and of the table of their base copies, as far as these exist.
    package func versions(of table: TableLayout) throws -> [String] {
        let existing = try connection.tableNames()
        return [table.name, table.baseName].filter(existing.contains)
    }

    /// Returns whether a table exists.
    package func exists(_ name: String) throws -> Bool {
        try connection.tableNames().contains(name)
    }

    /// Makes the table of a source with its key index where it is missing, and answers its layout.
    ///
    /// - Throws: ``QueryError`` where the source's type is not known.
    @discardableResult
    package func ensureTable(_ source: NavigationSource) throws -> TableLayout {
        guard let table = layout[source] else {
            throw QueryError(
                .notSupported,
                "the type of \(layout.model.name(of: source)) is not known"
            )
        }
        guard try !exists(table.name) else { return table }
        try createTable(table)
        try createIndexes(of: table)
        return table
    }

    /// Makes a table with its indexes in a database that is only to be looked at: its names are not kept.
    package func createUnnoted(_ table: TableLayout) throws {
        try create(table, named: table.name)
        try createIndexes(of: table)
    }

    /// Makes a table with the columns of another one, without indexes.
    package func create(_ table: TableLayout, named name: String) throws {
        try connection.create(table.createStatement(named: name), named: name)
    }

    /// Makes the table of a source, without indexes; from now on its names are kept.
    package func createTable(_ table: TableLayout) throws {
        try create(table, named: table.name)
        try saveNames(in: table)
    }

    /// Makes the indexes that a table has come to need: foreign keys of navigation properties that are new.
    package func createMissingIndexes(of table: TableLayout) throws {
        for (name, columns) in layout.foreignKeyIndexes(of: table) {
            try connection.execute(
                """
                CREATE INDEX IF NOT EXISTS \(name.sqlQuoted) ON \(table.sql) \
                (\(columns.joined(separator: ", ")))
                """
            )
        }
    }

    /// Makes the indexes of a table: its key, and the foreign keys by which others find its rows.
    package func createIndexes(of table: TableLayout) throws {
        for index in indexes(of: table) { try create(index, of: table) }
    }

    private func create(_ index: TableIndex, of table: TableLayout) throws {
        let statement = index.createStatement(named: index.name, on: table.name)
        try connection.create(statement, named: index.name, isTable: false)
    }

    /// Lets keys come twice in a table until its indexes are made.
    package func dropKeyIndex(of table: TableLayout) throws {
        try connection.execute("DROP INDEX IF EXISTS \(table.keyIndexName.sqlQuoted)")
    }

    /// Makes those of its indexes that a table does not have.
    package func createLackingIndexes(of table: TableLayout) throws {
        for index in indexes(of: table) {
            let isThere = try connection.integer(
                "SELECT 1 FROM sqlite_schema WHERE \"type\" = 'index' AND \"name\" = ?1",
                [.text(index.name)]
            )
            if isThere == nil { try create(index, of: table) }
        }
    }

    /// The indexes of a table: its key, and the foreign keys.
    func indexes(of table: TableLayout) -> [TableIndex] {
        let foreign = layout.foreignKeyIndexes(of: table).map {
            TableIndex(name: $0.name, isUnique: false, columns: $0.columns)
        }
        return [table.keyIndex].compactMap { $0 } + foreign
    }

    /// Makes a link table where it is missing.
    package func ensureLinkTable(_ name: String) throws {
        guard try !exists(name) else { return }
        for sql in Layout.createLinkTableStatements(name) {
            try connection.create(sql, named: name)
        }
        try connection.run(
            "INSERT OR IGNORE INTO \"$layout\" VALUES ('', ?1, ?2)",
            [.text(layout.linkElement(ofTable: name)), .text(name)]
        )
    }

    /// Makes the table of copies of a table where it is missing.
    package func ensureCopies(_ name: String, of table: TableLayout) throws {
        guard try !exists(name) else { return }
        try create(table, named: name)
        try createAwaitedKeyIndexes(name, of: table)
    }

    /// Makes the indexes of a table of copies over foreign keys that the service has still to give: few rows have any.
    package func createAwaitedKeyIndexes(_ name: String, of table: TableLayout) throws {
        for column in layout.foreignKeyColumns(of: table) {
            try connection.execute(
                """
                CREATE INDEX IF NOT EXISTS \("$await:\(name)(\(column.name))".sqlQuoted) ON \(name.sqlQuoted) \
                (\(column.sql)) WHERE \(column.isAwaitedKey)
                """
            )
        }
    }
}

// MARK: - Values of the file

extension SQLiteConnection {
    /// Returns a value of the file by its key.
    package func metaValue(_ key: String) throws -> Scalar? {
        try firstRow("SELECT \"value\" FROM \"$meta\" WHERE \"key\" = ?1", [.text(key)]) {
            $0.scalar(0)
        }
    }

    /// Sets a value of the file.
    package func setMetaValue(_ key: String, to value: Scalar) throws {
        try run("INSERT OR REPLACE INTO \"$meta\" VALUES (?1, ?2)", [.text(key), value])
    }

    /// Forgets a value of the file.
    package func removeMetaValue(_ key: String) throws {
        try run("DELETE FROM \"$meta\" WHERE \"key\" = ?1", [.text(key)])
    }

    /// Returns a text of the file by its key.
    package func metaText(_ key: String) throws -> String? {
        switch try metaValue(key) {
        case .text(let text)?: text
        case .blob(let bytes)?: String(decoding: bytes, as: UTF8.self)
        default: nil
        }
    }

    /// Sets a text of the file that may be any: as bytes, since a column without type makes a number of a text that looks like one.
    package func setMetaText(_ key: String, to text: String) throws {
        try setMetaValue(key, to: .blob(Array(text.utf8)))
    }

    /// Returns a list of ids of the file; empty where there is none.
    package func metaIDs(_ key: String) throws -> [Int64] {
        // A list of one id that was written as text has come to be a number.
        if case .integer(let id)? = try metaValue(key) { return [id] }
        return try (metaText(key) ?? "").split(separator: " ").compactMap { Int64($0) }
    }

    /// Sets a list of ids of the file; an empty one is taken away.
    package func setMetaIDs(_ key: String, to ids: [Int64]) throws {
        guard !ids.isEmpty else { return try removeMetaValue(key) }
        try setMetaText(key, to: ids.map { String($0) }.joined(separator: " "))
    }

    /// Takes one row id; in the transaction that uses it.
    package func takeRowID() throws -> Int64 {
        try takeReservedRowID { try takeRowIDs(Int($0)) }
    }

    /// Takes row ids out of the file's counter and returns the first; in the transaction that uses them.
    package func takeRowIDs(_ count: Int) throws -> Int64 {
        let last = try integer(
            "UPDATE \"$meta\" SET \"value\" = \"value\" + ?1 WHERE \"key\" = 'row' RETURNING \"value\"",
            [.integer(Int64(count))]
        )
        return (last ?? 0) - Int64(count) + 1
    }
}

extension Layout {
    /// The columns of referential constraints, each once.
    func foreignKeyColumns(of table: TableLayout) -> [Column] {
        var seen: Set<Int> = []
        for type in table.declaringTypes {
            for constraint in foreignKeys(of: type).joined() {
                let path = path(constraint.property)
                guard let place = table.columns.firstIndex(where: { $0.path == path }) else {
                    continue
                }
                seen.insert(place)
            }
        }
        return seen.sorted().map { table.columns[$0] }
    }

    /// The constraints by which entities of a type depend on others, whichever end declares them.
    private func foreignKeys(of type: StructuredTypeID) -> [[ReferentialConstraint]] {
        model[type].navigationProperties.map(\.referentialConstraints) + model[type].foreignKeys
    }

    /// Indexes over foreign keys by name: the dependent columns of each referential constraint.
    func foreignKeyIndexes(of table: TableLayout) -> [(name: String, columns: [String])] {
        var result: [(name: String, columns: [String])] = []
        var seen: Set<[Int]> = [table.keyColumns]
        for type in table.declaringTypes {
            for constraints in foreignKeys(of: type) where !constraints.isEmpty {
                let places = constraints.compactMap { constraint in
                    table.columns.firstIndex { $0.path == path(constraint.property) }
                }
                guard places.count == constraints.count,
                    seen.insert(places).inserted
                else { continue }
                // Named after its columns: names of navigation properties may meet.
                let names = places.map { table.columns[$0].name }.joined(separator: ",")
                result.append(
                    ("$ref:\(table.name)(\(names))", places.map { table.columns[$0].sql })
                )
            }
        }
        return result
    }
}
