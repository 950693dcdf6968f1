import ODataSQLite
import StoreRecords
import ODataSQL
import ODataValues
import ODataModel
import ODataURL
import ODataTables

/// Says requests of the queue with the keys and links that the service has given to entities created here.
struct RequestIdentities {
    private let connection: SQLiteConnection
    private let schema: TableSchema
    /// Entities whose key the service has not returned.
    private let untold: [Int64: String]
    private var rows: RowEditor { RowEditor(connection, layout: schema.layout) }

    init(_ connection: SQLiteConnection, schema: TableSchema) throws {
        (self.connection, self.schema) = (connection, schema)
        untold = Dictionary(
            try UnreturnedKeys(connection).all().map { ($0.row, $0.table) },
            uniquingKeysWith: { first, _ in first }
        )
    }

    // MARK: Untold keys

    /// - Throws: ``UnsendableRequest`` where a request names an entity of which it is not known that it has this key.
    func check(_ entry: QueueEntry) throws {
        guard !untold.isEmpty else { return }
        for row in try named(by: entry) {
            // The answer to its creation returns the key.
            if entry.isCreation, entry.row == row { continue }
            guard let name = untold[row], let table = schema.layout.table(named: name),
                try !isAddressed(row, in: table, by: entry)
            else { continue }
            let link = try EntityLink(rows, includesDeleted: true).link(
                RowReference(source: table.source, row: row)
            )
            let local = try EntityLink(rows).localID(of: row).map(LocalIDText.predicate) ?? ""
            throw UnsendableRequest.unconfirmed(link ?? name + local, of: entry.id)
        }
    }

    /// Rows that a request is about or names, and those that contain them.
    private func named(by entry: QueueEntry) throws -> Set<Int64> {
        var all: Set<Int64> = Set([entry.row].compactMap { $0 })
        // What goes with a deleted entity is not named.
        if entry.method != "DELETE" || entry.isLinkChange {
            try connection.forEachRow(
                "SELECT \"row\" FROM \"$refers\" WHERE \"request\" = ?1",
                [.integer(entry.id)]
            ) { all.insert($0.integer(0)) }
        }
        var next = Array(all)
        let contained = try rows.catalog.tables().filter(\.isContained)
        while let row = next.popLast(), !contained.isEmpty {
            for table in contained {
                guard let parent = try rows.heldParent(of: row, in: table),
                    all.insert(parent).inserted
                else { continue }
                next.append(parent)
            }
        }
        return all
    }

    /// Whether the service has returned the location of an entity, and a request refers to it only by links.
    private func isAddressed(_ row: Int64, in table: TableLayout, by entry: QueueEntry) throws
        -> Bool
    {
        guard let target = try EntityAddresses(connection).address(of: row)?.target,
            LinkConvention(schema, root: try ServiceRoot.text(connection)).isOwn(target)
        else { return false }
        guard let values = try rows.heldValues(of: row, in: table),
            let body = try QueuedBody.read(entry, in: schema)
        else { return true }
        let key = table.keyColumns.map { values[$0] }
        let pair = QueuedNames.KeyPair(table: table, old: [key], new: key)
        return !QueuedBody(schema).holdsKey(pair, body: body)
    }

    // MARK: Local ids

    /// Replaces local ids by keys, by the link that the service has given, or by the Content-ID of a create in the same change set.
    ///
    /// What is not known stays, and ``OutgoingRequest`` refuses it.
    func resolved(_ text: String, inUnit: [Int64: Int]) throws -> String {
        var text = text
        var unknown: [(reference: RowReference, table: TableLayout, id: LocalID)] = []
        for id in LocalIDText.ids(in: text) {
            guard let (row, table) = try row(of: id) else { continue }
            if let predicate = try keyPredicate(of: row, in: table) {
                text = text.replacing(LocalIDText.predicate(id), with: predicate)
            } else {
                unknown.append((RowReference(source: table.source, row: row), table, id))
            }
        }
        for item in unknown {
            guard let name = try otherName(of: item.reference.row, inUnit) else { continue }
            let usual = try EntityLink(rows, includesDeleted: true).link(item.reference)
            text = text.replacing(
                usual ?? schema.model.name(of: item.table.source) + LocalIDText.predicate(item.id),
                with: name
            )
        }
        return text
    }

    /// Returns the location that the service has given without a key, or the reference to the creation in the same batch.
    private func otherName(of row: Int64, _ inUnit: [Int64: Int]) throws -> String? {
        if let target = try EntityAddresses(connection).address(of: row)?.target { return target }
        return inUnit[row].map { "$\($0)" }
    }

    private func row(of id: LocalID) throws -> (row: Int64, table: TableLayout)? {
        let found = try connection.firstRow(
            "SELECT \"row\", \"table\" FROM \"$local\" WHERE \"id\" = ?1",
            [.blob(id.bytes)]
        ) { ($0.integer(0), $0.string(1)) }
        return found.flatMap { item in schema.layout.table(named: item.1).map { (item.0, $0) } }
    }

    /// The key of a row, also of one that is deleted here.
    private func keyPredicate(of row: Int64, in table: TableLayout) throws -> String? {
        try rows.heldKey(of: row, in: table).flatMap {
            EntityURL(model: schema.model, version: .v4).keyPredicate(of: table.entityType, $0)
        }
    }
}
