import ODataSQLite
import ODataValues
package import ODataModel
import Synchronization

/// The table of an entity set, a singleton or a contained collection.
///
/// A class, since nearly everything that touches a row passes it on.
package final class TableLayout: Sendable {
    /// Whose entities it holds.
    package let source: NavigationSource
    /// Name in SQL.
    package let name: String
    /// The declared entity type.
    package let entityType: StructuredTypeID
    /// Types of the hierarchy that occur; a row's `$type` is an index into it.
    ///
    /// A type once listed keeps its place.
    package let types: [StructuredTypeID]
    /// Every type whose properties the table's entities have: the hierarchy's types and their base types.
    package let declaringTypes: [StructuredTypeID]
    /// Columns of properties, in order; a column's place is also its payload slot.
    package let columns: [Column]
    /// Places of the key's columns in key order; empty for singletons and keyless types.
    package let keyColumns: [Int]
    /// Whether rows belong to a row of another table.
    package let isContained: Bool
    /// Whether there are properties without a column, kept in `$dynamic`.
    package let hasOverflow: Bool
    /// Names of the columns and codes of the types, old and new.
    package let names: TableNames
    /// The quoted name.
    package let sql: String
    /// The texts of the statements for single rows, once they were asked for.
    let insertText = AtomicLazyReference<SQLText>()
    let stateText = AtomicLazyReference<SQLText>()
    let keyText = AtomicLazyReference<SQLText>()
    let childText = AtomicLazyReference<SQLText>()
    private let knownTypes = Mutex<[StructuredTypeID: TypeColumns]>([:])
    /// Those of the declared type, which nearly all entities have.
    private let declaredColumns = AtomicLazyReference<TypeColumns>()

    init(
        source: NavigationSource,
        name: String,
        entityType: StructuredTypeID,
        types: [StructuredTypeID],
        declaringTypes: [StructuredTypeID],
        columns: [Column],
        keyColumns: [Int],
        isContained: Bool,
        hasOverflow: Bool,
        names: TableNames
    ) {
        self.source = source
        self.name = name
        self.entityType = entityType
        self.types = types
        self.declaringTypes = declaringTypes
        self.columns = columns
        self.keyColumns = keyColumns
        self.isContained = isContained
        self.hasOverflow = hasOverflow
        self.names = names
        sql = name.sqlQuoted
    }

    /// What the model says of the columns of a type, worked out the first time.
    package func typeColumns(of type: StructuredTypeID, in model: EdmModel) -> TypeColumns {
        if type == entityType {
            if let known = declaredColumns.load() { return known }
            return declaredColumns.storeIfNil(TypeColumns(of: type, in: self, model))
        }
        if let known = knownTypes.guarded({ $0[type] }) { return known }
        let made = TypeColumns(of: type, in: self, model)
        return knownTypes.guarded { types in
            if let known = types[type] { return known }
            types[type] = made
            return made
        }
    }

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

    /// Whether a column is part of the key, or says that the complex value is there which holds a part of it.
    package func holdsKey(_ slot: Int) -> Bool {
        columns[slot].keyIndex != nil
            || columns[slot].kind == .presence
                && keyColumns.contains { columns[$0].path.starts(with: columns[slot].path) }
    }

    /// The same for the key that a type declares, which the table of a singleton does not use.
    package func holdsKey(_ slot: Int, of type: StructuredTypeID, in model: EdmModel) -> Bool {
        let path = columns[slot].path
        return model.key(of: type).contains { part in
            let key = part.path.split(separator: "/").map(String.init)
            return key == path || columns[slot].kind == .presence && key.starts(with: path)
        }
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
        keyIndex.map { $0.createStatement(named: $0.name, on: name) }
    }

    /// The index over the key; of contained tables, over the parent and the key.
    package var keyIndex: TableIndex? {
        guard !keyColumns.isEmpty || isContained else { return nil }
        return TableIndex(
            name: keyIndexName,
            isUnique: !keyColumns.isEmpty,
            columns: (isContained ? [SystemColumn.parent.sql] : [])
                + keyColumns.map { columns[$0].sql }
        )
    }

    /// Columns and parameters of the statement that inserts a whole row.
    package static func insertList(_ columns: [Column]) -> String {
        let columns = allNames(columns)
        let parameters = columns.indices.map { "?\($0 + 1)" }.joined(separator: ", ")
        return "(\(columns.joined(separator: ", "))) VALUES (\(parameters))"
    }

    /// Every column in the order in which statements list them.
    package var allColumnNames: [String] { Self.allNames(columns) }

    private static func allNames(_ columns: [Column]) -> [String] {
        SystemColumn.allCases.map(\.sql) + columns.map(\.sql)
    }
}
