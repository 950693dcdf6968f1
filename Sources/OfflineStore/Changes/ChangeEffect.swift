import ODataPayload

/// The smallest part of what a request did to the store.
enum ChangeEffect: Sendable, Equatable {
    case inserted(table: String, row: Int64)
    /// A column got a value; columns of JSON objects are patched with it.
    case set(table: String, row: Int64, column: String, value: Scalar)
    case deleted(table: String, row: Int64)
    case link(RowLink, isAdded: Bool)
    /// A stream got a content, or lost it; the media stream of the entity itself has the empty name.
    case stream(table: String, row: Int64, property: String, content: Int64?)

    /// The row it is about; nil for links.
    var row: ChangedRow? {
        switch self {
        case .inserted(let table, let row), .deleted(let table, let row),
            .set(let table, let row, _, _), .stream(let table, let row, _, _):
            ChangedRow(table: table, row: row)
        case .link: nil
        }
    }

    /// The link it is about; nil for rows.
    var link: RowLink? {
        if case .link(let link, _) = self { link } else { nil }
    }

    /// Whether it is about one of some rows, or a link of one.
    func isAbout(_ rows: Set<ChangedRow>) -> Bool {
        guard !rows.isEmpty else { return false }
        if let row { return rows.contains(row) }
        return rows.contains { $0.row == link?.source || $0.row == link?.target }
    }

    var isInsertion: Bool {
        if case .inserted = self { true } else { false }
    }

    var isDeletion: Bool {
        if case .deleted = self { true } else { false }
    }
}

/// A row of a table that local changes touch.
struct ChangedRow: Sendable, Hashable {
    var table: String
    var row: Int64
}

/// A link of two rows, as its table has it.
struct RowLink: Sendable, Hashable {
    var table: String
    var source: Int64
    var target: Int64
}
