import ODataModel
import ODataProtocol
import ODataTables

/// The keys of entities that a request created inline, from the entities that its answer shows.
///
/// The answer may show them in another order, or not at all (OData 4.01 Part 1 § 11.4.2.2).
struct InlineIdentities {
    private let connection: SQLiteConnection
    private let schema: TableSchema
    private var rows: RowEditor { RowEditor(connection, schema.layout) }
    /// Rows created inline that have not been found in the answer.
    private var waiting: [Int64: TableLayout]

    init(
        _ connection: SQLiteConnection,
        _ schema: TableSchema,
        _ effects: [ChangeEffect],
        besides row: Int64
    ) {
        (self.connection, self.schema) = (connection, schema)
        waiting = [:]
        for case .inserted(let name, let inserted) in effects where inserted != row {
            waiting[inserted] = schema.layout.table(named: name)
        }
    }

    /// Takes over what the answer shows; what it does not show has no key to be trusted.
    mutating func take(_ answer: EntityBody?, of parent: RowReference) throws {
        guard !waiting.isEmpty else { return }
        if let answer { try match(answer, parent) }
        for (row, table) in waiting where !table.keyColumns.isEmpty {
            try UntoldKeys(connection).note(row, table)
        }
    }

    private mutating func match(_ answer: EntityBody, _ parent: RowReference) throws {
        for inline in answer.inline {
            guard let target = schema.model.target(of: inline.navigation, from: parent.source),
                let table = schema.layout[target]
            else { continue }
            var rows = try created(inline.navigation, of: parent)
            rows += try moved(to: table, below: parent, besides: answer)
            var shown = inline.entities
            let isWhole = rows.count == shown.count
            // The service may have given a key that was sent to another one of them.
            for isSame in [hasKeyAndValues, SentValues(connection, schema).isShown, hasKey] {
                for row in rows {
                    guard let place = try shown.firstIndex(where: { try isSame(row, table, $0) })
                    else { continue }
                    try settle(row, table, target, shown.remove(at: place))
                    rows.removeAll { $0 == row }
                }
            }
            // The parent is new, so all that it has was created with it.
            if isWhole, rows.count == 1, let row = rows.first, let last = shown.first {
                try settle(row, table, target, last)
            }
        }
    }

    private func hasKeyAndValues(_ row: Int64, _ table: TableLayout, _ body: EntityBody) throws
        -> Bool
    {
        try hasKey(row, table, body)
            && SentValues(connection, schema).isShown(row, table, by: body)
    }

    private func hasKey(_ row: Int64, _ table: TableLayout, _ body: EntityBody) throws -> Bool {
        guard let key = try rows.heldKey(of: row, in: table) else { return false }
        return table.keyColumns.map { body.value(of: $0) ?? .null } == key
    }

    /// Rows created with the request that a navigation property leads to, in the order of their creation.
    private func created(_ navigation: NavigationPropertyID, of parent: RowReference) throws
        -> [Int64]
    {
        let editor = EntityEditor(rows, journal: ChangeRecorder(rows, flags: [])) { _ in
            throw EditError(.notFound, "no reference is resolved here")
        }
        return try editor.related(parent, navigation).map(\.row)
            .filter { waiting[$0] != nil }.sorted()
    }

    /// Rows created with the request that have been deleted here since, or have got another partner.
    private func moved(
        to table: TableLayout,
        below parent: RowReference,
        besides answer: EntityBody
    )
        throws -> [Int64]
    {
        var placed: Set<Int64> = []
        for inline in answer.inline
        where schema.model.target(of: inline.navigation, from: parent.source) == table.source {
            placed.formUnion(try created(inline.navigation, of: parent))
        }
        return try waiting.keys.filter { row in
            guard waiting[row]?.name == table.name, !placed.contains(row) else { return false }
            return try !table.isContained || rows.heldParent(of: row, in: table) == parent.row
        }.sorted()
    }

    private mutating func settle(
        _ row: Int64,
        _ table: TableLayout,
        _ source: NavigationSource,
        _ body: EntityBody
    ) throws {
        let success = UploadRecorder.Success(representation: body)
        guard let key = try ToldKey(connection, schema).key(success, table) else { return }
        waiting[row] = nil
        if let sent = try rows.heldKey(of: row, in: table) {
            try KeptKeys(connection).note(isKept: key == sent, in: table)
        }
        try KeyChange(connection, schema).settle(row, table, to: key)
        if let etag = body.control[.etag] {
            for name in [table.name, table.baseName]
            where try TableCatalog(connection, schema.layout).exists(name) {
                try connection.run(
                    "UPDATE \(name.sqlQuoted) SET \"$etag\" = ?2 WHERE \"$id\" = ?1",
                    [.integer(row), .text(etag)]
                )
            }
        }
        try match(body, RowReference(source: source, row: row))
    }
}
