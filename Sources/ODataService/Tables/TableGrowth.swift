import ODataAnswers
import ODataModel
import ODataSQL
import ODataSQLite
import ODataTables
import ODataValues

/// Lets the tables of a service's file follow a model that has grown: columns that are missing are added, with what other columns hold of
/// the same properties in another form, and with what new properties have by default.
struct TableGrowth {
    private let connection: SQLiteConnection
    /// The model that the file was last served with; nil where that is not known, or the same.
    private let former: TableSchema?
    private let schema: TableSchema
    private var layout: Layout { schema.layout }

    init(_ connection: SQLiteConnection, from former: TableSchema?, to schema: TableSchema) {
        self.connection = connection
        self.former = former
        self.schema = schema
    }

    /// - Throws: `StandaloneServiceError` where the file has values of a property that the model does not have, or has as another type
    ///   into which they cannot be brought: answers would leave them out without a word.
    func follow() throws {
        let catalog = TableCatalog(connection, layout: layout)
        for table in layout.orderedTables where try catalog.exists(table.name) {
            let present = try columns(of: table)
            let missing = table.columns.indices.filter {
                !present.contains(table.columns[$0].name)
            }
            for column in missing.map({ table.columns[$0] }) {
                try connection.execute(
                    "ALTER TABLE \(table.sql) ADD COLUMN \(column.sql) \(column.affinity)"
                )
            }
            let change = change(of: table)
            if let change { try convert(change) }
            let new = missing.filter { change?.formers[$0]?.isEmpty ?? true }
            try fill(new, of: table, besides: change)
            for name in present.subtracting(table.columns.map(\.name)).sorted()
            where !name.hasPrefix("$") {
                try check(name, in: table, where: "\(name.sqlQuoted) IS NOT NULL")
            }
        }
        try followRelations(catalog)
    }

    /// Keeps links in the form that the model has for them now.
    private func followRelations(_ catalog: TableCatalog) throws {
        guard let former else { return }
        let tables = try layout.orderedTables.filter { try catalog.exists($0.name) }
        let changes = RelationConversion.changes(of: tables, from: former, to: schema)
        try RelationConversion(connection, from: former, to: schema).convert(changes) { change in
            throw StandaloneServiceError(
                "the file has links of \(change.path) that the model has no place for: its constraint names values that lead elsewhere;"
                    + " serve the file with its former model, or choose another file",
                isFileRefused: true
            )
        }
    }

    /// What the model changes in a table; nil where it is nothing.
    private func change(of table: TableLayout) -> TableChange? {
        guard let former, let old = former.layout.table(named: table.name) else { return nil }
        let change = TableChange(old: old, in: former.layout, new: table, in: layout)
        // What may have any member cannot be brought into columns.
        let isClosed = change.formers.contains { place, formers in
            change.new.columns[place].kind != .json
                && formers.contains { old.columns[$0].kind == .json }
        }
        return change.isEmpty || isClosed ? nil : change
    }

    /// Refuses to lose a value that the new type does not take.
    private func checkIsWhole(_ change: TableChange) throws {
        for (place, formers) in change.formers.sorted(by: { $0.key < $1.key }) {
            for former in formers.map({ change.old.columns[$0] }) {
                let isHeld = former.kind == .presence ? "= 1" : "IS NOT NULL"
                let isLost =
                    "\(former.sql) \(isHeld) AND \(change.new.columns[place].sql) IS NULL"
                try check(former.name, in: change.new, where: isLost)
            }
        }
    }

    /// Brings values into their new columns; the old ones are empty then.
    private func convert(_ change: TableChange) throws {
        guard let former else { return }
        let dynamic = DynamicValues(connection, change)
        try dynamic.note()
        try RowConversion(connection, from: former, to: schema)
            .convertValues(change, named: change.new.name)
        try checkIsWhole(change)
        for (column, isLost) in dynamic.losses { try check(column, in: change.new, where: isLost) }
        let moved = change.reread.sorted().map { change.old.columns[$0].sql + " = NULL" }
        guard !moved.isEmpty else { return }
        try connection.execute("UPDATE \(change.new.sql) SET \(moved.joined(separator: ", "))")
    }

    /// Gives the rows that were there what an entity has that mentions nothing.
    private func fill(_ slots: [Int], of table: TableLayout, besides change: TableChange?) throws {
        for (code, type) in table.types.enumerated() {
            // Types that have a property only now.
            let widened =
                change?.widened.filter { !$0.codes.contains(code) }.map(\.column.name) ?? []
            let values = table.typeColumns(of: type, in: layout.model).eachValueWhenAbsent.filter {
                slots.contains($0.place) || widened.contains(table.columns[$0.place].name)
            }
            for value in values { try set(value, in: table, code: code) }
        }
    }

    private func set(_ value: TypeColumns.Default, in table: TableLayout, code: Int) throws {
        var condition = "\(SystemColumn.type.sql) = \(code)"
        // The parts of a complex value that is null are none.
        if let presence = value.presence { condition += " AND \(table.columns[presence].sql) = 1" }
        try connection.run(
            "UPDATE \(table.sql) SET \(table.columns[value.place].sql) = ?1 WHERE \(condition)",
            [value.value]
        )
    }

    private func columns(of table: TableLayout) throws -> Set<String> {
        var present: Set<String> = []
        try connection.forEachRow(
            "SELECT \"name\" FROM pragma_table_info(?1)",
            [.text(table.name)]
        ) { present.insert($0.string(0)) }
        return present
    }

    /// - Parameter isLost: The rows whose values would be left out.
    private func check(_ column: String, in table: TableLayout, where isLost: String) throws {
        let sql = "SELECT 1 FROM \(table.sql) WHERE \(isLost) LIMIT 1"
        guard try connection.integer(sql) != nil else { return }
        throw StandaloneServiceError(
            "the file has values of \(layout.model.name(of: table.source))/\(column), which the model does not have, or has as"
                + " another type: serve the file with its former model, or choose another file",
            isFileRefused: true
        )
    }
}
