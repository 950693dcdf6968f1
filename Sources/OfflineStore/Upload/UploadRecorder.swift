import ODataModel
import ODataProtocol
package import ODataTables

/// Writes down what became of sent requests: queue entry, row and copies in the caller's one transaction.
package struct UploadRecorder {
    private let connection: SQLiteConnection
    private let schema: TableSchema
    private var queue: RequestQueue { RequestQueue(connection) }
    private var rows: RowEditor { RowEditor(connection, schema.layout) }
    private var model: EdmModel { schema.model }

    /// What a successful answer says.
    package struct Success: Sendable {
        /// The entity in the answer's body, where there is one.
        package var representation: EntityBody?
        /// `ETag` of the answer.
        package var etag: String?
        /// `OData-EntityId`, else `Location`.
        package var entityID: String?

        package init(
            representation: EntityBody? = nil,
            etag: String? = nil,
            entityID: String? = nil
        ) {
            self.representation = representation
            self.etag = etag
            self.entityID = entityID
        }
    }

    package init(_ connection: SQLiteConnection, _ schema: TableSchema) {
        self.connection = connection
        self.schema = schema
    }

    // MARK: Done

    /// Records that a request was carried out.
    package func succeed(_ entry: QueueEntry, _ success: Success) throws {
        if let row = entry.row, let source = entry.source.flatMap({ schema.source(named: $0) }),
            let table = schema.layout[source]
        {
            let isLink = entry.url.contains("/$ref")
            switch entry.method {
            case "POST" where !isLink: try created(entry, row, table, success)
            case "PATCH", "PUT", "MERGE": if !isLink { try updated(entry, row, table, success) }
            case "DELETE" where !isLink: try deleted(row, table)
            default: break
            }
            try queue.remove(entry.id)
            try settle(row, table)
        } else {
            try queue.remove(entry.id)
        }
        try removeFinished()
    }

    private func created(
        _ entry: QueueEntry,
        _ row: Int64,
        _ table: TableLayout,
        _ success: Success
    ) throws {
        try takeKey(row, table, success)
        let etag = success.etag ?? success.representation?.control[.etag]
        try rows.set([.etag: Scalar(etag), .control: .null], of: row, in: table)
        try rows.changeState(of: row, in: table, removing: .created)
        // Entities created inline have no answer of their own: the next download brings them with their keys.
        try connection.forEachRow(
            "SELECT \"row\" FROM \"$refers\" WHERE \"request\" = ?1 AND \"row\" <> ?2",
            [.integer(entry.id), .integer(row)]
        ) { try settleInline($0.integer(0), of: entry.id) }
        if try queue.entries(forRow: row).count > 1 { try makeBase(entry, row, table, etag) }
        if entry.flags.contains(.removeAfterUpload) {
            try connection.run(
                "INSERT OR IGNORE INTO \"$remove\" VALUES (?1, ?2)",
                [.integer(row), .text(model.name(of: table.source))]
            )
        }
    }

    /// An inline entity is the service's now, unless a request of its own made it.
    private func settleInline(_ row: Int64, of request: Int64) throws {
        guard try queue.entries(forRow: row).isEmpty,
            let name = try connection.text(
                "SELECT \"table\" FROM \"$local\" WHERE \"row\" = ?1",
                [.integer(row)]
            ),
            let table = schema.layout.table(named: name)
        else { return }
        try rows.changeState(of: row, in: table, removing: [.created, .pending])
    }

    /// The copy that later changes of a created entity are based on: the entity as it was sent.
    private func makeBase(
        _ entry: QueueEntry,
        _ row: Int64,
        _ table: TableLayout,
        _ etag: String?
    ) throws {
        try rows.catalog.ensureCopies(table.baseName, of: table)
        let columns = table.allColumnNames.joined(separator: ", ")
        try connection.run(
            """
            INSERT OR REPLACE INTO \(table.baseName.sqlQuoted) (\(columns))
            SELECT \(columns) FROM \(table.sql) WHERE "$id" = ?1
            """,
            [.integer(row)]
        )
        if let sent = try body(entry, table) {
            try rows.update(row, in: table, with: sent, named: table.baseName)
        }
    }

    private func body(_ entry: QueueEntry, _ table: TableLayout) throws -> EntityBody? {
        guard let text = entry.body, let plan = schema.plans.plan(for: table.source) else {
            return nil
        }
        return try EntityBodyReader.read(Array(text.utf8), plan, schema)
    }

    private func updated(
        _ entry: QueueEntry,
        _ row: Int64,
        _ table: TableLayout,
        _ success: Success
    ) throws {
        let etag = success.etag ?? success.representation?.control[.etag]
        try rows.set([.etag: Scalar(etag)], of: row, in: table)
        guard try rows.catalog.exists(table.baseName) else { return }
        if let sent = try body(entry, table) {
            try rows.update(row, in: table, with: sent, named: table.baseName)
        }
        try connection.run(
            "UPDATE \(table.baseName.sqlQuoted) SET \"$etag\" = ?2 WHERE \"$id\" = ?1",
            [.integer(row), Scalar(etag)]
        )
    }

    private func deleted(_ row: Int64, _ table: TableLayout) throws {
        try connection.run("DELETE FROM \"$local\" WHERE \"row\" = ?1", [.integer(row)])
    }

    /// A row without further requests is as the service has it: its copies go.
    private func settle(_ row: Int64, _ table: TableLayout) throws {
        guard try queue.entries(forRow: row).isEmpty else { return }
        for copies in [table.baseName, table.serverName] where try rows.catalog.exists(copies) {
            try connection.run(
                "DELETE FROM \(copies.sqlQuoted) WHERE \"$id\" = ?1",
                [.integer(row)]
            )
        }
        guard try rows.catalog.exists(table.name) else { return }
        try rows.changeState(of: row, in: table, removing: [.pending, .inError, .conflict])
    }

    // MARK: Keys

    /// Takes over the key that the service gave, and gives it to every foreign key that waited for it.
    private func takeKey(_ row: Int64, _ table: TableLayout, _ success: Success) throws {
        guard let key = try key(success, table), key.count == table.keyColumns.count else { return }
        try mergeTwin(of: row, key, table)
        let old = try rows.values(of: row, in: table) ?? []
        for (place, value) in zip(table.keyColumns, key) where old[place] != value {
            try connection.run(
                "UPDATE \(table.sql) SET \(table.columns[place].sql) = ?2 WHERE \"$id\" = ?1",
                [.integer(row), value]
            )
            try replaceForeignKeys(to: table, place, old[place], value)
        }
    }

    private func key(_ success: Success, _ table: TableLayout) throws -> [Scalar]? {
        if let body = success.representation {
            let key = table.keyColumns.map { body.value(of: $0) ?? .null }
            if !key.isEmpty, !key.contains(.null) { return key }
        }
        guard let id = success.entityID,
            let request = try? BoundRequest(
                parsing: ServiceRoot.relative(id, connection),
                in: model
            ),
            case .entities(let path) = request.resource, case .key(let key)? = path.steps.last
        else { return nil }
        return key
    }

    /// A download may have brought the entity already, as a row of its own: the older local id stays, the other row goes.
    private func mergeTwin(of row: Int64, _ key: [Scalar], _ table: TableLayout) throws {
        guard let twin = try rows.row(withKey: key, in: table), twin != row else { return }
        let queries = try rows.value(SystemColumn.queries.sql, of: twin, in: table) ?? .integer(0)
        for name in try rows.catalog.linkTables() {
            for end in ["source", "target"] {
                try connection.run(
                    "UPDATE OR IGNORE \(name.sqlQuoted) SET \"\(end)\" = ?2 WHERE \"\(end)\" = ?1",
                    [.integer(twin), .integer(row)]
                )
            }
        }
        try RowCoverage(connection, schema.layout).remove(twin, in: table)
        try rows.set([.queries: queries], of: row, in: table)
    }

    private func replaceForeignKeys(
        to principal: TableLayout,
        _ place: Int,
        _ old: Scalar,
        _ new: Scalar
    ) throws {
        for table in try rows.catalog.tables() {
            for type in table.declaringTypes {
                for index in model[type].navigationProperties.indices {
                    let id = NavigationPropertyID(type: type, index: index)
                    guard model.target(of: id, from: table.source) == principal.source,
                        case .dependent(let pairs) = schema.layout.relationship(
                            id,
                            from: table.source,
                            to: principal.source
                        )
                    else { continue }
                    for pair in pairs where pair.there == place {
                        let column = table.columns[pair.here].sql
                        try connection.run(
                            "UPDATE \(table.sql) SET \(column) = ?2 WHERE \(column) = ?1",
                            [old, new]
                        )
                    }
                }
            }
        }
    }

    // MARK: Removal after upload

    /// Removes uploaded entities that were to go, once nothing in queue or archive refers to them.
    private func removeFinished() throws {
        var finished: [(row: Int64, source: String)] = []
        try connection.forEachRow(
            """
            SELECT "row", "source" FROM "$remove" r
            WHERE NOT EXISTS (SELECT 1 FROM "$refers" f WHERE f."row" = r."row")
            """
        ) { finished.append(($0.integer(0), $0.string(1))) }
        for item in finished {
            if let source = schema.source(named: item.source), let table = schema.layout[source] {
                try RowCoverage(connection, schema.layout).remove(item.row, in: table)
            }
            try connection.run("DELETE FROM \"$remove\" WHERE \"row\" = ?1", [.integer(item.row)])
        }
    }

    // MARK: Refused

    /// Records that a request was refused: it goes to the archive, what depends on it is parked.
    package func fail(_ entry: QueueEntry, _ failure: QueueEntry.Failure) throws {
        try queue.fail(entry.id, failure)
        guard let row = entry.row, let source = entry.source.flatMap({ schema.source(named: $0) }),
            let table = schema.layout[source], try rows.catalog.exists(table.name)
        else { return }
        try rows.changeState(of: row, in: table, adding: .inError)
    }

    /// Keeps the service's version of an entity whose change met a conflict.
    package func keepServerCopy(_ body: EntityBody, etag: String?, for entry: QueueEntry) throws {
        guard let row = entry.row, let source = entry.source.flatMap({ schema.source(named: $0) }),
            let table = schema.layout[source]
        else { return }
        try rows.catalog.ensureCopies(table.serverName, of: table)
        try connection.run(
            "DELETE FROM \(table.serverName.sqlQuoted) WHERE \"$id\" = ?1",
            [.integer(row)]
        )
        try rows.insert(
            body,
            as: row,
            into: table,
            absent: .unknown,
            system: [.etag: Scalar(etag ?? body.control[.etag])],
            named: table.serverName
        )
        guard try rows.catalog.exists(table.name) else { return }
        try rows.changeState(of: row, in: table, adding: .conflict)
    }
}
