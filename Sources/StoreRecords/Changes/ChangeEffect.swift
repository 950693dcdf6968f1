import ODataSQLite
package import ODataValues

/// The smallest part of what a request did to the store.
package enum ChangeEffect: Sendable, Equatable {
    case inserted(table: String, row: Int64)
    /// A column got a value; columns of JSON objects are patched with it.
    case set(table: String, row: Int64, column: String, value: Scalar)
    case deleted(table: String, row: Int64)
    case link(RowLink, isAdded: Bool)
    /// A stream got a content, or lost it; the media stream of the entity itself has the empty name.
    case stream(table: String, row: Int64, property: String, content: Int64?)

    /// The row it is about; nil for links.
    package var row: ChangedRow? {
        switch self {
        case .inserted(let table, let row), .deleted(let table, let row),
            .set(let table, let row, _, _), .stream(let table, let row, _, _):
            ChangedRow(table: table, row: row)
        case .link: nil
        }
    }

    /// The link it is about; nil for rows.
    package var link: RowLink? {
        if case .link(let link, _) = self { link } else { nil }
    }

    /// Whether it is about one of some rows, or a link of one.
    package func isAbout(_ rows: Set<ChangedRow>) -> Bool {
        guard !rows.isEmpty else { return false }
        if let row { return rows.contains(row) }
        return rows.contains { $0.row == link?.source || $0.row == link?.target }
    }

    package var isInsertion: Bool {
        if case .inserted = self { true } else { false }
    }

    package var isDeletion: Bool {
        if case .deleted = self { true } else { false }
    }
}

/// A row of a table that local changes touch.
package struct ChangedRow: Sendable, Hashable {
    package var table: String
    package var row: Int64

    package init(table: String, row: Int64) {
        self.table = table
        self.row = row
    }
}

/// A link of two rows, as its table has it.
package struct RowLink: Sendable, Hashable {
    package var table: String
    package var source: Int64
    package var target: Int64

    package init(table: String, source: Int64, target: Int64) {
        self.table = table
        self.source = source
        self.target = target
    }

    /// The SQL condition that no waiting request changes a link of a table.
    package static func isUnchanged(in name: String) -> String {
        let link = name.sqlQuoted
        return """
            NOT EXISTS (SELECT 1 FROM main."$baselink" k WHERE k."table" = \(name.sqlText)
                AND k."source" = \(link)."source" AND k."target" = \(link)."target")
            """
    }
}
