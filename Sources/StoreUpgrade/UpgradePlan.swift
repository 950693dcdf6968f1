package import ODataModelComparison
import ODataSQL
package import ODataSQLite
import StoreRecords
import ODataValues
import OfflineStore
package import ODataModel
package import ODataTables

/// Everything about an upgrade that can be worked out before the file is locked.
package struct UpgradePlan: Sendable {
    /// The model of the file.
    package let old: TableSchema
    /// The model that it is to have.
    package let new: TableSchema
    package let comparison: ModelComparison
    /// Tables that exist, as the new model has them.
    let existing: [TableLayout]
    /// What is to be done to tables and to their tables of copies.
    let tables: [Table]
    /// Relations that the store is to keep in another form.
    let relations: [RelationConversion.Change]
    private let schemaVersion: Int64

    /// A table of the file that changes.
    struct Table: Sendable {
        /// Name in SQL; a table of copies has another than its layout.
        var name: String
        var change: TableChange
        /// Columns that it lacks.
        var columns: [Column]
        /// Its place in `sqlite_schema`.
        var schemaRow: Int64
        /// Its text there.
        var text: String

        /// The text with the new columns at the end; rows that are there already do not know their values.
        var extendedText: String {
            guard let end = text.lastIndex(of: ")") else { return text }
            let list = columns.map { ",\n    " + $0.addedDeclaration }.joined()
            return text[..<end].trimmingSpace + list + "\n" + text[end...]
        }
    }

    /// Works out the upgrade of a file to a metadata document; nil where the file has none or this one.
    ///
    /// - Throws: `CSDLError` where the document is none.
    package init?(
        _ document: [UInt8],
        on connection: SQLiteConnection,
        limits: CSDLLimits = CSDLLimits()
    ) throws {
        guard try !StoreSchema.holds(document, on: connection),
            let old = try StoreSchema.load(connection)
        else { return nil }
        self.old = old
        schemaVersion = try Self.schemaVersion(connection)
        var names = try TableCatalog.loadNames(connection)
        let tables = try TableCatalog(connection, layout: old.layout).tables()
        for table in tables { names.restore(table) }
        new = try StoreSchema.make(document, names: names, limits: limits)
        comparison = try Self.comparison(from: old, to: new, on: connection)
        guard comparison.verdict != .incompatible else {
            (existing, self.tables, relations) = ([], [], [])
            return
        }
        existing = tables.compactMap { [new] in new.layout.table(named: $0.name) }
        var changed: [Table] = []
        for table in tables {
            guard let after = new.layout.table(named: table.name) else { continue }
            let change = TableChange(old: table, in: old.layout, new: after, in: new.layout)
            if !change.isEmpty { changed += try Self.tables(change, on: connection) }
        }
        self.tables = changed
        relations = RelationConversion.changes(of: existing, from: old, to: new)
    }

    /// What the service has changed: the store's own sets make no difference, and give way to sets of the service.
    private static func comparison(
        from old: TableSchema,
        to new: TableSchema,
        on connection: SQLiteConnection
    ) throws -> ModelComparison {
        guard BuiltInSets.names(in: old.model) != BuiltInSets.names(in: new.model) else {
            return ModelComparison(from: old.model, to: new.model)
        }
        return try ModelComparison(
            from: StoreSchema.serviceModel(of: old, on: connection),
            to: StoreSchema.serviceModel(of: new, on: connection)
        )
    }

    /// The table of a change and its tables of copies, as far as they exist.
    private static func tables(_ change: TableChange, on connection: SQLiteConnection) throws
        -> [Table]
    {
        try [change.old.name, change.old.baseName, change.old.serverName].compactMap { name in
            guard
                let (row, text) = try connection.firstRow(
                    "SELECT rowid, \"sql\" FROM sqlite_schema WHERE \"type\" = 'table' AND \"name\" = ?1",
                    [.text(name)],
                    { ($0.integer(0), $0.string(1)) }
                )
            else { return nil }
            var present: Set<String> = []
            try connection.forEachRow("SELECT \"name\" FROM pragma_table_info(?1)", [.text(name)]) {
                present.insert($0.string(0))
            }
            let columns = change.added.map { change.new.columns[$0] }.filter {
                !present.contains($0.name)
            }
            return Table(name: name, change: change, columns: columns, schemaRow: row, text: text)
        }
    }

    /// Whether the file is as it was when the upgrade was worked out: a new model makes the views of the file anew, a new table is one.
    func fits(_ connection: SQLiteConnection) throws -> Bool {
        try Self.schemaVersion(connection) == schemaVersion
    }

    private static func schemaVersion(_ connection: SQLiteConnection) throws -> Int64 {
        try connection.integer("PRAGMA schema_version") ?? 0
    }
}

extension Substring {
    /// Without space at its end.
    fileprivate var trimmingSpace: Substring {
        var text = self
        while let last = text.last, last.isWhitespace { text.removeLast() }
        return text
    }
}

extension LocalStore {
    /// Takes over a metadata document; other work of the store waits for the changes only, not while they are worked out.
    ///
    /// - Parameters:
    ///   - document: The metadata.
    ///   - also: What else is to be done in the same transaction.
    ///   - reached: Called at the end of each stage; an error stops the upgrade, and the store is as before.
    /// - Throws: ``StoreError`` (incompatible schema) with every reason; `CSDLError` where the document is none.
    package func upgrade(
        to document: [UInt8],
        limits: CSDLLimits = CSDLLimits(),
        also: @escaping @Sendable (SQLiteConnection) throws -> Void = { _ in },
        reached: @escaping @Sendable (SchemaUpgrade.Stage) throws -> Void = { _ in }
    ) async throws {
        let plan = try await file.read { try UpgradePlan(document, on: $0, limits: limits) }
        try await file.write { connection in
            try SchemaUpgrade(connection, reached: reached).run(
                document,
                prepared: plan,
                limits: limits
            )
            try also(connection)
        }
    }
}
