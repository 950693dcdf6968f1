package import ODataModel

/// The table of an entity set, a singleton or a contained collection.
package struct TableLayout: Sendable {
    /// Whose entities it holds.
    package var source: NavigationSource
    /// Name in SQL.
    package var name: String
    /// The declared entity type.
    package var entityType: StructuredTypeID
    /// Types of the hierarchy that occur; a row's `$type` is an index into it.
    ///
    /// A type once listed keeps its place.
    package var types: [StructuredTypeID]
    /// Every type whose properties the table's entities have: the hierarchy's types and their base types.
    package var declaringTypes: [StructuredTypeID]
    /// Columns of properties, in order; a column's place is also its payload slot.
    package var columns: [Column]
    /// Places of the key's columns in key order; empty for singletons and keyless types.
    package var keyColumns: [Int]
    /// Whether rows belong to a row of another table.
    package var isContained: Bool
    /// Whether there are properties without a column, kept in `$dynamic`.
    package var hasOverflow: Bool
    /// Names of the columns and codes of the types, old and new.
    package var names: TableNames
    /// The end of the statement that inserts a whole row: it is needed for each, and long.
    var insertList: String?

    /// The quoted name.
    package var sql: String { name.sqlQuoted }

    /// Name of the table that holds the copies of changed rows as they were.
    package var baseName: String { "$base:" + name }

    /// Name of the table that holds the service's newer copies of changed rows.
    package var serverName: String { "$server:" + name }

    /// Name of the unique index over the key.
    package var keyIndexName: String { "$key:" + name }

    /// Returns the place of the column that holds a property of a type.
    package func column(at path: [String], of type: StructuredTypeID, in model: EdmModel) -> Int? {
        columns.firstIndex { $0.path == path && model.type(type, isOrExtends: $0.declaringType) }
    }

    /// Returns the columns that entities of a type have.
    package func columns(of type: StructuredTypeID, in model: EdmModel) -> [Int] {
        let lineage = Set(model.lineage(of: type))
        return columns.indices.filter { lineage.contains(columns[$0].declaringType) }
    }
}

// MARK: - SQL

extension TableLayout {
    /// The statement that creates the table, or the table of copies under another name.
    package func createStatement(named name: String? = nil) -> String {
        let system = SystemColumn.allCases.map(\.declaration)
        let properties = columns.map { "\($0.sql) \($0.affinity)" }
        let list = (system + properties).joined(separator: ",\n    ")
        return "CREATE TABLE \((name ?? self.name).sqlQuoted) (\n    \(list)\n)"
    }

    /// The statement that makes the key unique; nil where there is no key.
    package var createKeyIndexStatement: String? {
        let columns =
            (isContained ? [SystemColumn.parent.sql] : []) + keyColumns.map { self.columns[$0].sql }
        guard !keyColumns.isEmpty || isContained else { return nil }
        let unique = keyColumns.isEmpty ? "" : "UNIQUE "
        return
            "CREATE \(unique)INDEX \(keyIndexName.sqlQuoted) ON \(sql) (\(columns.joined(separator: ", ")))"
    }

    /// Columns and parameters of the statement that inserts a whole row.
    var madeInsertList: String {
        let columns = allColumnNames
        let parameters = columns.indices.map { "?\($0 + 1)" }.joined(separator: ", ")
        return "(\(columns.joined(separator: ", "))) VALUES (\(parameters))"
    }

    /// Every column in the order in which statements list them.
    package var allColumnNames: [String] {
        SystemColumn.allCases.map(\.sql) + columns.map(\.sql)
    }
}
