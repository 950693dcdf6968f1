import ODataSQLite
import ODataSQL
import StoreRecords
import ODataTables

/// Where the service wants a stream to be changed, if it has said so (OData JSON 4.01 § 4.6.12; `edit_media`, JSON Verbose § 6.2;
/// `edit-media`, RFC 5023 § 11.1).
struct StreamEditLink {
    private let connection: SQLiteConnection
    private let schema: TableSchema

    init(_ connection: SQLiteConnection, schema: TableSchema) {
        self.connection = connection
        self.schema = schema
    }

    /// Returns the stated link of a request's stream; nil where none is stated, or where it leads to another origin: changes go there
    /// as little as next links are followed there.
    func link(of entry: QueueEntry) throws -> String? {
        guard let property = entry.streamProperty, !entry.isCreation, let row = entry.row,
            let table = schema.table(of: entry),
            let stated = try StreamControl(connection)
                .value(.editLink, of: row, property: property, in: table)
        else { return nil }
        let convention = LinkConvention(schema, root: try ServiceRoot.text(connection))
        let link = convention.normalized(stated)
        return !link.isEmpty && convention.isOwn(link) ? link : nil
    }
}
