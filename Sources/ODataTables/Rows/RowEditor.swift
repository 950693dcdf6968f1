package import ODataSQLite
package import ODataSQL
package import ODataValues
package import ODataModel
import ODataPayload

/// Inserts, changes and deletes single rows; used inside a write transaction.
package struct RowEditor {
    package let catalog: TableCatalog
    package var connection: SQLiteConnection { catalog.connection }
    package var layout: Layout { catalog.layout }

    /// What a property gets that the body does not mention.
    package enum Absent: Sendable {
        case null
        /// The value is not known here: the query that brought the row did not ask for it.
        case unknown
    }

    package init(_ catalog: TableCatalog) {
        self.catalog = catalog
    }

    package init(_ connection: SQLiteConnection, layout: Layout) {
        self.init(TableCatalog(connection, layout: layout))
    }
}

// MARK: - Finding

extension RowEditor {
    /// Returns the row with a key; for a contained table, among the children of a parent.
    package func row(withKey key: [Scalar], in table: TableLayout, parent: Int64? = nil) throws
        -> Int64?
    {
        guard key.count == table.keyColumns.count, try catalog.exists(table.name) else {
            return nil
        }
        guard let parent else { return try connection.integer(table.keyStatement, bindings: key) }
        return try connection.integer(table.childStatement, bindings: key + [.integer(parent)])
    }

    /// Returns one value of a row.
    package func value(_ column: String, of row: Int64, in table: TableLayout) throws -> Scalar? {
        try connection.firstRow(
            "SELECT \(column) FROM \(table.sql) WHERE \"$id\" = ?1",
            [.integer(row)]
        ) { $0.scalar(0) }
    }

    /// Returns the type of a row's entity; nil where there is no such row.
    package func type(of row: Int64, in table: TableLayout) throws -> StructuredTypeID? {
        guard case .integer(let code)? = try value(SystemColumn.type.sql, of: row, in: table),
            table.types.indices.contains(Int(code))
        else { return nil }
        return table.types[Int(code)]
    }

    /// Returns the values of all property columns of a row; nil where there is no such row.
    package func values(of row: Int64, in table: TableLayout, named name: String? = nil) throws
        -> [Scalar]?
    {
        let columns = table.columns.map(\.sql).joined(separator: ", ")
        return try connection.firstRow(
            "SELECT \(columns) FROM \((name ?? table.name).sqlQuoted) WHERE \"$id\" = ?1",
            [.integer(row)]
        ) { statement in table.columns.indices.map { statement.scalar($0) } }
    }

    /// Returns the members of a row's dynamic properties as JSON, or its exact texts, by name.
    package func members(
        _ column: SystemColumn,
        of row: Int64,
        named name: String
    ) throws -> [String: String] {
        let pick = column == .exact ? "->>" : "->"
        var members: [String: String] = [:]
        try connection.forEachRow(
            """
            SELECT j."key", m.\(column.sql) \(pick) j."fullkey" FROM \(name.sqlQuoted) m, json_each(m.\(column.sql)) j
            WHERE m."$id" = ?1
            """,
            [.integer(row)]
        ) { members[$0.string(0)] = $0.string(1) }
        return members
    }

    /// Returns the dynamic properties of a row, sorted by name.
    package func undeclared(of row: Int64, named name: String) throws
        -> [(name: String, json: String)]
    {
        try members(.dynamic, of: row, named: name).sorted { $0.key < $1.key }
            .map { (name: $0.key, json: $0.value) }
    }

    /// Returns the key of a row, nil where a part of it is null or not known yet.
    package func key(
        of row: Int64,
        in table: TableLayout,
        named name: String? = nil
    ) throws -> [Scalar]? {
        guard !table.keyColumns.isEmpty else { return nil }
        let columns = table.keyColumns.map { table.columns[$0].sql }.joined(separator: ", ")
        let key = try connection.firstRow(
            "SELECT \(columns) FROM \((name ?? table.name).sqlQuoted) WHERE \"$id\" = ?1",
            [.integer(row)]
        ) { statement in table.keyColumns.indices.map { statement.scalar($0) } }
        guard let key else { return nil }
        let isKnown = zip(table.keyColumns, key).allSatisfy { place, value in
            value != .null && !UnknownValue.isUnknown(value, in: table.columns[place])
        }
        return isKnown ? key : nil
    }
}

