import ODataSQLite
import ODataSQL
import StoreRecords
import ODataValues
import ODataPayload
import ODataModel
import ODataTables

/// The keys of entities that a request created inline, from the entities that its answer shows.
///
/// The answer may show them in another order, or not at all (OData 4.01 Part 1 § 11.4.2.2).
struct InlineIdentities {
    private let connection: SQLiteConnection
    private let schema: TableSchema
    private var rows: RowEditor { RowEditor(connection, layout: schema.layout) }
    /// Rows created inline that have not been found in the answer.
    private var waiting: [Int64: TableLayout]

    init(
        _ connection: SQLiteConnection,
        schema: TableSchema,
        effects: [ChangeEffect],
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
        if let answer { try match(answer, in: parent) }
        let (keys, unknown) = (
            UnreturnedKeys(connection), waiting.filter { !$0.value.keyColumns.isEmpty }
        )
        for (row, table) in unknown { try keys.note(row, in: table) }
        try keys.noteInline(unknown.filter { $0.value.isContained }.keys)
    }

    private mutating func match(_ answer: EntityBody, in parent: RowReference) throws {
        for inline in answer.inline {
            guard let target = schema.model.target(of: inline.navigation, from: parent.source),
                let table = schema.layout[target]
            else { continue }
            var open = Candidates(
                table: table,
                rows: try created(inline.navigation, of: parent)
                    + moved(to: table, below: parent, besides: answer),
                shown: inline.entities
            )
            let isWhole = open.rows.count == open.shown.count
            for sign in Sign.allCases {
                for row in open.rows {
                    let place = try open.shown.firstIndex {
                        try matches(sign, row: row, body: $0, among: open)
                    }
                    guard let place else { continue }
                    try settle(row, in: table, from: target, body: open.shown.remove(at: place))
                    open.rows.removeAll { $0 == row }
                }
            }
            // The parent is new, so all that it has was created with it.
            if isWhole, open.rows.count == 1, let row = open.rows.first, let last = open.shown.first
            {
                try settle(row, in: table, from: target, body: last)
            }
        }
    }

    /// Whether an entity has the values of a row, and below it the same entities: who are the same in all that can stand for each other.
    private func isShownWhole(_ row: Int64, in table: TableLayout, body: EntityBody) throws -> Bool
    {
        guard try SentValues(connection, schema: schema).isShown(row, in: table, by: body) else {
            return false
        }
        let parent = RowReference(source: table.source, row: row)
        var found = 0
        for inline in body.inline {
            guard let target = schema.model.target(of: inline.navigation, from: table.source),
                let below = schema.layout[target]
            else { continue }
            var shown = inline.entities
            for child in try created(inline.navigation, of: parent) {
                guard
                    let place = try shown.firstIndex(where: {
                        try isShownWhole(child, in: below, body: $0)
                    })
                else { return false }
                shown.remove(at: place)
                if below.isContained { found += 1 }
            }
            guard shown.isEmpty else { return false }
        }
        return try found == contained(in: row)
    }

    /// Whether an entity cannot be a row: it has other values, or shows that other entities are below it.
    private func isOther(_ row: Int64, in table: TableLayout, body: EntityBody) throws -> Bool {
        try !body.inline.isEmpty
            || !SentValues(connection, schema: schema).isShown(row, in: table, by: body)
    }

    /// How many rows were created inside of a row.
    private func contained(in row: Int64) throws -> Int {
        try waiting.count { try rows.heldParent(of: $0.key, in: $0.value) == row }
    }

    /// What rows created inline and entities of an answer are left.
    private struct Candidates {
        var table: TableLayout
        var rows: [Int64]
        var shown: [EntityBody]
    }

    /// What identifies a row with an entity, the surest first: the service may have given a key that was sent to another row.
    private enum Sign: CaseIterable {
        case keyAndValues, valuesOfAllBelow, valuesOfNoOther, key
    }

    private func matches(_ sign: Sign, row: Int64, body: EntityBody, among open: Candidates)
        throws -> Bool
    {
        let (table, values) = (open.table, SentValues(connection, schema: schema))
        switch sign {
        case .key: return try hasKey(row, in: table, body: body)
        case .keyAndValues:
            return try hasKey(row, in: table, body: body)
                && values.isShown(row, in: table, by: body)
        case .valuesOfAllBelow:
            return try isShownWhole(row, in: table, body: body)
                && open.rows.allSatisfy {
                    try isOther($0, in: table, body: body)
                        || isShownWhole($0, in: table, body: body)
                }
        case .valuesOfNoOther:
            return try values.isShown(row, in: table, by: body)
                && open.shown.count { try values.isShown(row, in: table, by: $0) } == 1
                && open.rows.count { try values.isShown($0, in: table, by: body) } == 1
        }
    }

    private func hasKey(_ row: Int64, in table: TableLayout, body: EntityBody) throws -> Bool {
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
        return try editor.related(parent, id: navigation).map(\.row)
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
        in table: TableLayout,
        from source: NavigationSource,
        body: EntityBody
    ) throws {
        let success = UploadRecorder.Success(representation: body)
        guard let key = try ReturnedKey(connection, schema: schema).key(success, in: table) else {
            return
        }
        waiting[row] = nil
        if let sent = try rows.heldKey(of: row, in: table) {
            try KeptKeys(connection).note(isKept: key == sent, in: table)
        }
        try KeyChange(connection, schema: schema).settle(row, in: table, to: key)
        if let etag = body.control[.etag] {
            for name in [table.name, table.baseName]
            where try TableCatalog(connection, layout: schema.layout).exists(name) {
                try connection.run(
                    "UPDATE \(name.sqlQuoted) SET \"$etag\" = ?2 WHERE \"$id\" = ?1",
                    [.integer(row), .text(etag)]
                )
            }
        }
        try match(body, in: RowReference(source: source, row: row))
    }
}
