import ODataSQLite
import ODataSQL
import StoreRecords
import ODataBinding
import ODataModel
import ODataTables

/// Names entities so that another store knows them, by their keys.
struct ExportedReferences {
    private let schema: TableSchema
    private let links: EntityLink

    /// - Parameter version: The version whose literals keys have; that of the metadata where nil.
    init(_ connection: SQLiteConnection, schema: TableSchema, version: ODataVersion? = nil) {
        self.schema = schema
        links = EntityLink(
            RowEditor(connection, layout: schema.layout),
            version: version ?? schema.model.version
        )
    }

    /// Returns the URL of an entity, relative to the service root; nil where the entity, or one around it, has no key.
    func text(of row: RowReference) throws -> String? {
        if case .entitySet = row.source, schema.layout[row.source]?.keyColumns.isEmpty ?? true {
            return nil
        }
        guard let text = try links.link(row) else { return nil }
        return isLocal(text) ? nil : text
    }

    /// Returns the segments from an entity to one of its streams.
    func path(from row: RowReference, toStream property: String) throws -> String {
        try links.path(from: row, toStream: property)
    }

    /// Whether a URL names an entity by an id of this store: the mark of one may be in a key as well.
    private func isLocal(_ text: String) -> Bool {
        guard LocalIDText.isIn(text) else { return false }
        guard let path = EntityPath(ofService: text, in: schema.model)
        else { return true }
        return path.steps.contains { if case .localID = $0 { true } else { false } }
    }
}
