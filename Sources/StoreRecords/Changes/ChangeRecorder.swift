package import ODataSQL
import ODataPayload
import ODataSQLite
import ODataValues
import ODataAnswers
package import ODataTables

/// Keeps what a local change destroys, and writes down what it does.
///
/// The base copy of a row is the row as it was when it was first changed: the service's version, or for a row created here the
/// row as it was created. So any request can be taken back while others stay.
package final class ChangeRecorder: RowJournal {
    private let rows: RowEditor
    private let flags: QueueEntry.Flags
    /// Whether entities may come without their required properties: they are created from their streams.
    package var takesIncomplete = false
    /// Whether the change gives new values to a row whose creation still waits: what is fixed later can be set.
    package var isEditingCreation = false
    /// Whether the change shows what a call will do: the service may set what clients cannot.
    package var isEffectOfCall = false
    /// Rows that were inserted, in order; the first is the entity that the request creates.
    package private(set) var insertedRows: [Int64] = []
    /// The links of those rows.
    package private(set) var links: [Int64: String] = [:]
    /// The row that was inserted last, where it can be shown without reading it.
    package private(set) var lastInserted: InsertedRow?
    /// What the change did, in order.
    package private(set) var effects: [ChangeEffect] = []

    private static let createdState: RowState = [.local, .pending, .created]

    package init(_ rows: RowEditor, flags: QueueEntry.Flags) {
        self.rows = rows
        self.flags = flags
    }

    package func willTake(_ body: inout EntityBody, for row: Int64?, in table: TableLayout) throws {
        let rules = LocalRules(rows)
        if isEffectOfCall {
            try rules.checkValues(body, in: table)
        } else if let row, !isEditingCreation {
            try rules.checkChange(&body, of: row, in: table)
        } else {
            try rules.checkNew(&body, in: table)
            // Complete ones are checked as a whole, with what is added to them.
            if takesIncomplete { try rules.checkValues(body, in: table) }
        }
        // Most types have no such value, and a model as a value is large.
        guard !table.typeColumns(of: body.plan.type, in: rows.layout.model).isFlat else { return }
        ComplexDefaults(model: rows.layout.model).complete(&body, in: table)
    }

    package func willSet(_ body: EntityBody, of row: Int64, in table: TableLayout) throws {
        try EntityRules(layout: rows.layout).check(body, in: table, isComplete: false)
    }

    /// Gives the entity a local id, which stands for the parts of its key that are not known yet.
    package func prepare(
        _ body: inout EntityBody,
        as row: Int64,
        in table: TableLayout
    ) throws -> SystemValues {
        let local = LocalID()
        try rows.connection.run(
            Self.insertLocalID,
            bindings: [.blob(local.bytes), .integer(row), .text(table.name)]
        )
        for slot in table.keyColumns where (body.value(of: slot) ?? .null) == .null {
            body.set(UnknownValue.provisional(local, in: table.columns[slot]), slot: slot)
        }
        let rules = EntityRules(layout: rows.layout)
        rules.setAbsentCollections(of: &body, in: table)
        if !takesIncomplete { try LocalRules(rows).checkComplete(body, in: table) }
        var system = SystemValues(state: Self.createdState)
        if let link = EntityLink(rows).link(of: body, in: table, local) {
            links[row] = link
            system.control = CreatedControl.json(link)
            lastInserted = InsertedRow(body, system: system, in: table, layout: rows.layout)
        }
        return system
    }

    private static let insertLocalID = SQLText("INSERT INTO \"$local\" VALUES (?1, ?2, ?3)")

    /// Writes the local link with the row: until the key is known it is the only address of the entity.
    package func inserted(_ row: Int64, in table: TableLayout) throws {
        insertedRows.append(row)
        effects.append(.inserted(table: table.name, row: row))
        guard links[row] == nil,
            let link = try EntityLink(rows).link(RowReference(source: table.source, row: row))
        else { return }
        links[row] = link
        try rows.set([.control: .text(CreatedControl.json(link))], of: row, in: table)
    }

    package func willChange(_ row: Int64, in table: TableLayout) throws {
        try keepBase(of: row, in: table)
        try rows.changeState(of: row, in: table, adding: [.local, .pending])
    }

    package func didChange(_ row: Int64, in table: TableLayout, to body: EntityBody) throws {
        effects += Self.settings(body, of: row, in: table, rows)
    }

    /// What the values of a body do to a row.
    package static func settings(
        _ body: EntityBody,
        of row: Int64,
        in table: TableLayout,
        _ rows: RowEditor
    ) -> [ChangeEffect] {
        rows.assignments(of: body, in: table).map {
            .set(table: table.name, row: row, column: $0.column, value: $0.value)
        }
    }

    package func willDelete(_ row: Int64, in table: TableLayout) throws {
        try keepBase(of: row, in: table)
        for name in try rows.catalog.linkTables() {
            for target in try rows.linked(to: row, table: name, isReversed: false) {
                try willLink(row, to: target, table: name, isAdded: false)
            }
            for source in try rows.linked(to: row, table: name, isReversed: true) {
                try willLink(source, to: row, table: name, isAdded: false)
            }
        }
        effects.append(.deleted(table: table.name, row: row))
    }

    package func willLink(_ source: Int64, to target: Int64, table: String, isAdded: Bool) throws {
        let link = RowLink(table: table, source: source, target: target)
        let isThere = try rows.linked(to: source, table: table, isReversed: false).contains(target)
        try EffectJournal(rows.connection).keepBase(of: link, isThere: isThere)
        effects.append(.link(link, isAdded: isAdded))
    }

    /// A target that is deleted here comes back when that is taken back, and would then be a second one.
    package func willReplaceLink(of row: Int64, table: String, isReversed: Bool) throws {
        let present = try rows.linked(to: row, table: table, isReversed: isReversed)
        let journal = EffectJournal(rows.connection)
        let known =
            try journal.baseLinked(to: row, in: table, isReversed: isReversed)
            + journal.newlyLinked(to: row, in: table, isReversed: isReversed)
        for other in Set(known).subtracting(present).sorted() {
            let (source, target) = isReversed ? (other, row) : (row, other)
            effects.append(
                .link(RowLink(table: table, source: source, target: target), isAdded: false)
            )
        }
    }

    package func linked(_ source: Int64, to target: Int64?, table: String, isAdded: Bool) throws {}

    /// Gives a stream a new content, or none.
    package func setStream(
        _ content: Int64?,
        of row: Int64,
        property: String,
        in table: TableLayout
    )
        throws
    {
        let streams = StoreStreams(rows.connection)
        try streams.keepBase(of: row, property)
        try streams.point(row, property: property, to: content, in: table)
        effects.append(
            .stream(table: table.name, row: row, property: property, content: content)
        )
    }

    /// Makes the table of base copies with the index by which a deleted entity is found by its key.
    private func ensureBaseTable(_ table: TableLayout) throws {
        guard try !rows.catalog.exists(table.baseName) else { return }
        try rows.catalog.ensureCopies(table.baseName, of: table)
        if let sql = StoreTables.baseKeyIndex(of: table) { try rows.connection.execute(sql) }
    }

    /// Copies the row unless it has a copy already.
    package func keepBase(of row: Int64, in table: TableLayout) throws {
        try ensureBaseTable(table)
        let columns = table.allColumnNames.joined(separator: ", ")
        try rows.connection.run(
            """
            INSERT OR IGNORE INTO \(table.baseName.sqlQuoted) (\(columns)) SELECT \(columns) FROM \(table.sql)
            WHERE "$id" = ?1
            """,
            [.integer(row)]
        )
    }
}
