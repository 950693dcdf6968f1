import ODataSQLite
import ODataValues
import ODataModel

/// The columns of one of the store's own tables.
///
/// The table, the statements that write and read its rows, the decoding of a row and the built-in entity set are made from this one
/// declaration. A case's raw value is its place in those statements; the file has the names only.
protocol RecordColumn: CaseIterable, RawRepresentable, Sendable where RawValue == Int {
    static var tableName: String { get }
    /// What follows the columns in `CREATE TABLE`.
    static var tableOptions: String { get }
    static var statements: RecordStatements<Self> { get }

    var declaration: RecordDeclaration { get }
}

extension RecordColumn {
    static var tableOptions: String { "" }

    /// Name of the column, quoted.
    var sql: String { declaration.name.sqlQuoted }
}

/// How one column stands in the file, and in the built-in set over the table.
struct RecordDeclaration {
    /// Name in the file.
    var name: String
    /// SQL type with its constraints.
    var type: String
    /// The property that shows it; nil where none does.
    var shown: ShownProperty?
    /// What the text of the application's own that it keeps is for; nil for other columns.
    var label: String?

    init(_ name: String, type: String, shown: ShownProperty? = nil) {
        self.name = name
        self.type = type
        self.shown = shown
    }

    /// A text of the application's own, shown as a property of its name: `tag` as `CustomTag`.
    init(label name: String, help: String) {
        let property = "Custom" + name.prefix(1).uppercased() + name.dropFirst()
        self.init(name, type: "TEXT", shown: ShownProperty(name: property, type: .string))
        label = help
    }
}

/// A property of a built-in entity set.
struct ShownProperty {
    var name: String
    var type: PrimitiveType
    /// Whether only refused requests have it.
    var isOfFailure = false
}

/// The statements over all columns of a table.
struct RecordStatements<Column: RecordColumn>: Sendable {
    let count = Column.allCases.count
    /// The names of all columns, for `SELECT`.
    let columns = Column.allCases.map(\.sql).joined(separator: ", ")
    /// Inserts a row; its bindings are those of ``RecordValues``.
    let insertion: SQLText
    /// Makes the table.
    let creation: String

    init() {
        let places = Column.allCases.map { "?\($0.rawValue + 1)" }.joined(separator: ", ")
        insertion = SQLText(
            "INSERT INTO \(Column.tableName.sqlQuoted) (\(columns)) VALUES (\(places))"
        )
        let definitions = Column.allCases.map { "\($0.sql) \($0.declaration.type)" }
        let options = Column.tableOptions.isEmpty ? "" : " " + Column.tableOptions
        creation =
            "CREATE TABLE \(Column.tableName.sqlQuoted) (\(definitions.joined(separator: ", ")))\(options)"
    }
}

/// The values of a new row by their columns; a column that is not set is null.
struct RecordValues<Column: RecordColumn> {
    fileprivate private(set) var bindings: [Scalar]

    init() {
        bindings = Array(repeating: .null, count: Column.statements.count)
    }

    subscript(column: Column) -> Scalar {
        get { bindings[column.rawValue] }
        set { bindings[column.rawValue] = newValue }
    }
}

extension SQLiteConnection {
    /// Inserts a row.
    func insert<Column>(_ values: RecordValues<Column>) throws {
        try run(Column.statements.insertion, bindings: values.bindings)
    }
}

/// A row of a statement that selects all columns of a table, read by their names.
struct Record<Column: RecordColumn> {
    private let row: SQLiteStatement

    init(_ row: SQLiteStatement) { self.row = row }

    func isNull(_ column: Column) -> Bool { row.isNull(column.rawValue) }
    func integer(_ column: Column) -> Int64 { row.integer(column.rawValue) }
    func string(_ column: Column) -> String { row.string(column.rawValue) }
    func scalar(_ column: Column) -> Scalar { row.scalar(column.rawValue) }
    func optionalString(_ column: Column) -> String? { row.optionalString(column.rawValue) }

    func optionalInteger(_ column: Column) -> Int64? {
        isNull(column) ? nil : integer(column)
    }
}