// MARK: - Changing

extension RowEditor {
    /// Inserts a row with the values of a body.
    package func insert(
        _ body: EntityBody,
        as row: Int64,
        into table: TableLayout,
        absent: Absent,
        system: SystemValues = SystemValues(),
        named name: String? = nil
    ) throws {
        let statement = try insertion(into: table, named: name)
        for (index, column) in SystemColumn.ordered.enumerated() {
            let value: Scalar =
                switch column {
                case .id: .integer(row)
                case .type: .integer(Int64(table.types.firstIndex(of: body.plan.type) ?? 0))
                case .exact: jsonObject(exactTexts(of: body, in: table))
                case .dynamic: jsonObject(body.undeclared.map { ($0.name, .raw($0.json)) })
                default: system[column]
                }
            try statement.bind(value, at: index + 1)
        }
        let first = SystemColumn.firstSlotParameter
        // Parameters without a value are null.
        if absent == .unknown {
            for place in table.columns.indices {
                try statement.bind(UnknownValue.scalar(in: table.columns[place]), at: first + place)
            }
        }
        for index in body.values.indices {
            try statement.bind(body.values[index].value, at: first + body.values[index].slot)
        }
        try statement.run()
    }

    private func insertion(into table: TableLayout, named name: String?) throws -> SQLiteStatement {
        guard let name else { return try connection.statement(table.insertStatement) }
        return try connection.statement(insertStatement(table, named: name))
    }

    /// The statement that inserts a whole row.
    package func insertStatement(_ table: TableLayout, named name: String? = nil) -> String {
        guard let name else { return table.insertStatement.text }
        return "INSERT INTO \(name.sqlQuoted) \(TableLayout.insertList(table.columns))"
    }

    /// Sets the values that a body mentions; the others keep what they have.
    package func update(
        _ row: Int64,
        in table: TableLayout,
        with body: EntityBody,
        named name: String? = nil
    ) throws {
        let changes = assignments(of: body, in: table)
        guard !changes.isEmpty else { return }
        let list = changes.enumerated().map { index, change in
            "\(change.column.sqlQuoted) = \(Self.assignment(change.column, parameter: "?\(index + 2)"))"
        }
        try connection.run(
            "UPDATE \((name ?? table.name).sqlQuoted) SET \(list.joined(separator: ", "))"
                + " WHERE \"$id\" = ?1",
            [.integer(row)] + changes.map(\.value)
        )
        try keepNulls(of: body, row, in: table, named: name)
    }

    /// Merging takes members away that are null; of a declared property without column null is a value.
    private func keepNulls(
        of body: EntityBody,
        _ row: Int64,
        in table: TableLayout,
        named name: String?
    ) throws {
        guard table.hasOverflow else { return }
        let nulls = body.undeclared.filter { $0.json == "null" }.map(\.name)
        guard !nulls.isEmpty else { return }
        let declared = Set(layout.model.properties(of: body.plan.type).map(\.name))
        for member in nulls where declared.contains(member) {
            try connection.run(
                """
                UPDATE \((name ?? table.name).sqlQuoted)
                SET "$dynamic" = json_set(coalesce("$dynamic", '{}'), ?2, json('null')) WHERE "$id" = ?1
                """,
                [.integer(row), .text("$.\"\(member)\"")]
            )
        }
    }

    /// Returns what a body sets: columns with their values, for columns of JSON objects the patch.
    package func assignments(
        of body: EntityBody,
        in table: TableLayout
    ) -> [(column: String, value: Scalar)] {
        var result = body.values.map { (column: table.columns[$0.slot].name, value: $0.value) }
        // Merging (RFC 7396) forgets the exact text of each value that has none any more.
        let exact = body.values.map { (table.columns[$0.slot].name, JSONMember.text($0.exact)) }
        if let patch = jsonObject(exact).nonNull {
            result.append((SystemColumn.exact.rawValue, patch))
        }
        // Merging takes a type away with the value that it was of.
        let forgotten = DynamicTypeMember.forgotten(by: body.undeclared.map(\.name))
        let undeclared =
            body.undeclared.map { ($0.name, JSONMember.raw($0.json)) }
            + forgotten.map { ($0, .raw("null")) }
        if let patch = jsonObject(undeclared).nonNull {
            result.append((SystemColumn.dynamic.rawValue, patch))
        }
        return result
    }

