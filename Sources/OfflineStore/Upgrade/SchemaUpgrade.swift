import ODataModel
import ODataProtocol
package import ODataTables

/// Brings a store to another version of its service's model, in the caller's write transaction.
///
/// Only what adds is done; rows, copies and queue stay. Anything else is refused before a byte changes.
package struct SchemaUpgrade {
    private let store: LocalStore
    private let connection: SQLiteConnection

    package init(_ store: LocalStore, _ connection: SQLiteConnection) {
        self.store = store
        self.connection = connection
    }

    /// Takes over a metadata document: the first one, the same, or one that adds to the present one.
    ///
    /// - Throws: ``StoreError`` (incompatible schema) with every reason; `CSDLError` where the document is none.
    package func run(_ document: [UInt8]) throws {
        guard let old = try StoreSchema.load(connection) else {
            return try StoreSchema.save(StoreSchema.make(document), connection)
        }
        guard old.document != document else { return }
        let new = try StoreSchema.make(document, names: TableCatalog.loadNames(connection))
        let comparison = ModelComparison(from: old.model, to: new.model)
        guard comparison.verdict != .incompatible else { throw try refusal(comparison) }
        let changed = try addColumns(from: old, to: new)
        try StoreSchema.save(new, connection)
        try forgetDeltas(changed, new)
        try EventLog(connection).add(
            "Upgrade",
            "the service's model has \(comparison.changes.count) additions"
        )
    }

    // MARK: Refusing

    private func refusal(_ comparison: ModelComparison) throws -> StoreError {
        let reasons = comparison.changes.filter { !$0.isCompatible }
        let touched = try RequestQueue(connection).entries([
            .pending, .parked, .unknownOutcome, .failed,
        ])
        .filter { entry in reasons.contains { names($0.path, entry) } }
        return StoreError(
            .incompatibleSchema,
            "the service's new metadata does not fit this store, which was left as it is;"
                + " clear the store and load it again, or ask for a compatible service",
            details: reasons.map {
                "\($0.path): \($0.what.rawValue) \($0.change.rawValue): \($0.detail)"
            }
                + touched.map {
                    "waiting request \($0.id) would be touched: \($0.method) \($0.url)"
                }
        )
    }

    /// Whether a request changes entities of the set or type that a change is about.
    private func names(_ path: String, _ entry: QueueEntry) -> Bool {
        guard let source = entry.source, let schema = try? StoreSchema.load(connection),
            let type = schema.source(named: source).flatMap({ schema.model.entityType(of: $0) })
        else { return false }
        let names = schema.model.lineage(of: type).map { schema.model[$0].name } + [source]
        return names.contains { path == $0 || path.hasPrefix($0 + "/") || path.hasSuffix("/" + $0) }
    }

    // MARK: Adding

    /// Adds the columns that tables lack; answers the sources whose tables have changed.
    private func addColumns(from old: TableSchema, to new: TableSchema) throws -> Set<
        NavigationSource
    > {
        let catalog = TableCatalog(connection, new.layout)
        var changed: Set<NavigationSource> = []
        for table in new.layout.orderedTables
        where !BuiltInSets.contains(table.source, in: new.model) {
            let before = old.layout.table(named: table.name)
            for name in [table.name, table.baseName, table.serverName]
            where try catalog.exists(name) {
                if try addColumns(to: name, of: table, before: before) {
                    changed.insert(table.source)
                }
            }
            if changed.contains(table.source) { try catalog.createMissingIndexes(of: table) }
        }
        return changed
    }

    private func addColumns(to name: String, of table: TableLayout, before: TableLayout?) throws
        -> Bool
    {
        var present: Set<String> = []
        try connection.forEachRow("SELECT \"name\" FROM pragma_table_info(?1)", [.text(name)]) {
            present.insert($0.string(0))
        }
        let missing = table.columns.filter { !present.contains($0.name) }
        for column in missing {
            try connection.execute(
                "ALTER TABLE \(name.sqlQuoted) ADD COLUMN \(column.addedDeclaration)"
            )
            try fill(column, of: name, before: before?.columns.first { $0.path == column.path })
        }
        return !missing.isEmpty
    }

    /// Gives a new column what the store knows already: the value in its former form, or the dynamic property of that name.
    private func fill(_ column: Column, of name: String, before: Column?) throws {
        if let before, let sql = before.conversion(to: column) {
            try connection.execute(
                """
                UPDATE \(name.sqlQuoted) SET \(column.sql) = \(sql)
                WHERE typeof(\(before.sql)) IN ('integer', 'real', 'null')
                """
            )
        }
        guard before == nil, column.path.count == 1, let property = column.path.first else {
            return
        }
        let path = "$.\"\(property)\""
        try connection.run(
            "UPDATE \(name.sqlQuoted) SET \"$dynamic\" = nullif(json_remove(\"$dynamic\", ?1), '{}')"
                + (column.isPlainJSON ? ", \(column.sql) = json_extract(\"$dynamic\", ?1)" : "")
                + " WHERE json_type(\"$dynamic\", ?1) IS NOT NULL",
            [.text(path)]
        )
    }

    /// Queries that can bring an upgraded type are read in full by the next download: a delta would bring changed rows only.
    private func forgetDeltas(_ changed: Set<NavigationSource>, _ schema: TableSchema) throws {
        guard !changed.isEmpty else { return }
        let queries = DefiningQueries(connection)
        for query in try queries.all() {
            let reached = QueryReach.sources(of: query, in: schema)
            let isTouched = changed.contains { source in
                if case .contained = source { true } else { reached.contains(source) }
            }
            if isTouched { try queries.forgetDelta(of: query.name) }
        }
    }
}
