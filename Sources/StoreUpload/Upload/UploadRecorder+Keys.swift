import ODataSQL
import StoreRecords
import ODataSQLite
import ODataPayload
package import ODataTables

/// What the service has given an entity that was created here: its key and its links.
extension UploadRecorder {
    /// Adopts the key that the service has returned; without one nothing may be sent to the entity until it is identified.
    func takeKey(_ row: Int64, in table: TableLayout, of entry: QueueEntry, success: Success) throws
    {
        let control = CreatedControl(rows)
        guard !table.keyColumns.isEmpty else { return try control.remove(row, in: table) }
        if let key = try ReturnedKey(connection, schema: schema).key(success, in: table) {
            if let sent = try rows.heldKey(of: row, in: table) {
                try KeptKeys(connection).note(isKept: key == sent, in: table)
            }
            try KeyChange(connection, schema: schema).settle(row, in: table, to: key)
            try TheirCopy(connection, schema: schema).release(row, in: table, unless: key)
        } else if entry.flags.contains(.upsert) {
            // What an upsert creates has the key of its URL (OData 4.01 Part 1 § 11.4.4).
            try control.remove(row, in: table)
        } else {
            try UnreturnedKeys(connection).note(row, in: table)
            let values = try rows.heldValues(of: row, in: table) ?? []
            let sent = table.keyColumns.compactMap {
                values.indices.contains($0) ? values[$0] : nil
            }
            if let key = ReturnedKey(connection, schema: schema).partialKey(
                success,
                over: sent,
                in: table
            ) {
                try KeyChange(connection, schema: schema).set(key, of: row, in: table)
            }
        }
    }

    /// Takes over the key of an entity that was found at the service after its creation.
    package func takeIdentity(of question: IdentityQuestion, _ body: EntityBody) throws {
        guard let table = schema.layout[question.source],
            let key = try ReturnedKey(connection, schema: schema).key(
                Success(representation: body),
                in: table
            )
        else { return }
        try KeyChange(connection, schema: schema).settle(question.row, in: table, to: key)
        // What is sent now must not be written over what another client does from here on.
        _ = try takeETag(body.control[.etag], ofBase: body, of: question.row, in: table)
    }

    /// Takes over the links of an entity that was created, where they are not those of the convention.
    func takeAddress(_ row: Int64, in table: TableLayout, success: Success) throws {
        let convention = LinkConvention(schema, root: try ServiceRoot.text(connection))
        func unusual(_ link: String?) -> String? {
            link.flatMap { convention.unusual($0, of: table) }
        }
        let control = success.representation?.control ?? [:]
        let id = unusual(control[.id]) ?? unusual(success.entityID)
        let edit = control[.editLink] ?? success.location
        let address = EntityAddress(
            id: id,
            // Beside an id of another form, the link of the convention has to be kept too.
            edit: unusual(control[.editLink]) ?? unusual(success.location)
                ?? (id == nil ? nil : edit.map(convention.normalized)),
            read: unusual(control[.readLink])
        )
        guard !address.isEmpty else { return }
        try EntityAddresses.create(connection)
        try EntityAddresses(connection).set(address, of: row, in: table.name)
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
