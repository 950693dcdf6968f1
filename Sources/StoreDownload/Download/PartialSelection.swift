package import ODataSQLite
import ODataSQL
package import ODataModel
import ODataValues
package import ODataTables

/// What of a set the store knows of every entity, where there are values that it does not know of some.
package struct PartialSelection {
    private let connection: SQLiteConnection
    private let layout: Layout
    private let existing: Set<String>
    private var seen: Set<NavigationSource> = []

    /// Columns that one statement looks at.
    private static let columnCount = 500

    package init(_ connection: SQLiteConnection, schema: TableSchema) throws {
        self.connection = connection
        layout = schema.layout
        existing = try TableCatalog.existingTables(connection)
    }

    /// The select list of a context URL (OData 4.01 Part 1 § 10.7): `(ID,Name)`, with lists of contained entities
    /// `(ID,Lines(Number))`; empty where every value is known.
    package mutating func list(of source: NavigationSource) throws -> String {
        guard let table = layout[source], existing.contains(table.name),
            seen.insert(source).inserted
        else { return "" }
        let unknown = try unknownColumns(of: table)
        let items =
            (unknown.isEmpty ? [] : names(of: table, without: unknown)) + (try nested(table))
        return items.isEmpty ? "" : "(" + items.joined(separator: ",") + ")"
    }

    private func unknownColumns(of table: TableLayout) throws -> Set<Int> {
        var unknown: Set<Int> = []
        for start in stride(from: 0, to: table.columns.count, by: Self.columnCount) {
            let places = Array(start..<min(start + Self.columnCount, table.columns.count))
            let tests = places.map { place in
                let column = table.columns[place]
                let isText = UnknownValue.scalar(in: column) == .text("")
                return "max(\(column.sql) IS \(isText ? "''" : "x''"))"
            }
            try connection.forEachRow(
                "SELECT \(tests.joined(separator: ", ")) FROM \(table.sql)"
            ) { row in
                for (index, place) in places.enumerated() where row.integer(index) == 1 {
                    unknown.insert(place)
                }
            }
        }
        return unknown
    }

    /// Properties as a whole where all of them is known, else the paths to the parts that are.
    private func names(of table: TableLayout, without unknown: Set<Int>) -> [String] {
        let torn = Set(unknown.map { table.columns[$0].path[0] })
        var seen: Set<String> = []
        return table.columns.indices.filter { !unknown.contains($0) }
            .compactMap { place in
                let column = table.columns[place]
                guard torn.contains(column.path[0]) else { return column.path[0] }
                // That a complex value is there says nothing of what is in it.
                return column.kind == .presence ? nil : column.path.joined(separator: "/")
            }
            .filter { seen.insert($0).inserted }
    }

    private mutating func nested(_ table: TableLayout) throws -> [String] {
        var items: [String] = []
        for type in table.declaringTypes {
            for index in layout.model[type].navigationProperties.indices {
                let navigation = NavigationPropertyID(type: type, index: index)
                guard layout.model[navigation].containsTarget,
                    let target = layout.model.target(of: navigation, from: table.source)
                else { continue }
                let list = try list(of: target)
                if !list.isEmpty { items.append(layout.model[navigation].name + list) }
            }
        }
        return items
    }
}
