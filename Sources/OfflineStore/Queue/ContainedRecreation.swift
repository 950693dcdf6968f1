import ODataSQLite
import ODataSQL
import StoreRecords
import ODataValues
import ODataModel
import ODataAnswers
import ODataTables

/// What a deleted entity has contained: it is created anew inline with it, as the service had it, and what has changed in it here is
/// sent after that.
struct ContainedRecreation {
    private let editor: QueueEditor
    private let parts: [Part]
    /// The rows below, those among them that were created here.
    private let below: [Int64]
    private var connection: SQLiteConnection { editor.connection }
    private var schema: TableSchema { editor.schema }
    private var editedRows: RowEditor { RowEditor(connection, layout: schema.layout) }

    /// A contained entity that the service had.
    private struct Part {
        var entity: RowReference
        var parent: Int64
        var type: StructuredTypeID
        var table: TableLayout
        /// The table or copy with the version that the service had.
        var name: String
    }

    /// The rows of the entities that are created anew.
    var rows: [Int64] { parts.map(\.entity.row) }

    /// Looks for what a row contains, at every depth.
    init(_ editor: QueueEditor, of row: Int64) throws {
        self.editor = editor
        let contained = ContainedRows(editor.connection, layout: editor.layout)
        below = try contained.below(row).map(\.row)
        parts = try Self.parts(of: row, contained: contained, editor: editor)
    }

    private static func parts(
        of parent: Int64,
        contained: ContainedRows,
        editor: QueueEditor
    ) throws -> [Part] {
        try contained.children(of: parent).flatMap { entity -> [Part] in
            // What was created here has a request of its own, and what is below it too.
            guard try editor.journal.creator(of: entity.row) == nil,
                let table = editor.layout[entity.source]
            else { return [] }
            let isChanged = try editor.rebuild.has(entity.row, in: table.baseName)
            let name = isChanged ? table.baseName : table.name
            let code = try editor.connection.integer(
                "SELECT \(SystemColumn.type.sql) FROM \(name.sqlQuoted) WHERE \"$id\" = ?1",
                [.integer(entity.row)]
            )
            let type = code.flatMap {
                table.types.indices.contains(Int($0)) ? table.types[Int($0)] : nil
            }
            let part = Part(
                entity: entity,
                parent: parent,
                type: type ?? table.entityType,
                table: table,
                name: name
            )
            return try [part] + parts(of: entity.row, contained: contained, editor: editor)
        }
    }

    // MARK: The body

    /// - Throws: ``StoreError`` where an entity cannot be created inside of another, or a change of one is on its way.
    func check() throws {
        for part in parts where schema.model.hasStream(part.type) {
            let link = try EntityLink(editedRows, includesDeleted: true).link(part.entity)
            throw StoreError(
                .wrongState,
                "the service has deleted the entity, and it cannot be created anew: it contains the media entity"
                    + " \(link ?? "?"), which is created from its stream; let the service's side stand"
            )
        }
        for row in below {
            for entry in try editor.queue.entries(forRow: row) where entry.status == .sending {
                try editor.check(entry)
            }
        }
    }

    /// Returns the entities that a row contains, as the service had them.
    func inline(of row: Int64) throws -> [EntityBody.Inline] {
        var found: [EntityBody.Inline] = []
        for part in parts where part.parent == row {
            guard case .contained(let navigation) = part.entity.source,
                var body = try RecreatedValues(connection, schema: schema)
                    .body(
                        of: part.entity,
                        part.type,
                        named: part.name,
                        isLinked: { try editor.journal.creator(of: $0.row) == nil }
                    )
            else { continue }
            body.inline = try inline(of: part.entity.row)
            if let index = found.firstIndex(where: { $0.navigation == navigation }) {
                found[index].entities.append(body)
            } else {
                found.append(.init(navigation: navigation, entities: [body], isDelta: false))
            }
        }
        return found
    }

    // MARK: Rows and requests

    /// The rows are ones that the creation inserts; their base copies are what it gives them.
    func becomeNew(with carrier: QueueEntry) throws {
        let values = RecreatedValues(connection, schema: schema)
        for part in parts {
            let (row, table) = (part.entity.row, part.table)
            try EntityAddresses(connection).remove(row: row)
            try dropServerCopy(of: part)
            let copies = try [table.name, table.baseName].filter(editedRows.catalog.exists)
            try values.markNew(row, in: table, named: copies)
            try ChangeRecorder(editedRows, flags: []).keepBase(of: row, in: table)
            try editor.journal.add([.inserted(table: table.name, row: row)], of: carrier.id)
            try connection.run(
                "UPDATE \"$queue\" SET \"etag\" = NULL WHERE \"row\" = ?1",
                [.integer(row)]
            )
        }
    }

    private func dropServerCopy(of part: Part) throws {
        guard try editedRows.catalog.exists(part.table.serverName) else { return }
        try connection.run(
            "DELETE FROM \(part.table.serverName.sqlQuoted) WHERE \"$id\" = ?1",
            [.integer(part.entity.row)]
        )
    }

    /// The changes of what is contained wait for the creation; those that were refused since the entity was gone wait again.
    func order(after carrier: QueueEntry) throws {
        for entry in try below.flatMap(editor.queue.entries(forRow:)) where entry.id != carrier.id {
            try connection.run(
                "DELETE FROM \"$depends\" WHERE \"request\" = ?1 AND \"on\" = ?2",
                [.integer(carrier.id), .integer(entry.id)]
            )
            // What the creation itself waits for cannot wait for it.
            if try !editor.queue.dependents(of: entry.id).contains(carrier.id) {
                try connection.run(
                    "INSERT OR IGNORE INTO \"$depends\" VALUES (?2, ?1)",
                    [.integer(carrier.id), .integer(entry.id)]
                )
            }
            guard entry.status == .failed, [404, 410].contains(entry.failure?.httpStatus) else {
                continue
            }
            try editor.makePending(entry.id)
        }
        for part in parts { try editor.rebuild.updateState(of: part.entity.row, part.table) }
    }
}
