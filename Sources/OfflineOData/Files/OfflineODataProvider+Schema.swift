import OfflineProvider
import OfflineValues
import OfflineStore

extension OfflineODataProvider {
    /// Returns the SQL statements of the SQLite schema that a store of a metadata document would have, with comments between them.
    ///
    /// - Throws: ``OfflineODataError`` where the document is no CSDL.
    public static func schemaStatements(
        of metadata: [UInt8]
    ) throws(OfflineODataError) -> [String] {
        do {
            return try SchemaListing(metadata).statements()
        } catch {
            throw OfflineODataError.whole(error)
        }
    }
}
