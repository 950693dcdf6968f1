import ODataModel
import ODataProtocol
import ODataTables

/// What the service has given an entity that was created here: its key and its links.
extension UploadRecorder {
    /// Takes over the key that the service gave, and gives it to every foreign key that waited for it.
    func takeKey(_ row: Int64, _ table: TableLayout, _ success: Success) throws {
        guard let key = try key(success, table), key.count == table.keyColumns.count else { return }
        try mergeTwin(of: row, key, table)
        // The row may have been deleted while its creation was on its way: its copy is there.
        let here = try rows.values(of: row, in: table)
        let isKept = try here == nil && rows.catalog.exists(table.baseName)
        let copy = isKept ? try rows.values(of: row, in: table, named: table.baseName) : nil
        guard let old = here ?? copy else { return }
        for (place, value) in zip(table.keyColumns, key) where old[place] != value {
            for name in [table.name, table.baseName] where try rows.catalog.exists(name) {
                try connection.run(
                    """
                    UPDATE \(name.sqlQuoted) SET \(table.columns[place].sql) = ?2 WHERE "$id" = ?1
                    """,
                    [.integer(row), value]
                )
            }
            try replaceForeignKeys(to: table, place, old[place], value)
        }
    }

    /// Takes over the links of an entity that was created, where they are not those of the convention.
    func takeAddress(_ row: Int64, _ table: TableLayout, _ success: Success) throws {
        let convention = LinkConvention(schema, root: try ServiceRoot.text(connection))
        func unusual(_ link: String?) -> String? {
            link.flatMap { convention.unusual($0, of: table) }
        }
        let control = success.representation?.control ?? [:]
        let address = EntityAddress(
            id: unusual(control[.id]),
            edit: unusual(control[.editLink]) ?? unusual(success.entityID),
            read: unusual(control[.readLink])
        )
        guard !address.isEmpty else { return }
        try EntityAddresses.create(connection)
        try EntityAddresses(connection).set(address, of: row, in: table.name)
    }

    private func key(_ success: Success, _ table: TableLayout) throws -> [Scalar]? {
        if let body = success.representation {
            let key = table.keyColumns.map { body.value(of: $0) ?? .null }
            if !key.isEmpty, !key.contains(.null) { return key }
        }
        guard let id = success.entityID,
            let request = try? BoundRequest(
                ofService: ServiceRoot.relative(id, connection),
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
                        try replace(table.columns[pair.here], of: table, old, new)
                    }
                }
            }
        }
    }

    /// Replaces a foreign key in rows, in their copies and in what requests set.
    private func replace(_ column: Column, of table: TableLayout, _ old: Scalar, _ new: Scalar)
        throws
    {
        try connection.run(Self.replacement(of: column, in: table.name), [old, new])
        // A key that was known here, and that the service has changed, may stand in any copy.
        let isAwaited = UnknownValue.isUnknown(old, in: column)
        for name in [table.baseName, table.serverName] where try rows.catalog.exists(name) {
            let sql =
                isAwaited
                ? Self.replacement(of: column, inCopies: name)
                : Self.replacement(of: column, in: name)
            try connection.run(sql, [old, new])
        }
        try journal.replace(old, by: new, in: table.name, column: column.name)
    }

    /// The statement that puts a key in the place of another in a table; the index of the foreign key serves it.
    static func replacement(of column: Column, in name: String) -> String {
        "UPDATE \(name.sqlQuoted) SET \(column.sql) = ?2 WHERE \(column.sql) = ?1"
    }

    /// The statement that puts a key in the place of what stood for it in copies; the index of awaited keys serves it.
    static func replacement(of column: Column, inCopies name: String) -> String {
        replacement(of: column, in: name) + " AND \(column.isAwaitedKey)"
    }
}
