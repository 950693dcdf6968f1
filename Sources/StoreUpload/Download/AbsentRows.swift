package import ODataSQLite
import StoreRecords
package import ODataSQL
import ODataPayload
package import ODataTables

/// Rows with local changes that a full read did not bring: deleted at the service, or only outside of the query by now.
///
/// They count as gone until the service says what it has.
package struct AbsentRows {
    private let connection: SQLiteConnection
    private let schema: TableSchema
    private static let key = "absent"
    private var rows: RowEditor { RowEditor(connection, layout: schema.layout) }
    private var rebuild: RowRebuild { RowRebuild(connection, layout: schema.layout) }

    /// A row, and where the service is asked for it.
    package struct Absent: Sendable {
        package var row: RowReference
        /// Relative to the service root, or absolute.
        package var url: String
    }

    package init(_ connection: SQLiteConnection, schema: TableSchema) {
        self.connection = connection
        self.schema = schema
    }

    /// Remembers rows; in the transaction that takes them for gone.
    package func note(_ found: [Int64]) throws {
        guard !found.isEmpty else { return }
        let known = try connection.metaIDs(Self.key)
        try connection.setMetaIDs(Self.key, to: Set(known + found).sorted())
    }

    /// Returns the rows that were not requested since.
    ///
    /// - Parameter root: Service root with a slash at its end.
    package func all(root: String) throws -> [Absent] {
        let form = WireForm(schema, root: root)
        let links = EntityLink(rows, includesDeleted: true)
        var found: [Absent] = []
        for id in try connection.metaIDs(Self.key) where try GoneMarks(connection).contains(id) {
            guard let row = try reference(id), let link = try links.link(row),
                !LocalIDText.isIn(link)
            else { continue }
            let url = try AddressedLinks(of: [row], on: connection, schema: schema, as: form).url(
                form.url(link)
            )
            found.append(Absent(row: row, url: url))
        }
        return found
    }

    private func reference(_ row: Int64) throws -> RowReference? {
        for table in try rows.catalog.tables()
        where try rebuild.has(row, in: table.name) || rebuild.has(row, in: table.baseName) {
            return RowReference(source: table.source, row: row)
        }
        return nil
    }

    /// Whether the service has not said yet what it has of a row.
    package func isOpen(_ row: Int64) throws -> Bool {
        try connection.metaIDs(Self.key).contains(row)
    }

    /// The service has the entity no more.
    ///
    /// - Returns: Whether it is there with changes made here: deletion on both sides is no conflict.
    @discardableResult
    package func confirm(_ row: RowReference) throws -> Bool {
        try forget(row)
        guard let table = schema.layout[row.source] else { return false }
        return try rebuild.has(row.row, in: table.name)
    }

    /// The service has the entity: it has only left the queries.
    package func restore(_ row: RowReference, body: EntityBody, etag: String?) throws {
        try forget(row)
        guard let table = schema.layout[row.source], try GoneMarks(connection).contains(row.row)
        else {
            return
        }
        try GoneMarks(connection).remove(row.row)
        let recorder = UploadRecorder(connection, schema: schema)
        let read = etag ?? body.control[.etag]
        if try !recorder.takeETag(read, ofBase: body, of: row.row, in: table) {
            try recorder.keepServerCopy(body, etag: etag, of: row.row, in: table)
        }
        try rebuild.updateState(of: row.row, table)
    }

    /// The service does not let the entity be read, and has not said that it is gone: the upload of its changes will show.
    package func keep(_ row: RowReference) throws {
        try forget(row)
        guard let table = schema.layout[row.source], try GoneMarks(connection).contains(row.row)
        else {
            return
        }
        try GoneMarks(connection).remove(row.row)
        try rebuild.updateState(of: row.row, table)
    }

    private func forget(_ row: RowReference) throws {
        let left = try connection.metaIDs(Self.key).filter { $0 != row.row }
        try connection.setMetaIDs(Self.key, to: left)
    }
}