    /// Returns the SQL that gives a column a value, or merges a patch into a JSON object.
    package static func assignment(_ column: String, parameter: String) -> String {
        guard [SystemColumn.exact.rawValue, SystemColumn.dynamic.rawValue].contains(column) else {
            return parameter
        }
        return "nullif(json_patch(coalesce(\(column.sqlQuoted), '{}'), \(parameter)), '{}')"
    }

    /// Sets system columns of a row.
    package func set(_ system: [SystemColumn: Scalar], of row: Int64, in table: TableLayout) throws
    {
        let columns = system.keys.sorted { $0.rawValue < $1.rawValue }
        let assignments = columns.enumerated().map { "\($1.sql) = ?\($0 + 2)" }.joined(
            separator: ", "
        )
        try connection.run(
            "UPDATE \(table.sql) SET \(assignments) WHERE \"$id\" = ?1",
            [.integer(row)] + columns.map { system[$0] ?? .null }
        )
    }

    /// Adds and removes bits of a row's state.
    package func changeState(
        of row: Int64,
        in table: TableLayout,
        adding: RowState = [],
        removing: RowState = []
    ) throws {
        try connection.run(
            "UPDATE \(table.sql) SET \"$state\" = (\"$state\" | ?2) & ~?3 WHERE \"$id\" = ?1",
            [.integer(row), .integer(adding.rawValue), .integer(removing.rawValue)]
        )
    }

    /// Deletes a row; its links stay for the caller to see to.
    package func delete(_ row: Int64, in table: TableLayout) throws {
        try connection.run("DELETE FROM \(table.sql) WHERE \"$id\" = ?1", [.integer(row)])
    }

    private func exactTexts(of body: EntityBody, in table: TableLayout) -> [(String, JSONMember)] {
        body.values.compactMap { item in
            item.exact.map { (table.columns[item.slot].name, .text($0)) }
        }
    }
}

extension Scalar {
    fileprivate var nonNull: Scalar? { self == .null ? nil : self }
}

// MARK: - Links

extension RowEditor {
    /// Links two rows in a link table; once, however often it is called.
    ///
    /// - Returns: How many links are new.
    @discardableResult
    package func link(_ source: Int64, to target: Int64, table: String, isReversed: Bool) throws
        -> Int
    {
        try catalog.ensureLinkTable(table)
        let (first, second) = isReversed ? (target, source) : (source, target)
        try connection.run(
            "INSERT OR IGNORE INTO \(table.sqlQuoted) (\"source\", \"target\") VALUES (?1, ?2)",
            [.integer(first), .integer(second)]
        )
        return connection.changedRowCount
    }

    /// Removes the link of two rows, or every link of the first where no second is given.
    ///
    /// - Returns: How many there were.
    @discardableResult
    package func unlink(_ source: Int64, to target: Int64?, table: String, isReversed: Bool) throws
        -> Int
    {
        guard try catalog.exists(table) else { return 0 }
        let (near, far) = isReversed ? ("target", "source") : ("source", "target")
        try connection.run(
            "DELETE FROM \(table.sqlQuoted) WHERE \"\(near)\" = ?1 AND (?2 IS NULL OR \"\(far)\" = ?2)",
            [.integer(source), target.map { .integer($0) } ?? .null]
        )
        return connection.changedRowCount
    }

    /// Returns the rows that a row is linked to in a link table.
    package func linked(to row: Int64, table: String, isReversed: Bool) throws -> [Int64] {
        guard try catalog.exists(table) else { return [] }
        let (near, far) = isReversed ? ("target", "source") : ("source", "target")
        var found: [Int64] = []
        try connection.forEachRow(
            "SELECT \"\(far)\" FROM \(table.sqlQuoted) WHERE \"\(near)\" = ?1 AND \"\(far)\" IS NOT NULL",
            [.integer(row)]
        ) { found.append($0.integer(0)) }
        return found
    }

    /// Removes every link from and to a row.
    package func removeLinks(of row: Int64) throws {
        for name in try catalog.linkTables() {
            try connection.run(
                "DELETE FROM \(name.sqlQuoted) WHERE \"source\" = ?1 OR \"target\" = ?1",
                [.integer(row)]
            )
        }
    }
}
