package import ODataSQL
package import ODataModel
package import ODataTables

/// Entity-ids of rows, relative to the service root (OData 4.01 Part 1 § 4.1), and the rows that ids of rows mean.
package struct EntityNames {
    let rows: RowEditor
    private let version: ODataVersion
    private var layout: Layout { rows.layout }

    /// Creates the names that clients of a version read.
    package init(_ rows: RowEditor, version: ODataVersion = .v4) {
        self.rows = rows
        self.version = version
    }

    /// Returns the canonical URL of a row; nil where it has no key yet.
    package func url(of entity: RowReference) throws -> String? {
        try EntityLink(rows, version: version).link(entity)
    }

    /// Finds the row with an id among the tables whose entities have the properties of a type; ids are unique over all tables.
    package func owner(ofRow row: Int64, declaring type: StructuredTypeID) throws -> RowReference? {
        for table in layout.orderedTables
        where table.types.contains(where: { layout.model.type($0, isOrExtends: type) }) {
            guard try rows.catalog.exists(table.name),
                try rows.value("\"$id\"", of: row, in: table) != nil
            else { continue }
            return RowReference(source: table.source, row: row)
        }
        return nil
    }
}
