package import ODataSQLite
package import ODataSQL
import ODataValues
package import ODataTables

/// Makes rows and links what the service's copies and the waiting requests say they are.
package struct RowRebuild {
    private let connection: SQLiteConnection
    private let layout: Layout
    private let journal: EffectJournal
    private var catalog: TableCatalog { TableCatalog(connection, layout: layout) }
    package var rows: RowEditor { RowEditor(catalog) }

    package init(_ connection: SQLiteConnection, layout: Layout) {
        self.connection = connection
        self.layout = layout
        journal = EffectJournal(connection)
    }

    /// Rebuilds rows and links after requests went or changed.
    ///
    /// Rows whose creation was taken back go first: their keys are free then.
    package func rebuild(_ changed: Set<ChangedRow>, links: Set<RowLink>) throws {
        var remaining: [(ChangedRow, TableLayout)] = []
        for item in changed.sorted(by: { $0.row < $1.row }) {
            guard let table = layout.table(named: item.table) else { continue }
            if try isUncreated(item.row, in: table) {
                // If another client has created it at the service, that entity stays.
                if try !becomeTheirs(item.row, in: table) { try remove(item.row, in: table) }
            } else {
                remaining.append((item, table))
            }
        }
        for (item, table) in remaining { try rebuild(item.row, in: table) }
        for link in links { try rebuild(link) }
    }

    // MARK: Rows

    /// Whether a row was created here by a request that is no more.
    private func isUncreated(_ row: Int64, in table: TableLayout) throws -> Bool {
        try state(of: row, table).contains(.created) && journal.creator(of: row) == nil
    }

    /// Makes a row, whose creation was taken back, the entity that a download has brought with its key; answers whether there is one.
    private func becomeTheirs(_ row: Int64, in table: TableLayout) throws -> Bool {
        guard try has(row, in: table.serverName), try has(row, in: table.name),
            case .integer(let queries)? = try rows.value(
                SystemColumn.queries.sql,
                of: row,
                in: table
            ), queries != 0
        else { return false }
        try copyServer(row, in: table, to: table.name)
        try rows.changeState(of: row, in: table, removing: [.created, .local])
        try connection.run("DELETE FROM \"$local\" WHERE \"row\" = ?1", [.integer(row)])
        try dropCopies(row, in: table)
        try updateState(of: row, table)
        return true
    }

    /// The state of a row; of its base copy where it is deleted here.
    package func state(of row: Int64, _ table: TableLayout) throws -> RowState {
        for name in try catalog.versions(of: table) {
            let bits = try connection.integer(
                "SELECT \"$state\" FROM \(name.sqlQuoted) WHERE \"$id\" = ?1",
                [.integer(row)]
            )
            if let bits { return RowState(rawValue: bits) }
        }
        return []
    }

    /// Removes a row, and what contains it where only that has kept it here.
    package func remove(_ row: Int64, in table: TableLayout) throws {
        let container = try ContainedRows(connection, layout: layout).container(of: row, in: table)
        try forget(row, in: table)
        guard let container, let parent = layout[container.source],
            try has(container.row, in: parent.name),
            try GoneMarks(connection).contains(container.row),
            try journal.requests(on: container.row).isEmpty,
            try !RowCoverage(connection, layout: layout).holdsChanges(container.row)
        else { return }
        try remove(container.row, in: parent)
    }

    private func forget(_ row: Int64, in table: TableLayout) throws {
        try RowCoverage(connection, layout: layout).remove(row, in: table)
        try journal.remove(row: row)
        try GoneMarks(connection).remove(row)
        try connection.run("DELETE FROM \"$remove\" WHERE \"row\" = ?1", [.integer(row)])
    }

    private func rebuild(_ row: Int64, in table: TableLayout) throws {
        let effects = try journal.effects(on: row)
        let isWaiting = try !journal.requests(on: row).isEmpty
        if try !isWaiting && GoneMarks(connection).contains(row) {
            return try remove(row, in: table)
        }
        let isRestored = try has(row, in: table.baseName) && !effects.contains(where: \.isDeletion)
        if isRestored {
            try restore(row, in: table)
            if try !isWaiting && has(row, in: table.serverName) {
                try takeServerCopy(row, in: table)
            }
            try apply(effects, to: row, in: table, named: table.name)
        }
        try StoreStreams(connection).rebuild(
            row,
            from: effects,
            in: table,
            isRestored: isRestored
        )
        if !isWaiting {
            if try isBaseUntouched(row, in: table) {
                try rows.changeState(of: row, in: table, removing: .local)
            }
            try dropCopies(row, in: table)
        }
        try updateState(of: row, table)
    }

    /// Whether the row, as it is without local changes, is one that a download brought.
    private func isBaseUntouched(_ row: Int64, in table: TableLayout) throws -> Bool {
        let isNewer = try has(row, in: table.serverName)
        let name = isNewer ? table.serverName : table.baseName
        guard try has(row, in: name) else { return false }
        return try connection.integer(
            "SELECT \"$state\" & \(RowState.local.rawValue) FROM \(name.sqlQuoted) WHERE \"$id\" = ?1",
            [.integer(row)]
        ) == 0
    }

    /// Whether a table, or a table of copies, has a row.
    package func has(_ row: Int64, in name: String) throws -> Bool {
        guard try catalog.exists(name) else { return false }
        return try connection.integer(
            "SELECT 1 FROM \(name.sqlQuoted) WHERE \"$id\" = ?1",
            [.integer(row)]
        ) != nil
    }

    /// Whether a row is deleted here, so that only its copy is there.
    package func isDeleted(_ row: Int64, in table: TableLayout) throws -> Bool {
        try !has(row, in: table.name) && has(row, in: table.baseName)
    }

    /// Writes the base copy into the row; what downloads noted of the row stays.
    private func restore(_ row: Int64, in table: TableLayout) throws {
        guard try has(row, in: table.name) else {
            let columns = table.allColumnNames.joined(separator: ", ")
            return try connection.run(
                """
                INSERT INTO \(table.sql) (\(columns))
                SELECT \(columns) FROM \(table.baseName.sqlQuoted) WHERE "$id" = ?1
                """,
                [.integer(row)]
            )
        }
        let system: [SystemColumn] = [.type, .etag, .parent, .exact, .dynamic, .control]
        try copy(row, in: table, system: system, from: table.baseName, to: table.name)
    }

    /// Writes the service's newer copy into the row, with what it says of its streams: their contents may be others by now.
    private func takeServerCopy(_ row: Int64, in table: TableLayout) throws {
        let system: [SystemColumn] = [.type, .etag, .exact, .dynamic, .control]
        try copy(row, in: table, system: system, from: table.serverName, to: table.name)
    }

    /// Writes the service's newer copy over a row or its base copy.
    package func copyServer(_ row: Int64, in table: TableLayout, to name: String) throws {
        let system: [SystemColumn] = [.type, .etag, .exact, .dynamic]
        try copy(row, in: table, system: system, from: table.serverName, to: name)
    }

    private func copy(
        _ row: Int64,
        in table: TableLayout,
        system: [SystemColumn],
        from: String,
        to: String
    ) throws {
        let columns = (system.map(\.sql) + table.columns.map(\.sql)).joined(separator: ", ")
        try connection.run(
            """
            UPDATE \(to.sqlQuoted) SET (\(columns)) =
                (SELECT \(columns) FROM \(from.sqlQuoted) WHERE "$id" = ?1) WHERE "$id" = ?1
            """,
            [.integer(row)]
        )
    }

    /// Lays the values of effects over a row or one of its copies.
    package func apply(
        _ effects: [ChangeEffect],
        to row: Int64,
        in table: TableLayout,
        named name: String
    )
        throws
    {
        for case .set(_, row, let column, let value) in effects {
            let quoted = column.sqlQuoted
            let expression = RowEditor.assignment(column, parameter: "?2")
            try connection.run(
                "UPDATE \(name.sqlQuoted) SET \(quoted) = \(expression) WHERE \"$id\" = ?1",
                [.integer(row), value]
            )
        }
    }

    /// Forgets the copies of a row that is as the service has it.
    package func dropCopies(_ row: Int64, in table: TableLayout) throws {
        for copies in [table.baseName, table.serverName] where try catalog.exists(copies) {
            try connection.run(
                "DELETE FROM \(copies.sqlQuoted) WHERE \"$id\" = ?1",
                [.integer(row)]
            )
        }
        try GoneMarks(connection).remove(row)
    }

    /// Sets a row's state from what waits on it.
    package func updateState(of row: Int64, _ table: TableLayout) throws {
        guard try has(row, in: table.name) else { return }
        let requests = try journal.requests(on: row)
        let failed = try connection.integer(
            """
            SELECT 1 FROM "$queue" WHERE "status" = 'failed' AND ("row" = ?1 OR "id" IN (
                SELECT "request" FROM "$effect" WHERE "row" = ?1 AND "target" IS NULL))
            """,
            [.integer(row)]
        )
        var state: RowState = []
        if !requests.isEmpty { state.formUnion([.local, .pending]) }
        if failed != nil { state.insert(.inError) }
        let isNewer =
            try has(row, in: table.serverName) || GoneMarks(connection).contains(row)
            || !StreamConflicts(connection).requests(on: row).isEmpty
        if isNewer, !requests.isEmpty { state.insert(.conflict) }
        try rows.changeState(
            of: row,
            in: table,
            adding: state,
            removing: RowState([.pending, .inError, .conflict]).subtracting(state)
        )
    }

    // MARK: Links

    private func rebuild(_ link: RowLink) throws {
        guard let isThere = try journal.base(of: link) else { return }
        let effects = try journal.effects(on: link)
        var isWanted = isThere
        if case .link(_, let isAdded)? = effects.last { isWanted = isAdded }
        if isWanted {
            try rows.link(link.source, to: link.target, table: link.table, isReversed: false)
        } else {
            try rows.unlink(link.source, to: link.target, table: link.table, isReversed: false)
        }
        if effects.isEmpty { try journal.removeBase(of: link) }
    }
}
