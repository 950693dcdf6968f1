package import ODataModel
import ODataProtocol
package import ODataTables

/// Entity-ids of rows, relative to the service root (OData 4.01 Part 1 § 4.1).
package struct EntityNames {
    let rows: RowEditor
    private let urls: EntityURL
    private var layout: Layout { rows.layout }

    package init(_ rows: RowEditor) {
        self.rows = rows
        urls = EntityURL(model: rows.layout.model, version: .v4)
    }

    /// Returns the canonical URL of a row; nil where it has no key yet.
    package func url(of entity: RowReference) throws -> String? {
        guard let table = layout[entity.source] else { return nil }
        switch entity.source {
        case .singleton: return layout.model.name(of: entity.source)
        case .entitySet:
            return try rows.key(of: entity.row, in: table).flatMap { urls.canonical(entity.source, key: $0) }
        case .contained(let navigation): return try contained(entity, navigation, table)
        }
    }

    private func contained(
        _ entity: RowReference, _ navigation: NavigationPropertyID, _ table: TableLayout
    ) throws -> String? {
        guard case .integer(let parent)? = try rows.value("\"$parent\"", of: entity.row, in: table),
            let owner = try owner(ofRow: parent, declaring: navigation.type), let url = try url(of: owner)
        else { return nil }
        let property = layout.model[navigation]
        guard property.isCollection else { return url + "/" + property.name }
        return try rows.key(of: entity.row, in: table).flatMap {
            urls.contained(in: url, property: navigation, key: $0)
        }
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
