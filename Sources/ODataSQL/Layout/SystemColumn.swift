import ODataSQLite

/// The columns that every table has besides its properties.
///
/// OData identifiers cannot contain `$`, so none can meet a property.
@usableFromInline
package enum SystemColumn: String, CaseIterable, Sendable {
    /// The row's id: unique over all tables of the file, never used again.
    case id = "$id"
    /// The entity's type: index into `TableLayout.types`.
    case type = "$type"
    /// The ETag as the service wrote it; null where there is none or it is out of date.
    case etag = "$etag"
    /// A bit per defining query that brought the row.
    case queries = "$queries"
    /// The row that contains this one.
    case parent = "$parent"
    /// JSON object from column name to the exact text of values whose form does not say all.
    case exact = "$exact"
    /// JSON object of members without a column of their own: dynamic ones, and what is beyond the column limit.
    case dynamic = "$dynamic"
    /// JSON object of links that differ from the conventional ones, and of media information.
    case control = "$control"
    /// Bits of `RowState`.
    case state = "$state"
    /// The number of the download that last wrote the row.
    case stamp = "$stamp"

    /// The column's declaration.
    var declaration: String {
        switch self {
        case .id: "\"$id\" INTEGER PRIMARY KEY"
        case .type, .queries, .state, .stamp: "\(rawValue.sqlQuoted) INTEGER NOT NULL DEFAULT 0"
        case .parent: "\"$parent\" INTEGER"
        case .etag, .exact, .dynamic, .control: "\(rawValue.sqlQuoted) TEXT"
        }
    }

    /// All of them, in the order of statements that list them.
    package static let ordered = allCases

    /// The quoted name.
    package var sql: String { rawValue.sqlQuoted }

    /// The column's parameter in statements that insert whole rows.
    package var parameter: Int { place + 1 }

    /// The parameter of the first slot in such statements, behind those of the system columns.
    package static let firstSlotParameter = ordered.count + 1

    /// Its place among the columns.
    private var place: Int {
        switch self {
        case .id: 0
        case .type: 1
        case .etag: 2
        case .queries: 3
        case .parent: 4
        case .exact: 5
        case .dynamic: 6
        case .control: 7
        case .state: 8
        case .stamp: 9
        }
    }

    /// Hashes its place among the columns: its name, which would be hashed otherwise, is a text.
    @usableFromInline package func hash(into hasher: inout Hasher) {
        hasher.combine(place)
    }
}

/// What an offline store knows of a row beyond its values; stored in `$state`.
@usableFromInline
package struct RowState: OptionSet, Sendable {
    @usableFromInline package let rawValue: Int64

    @inlinable package init(rawValue: Int64) { self.rawValue = rawValue }

    /// Whether it has one of some states.
    @inlinable package func hasAny(of states: RowState) -> Bool {
        rawValue & states.rawValue != 0
    }

    /// As the service has it.
    @inlinable package static var plain: RowState { RowState(rawValue: 0) }
    /// Changed here, and the result not downloaded since.
    @inlinable package static var local: RowState { RowState(rawValue: 1) }
    /// A change waits to be sent.
    @inlinable package static var pending: RowState { RowState(rawValue: 2) }
    /// A change was refused and stands in the error archive.
    @inlinable package static var inError: RowState { RowState(rawValue: 4) }
    /// The server has a newer copy than the one the local change was made on.
    @inlinable package static var conflict: RowState { RowState(rawValue: 8) }
    /// Created here and not yet known to the service.
    @inlinable package static var created: RowState { RowState(rawValue: 16) }
    /// A request about the row waits, or stands in the error archive.
    @inlinable package static var waiting: RowState { RowState(rawValue: 2 | 4) }
}
