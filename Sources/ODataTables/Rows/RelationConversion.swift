package import ODataSQLite
package import ODataSQL
import ODataModel
import ODataValues

/// Moves what leads from entities to others where an upgraded model has the same relation in another form.
///
/// The forms are rows of a link table, and the key of the target in a column. Used inside a write transaction, once the tables have
/// their new columns.
package struct RelationConversion {
    private let connection: SQLiteConnection
    private let old: TableSchema
    private let new: TableSchema

    package init(_ connection: SQLiteConnection, from old: TableSchema, to new: TableSchema) {
        self.connection = connection
        self.old = old
        self.new = new
    }

    /// How a relation is kept.
    package enum Form: Hashable, Sendable {
        /// Rows of a link table; reversed where it is named after the other end.
        case links(table: String, isReversed: Bool)
        /// Columns here hold the key of the target.
        case dependent([ColumnNames])
        /// Columns of the target hold the key of the entity here.
        case principal([ColumnNames])
    }

    /// A column here and the one with the same value there, and the storage classes that unknown values have in them.
    package struct ColumnNames: Hashable, Sendable {
        package var here: String
        package var there: String
        var unknownHere: String
        var unknownThere: String

        /// The same seen from the other end.
        var flipped: ColumnNames {
            ColumnNames(
                here: there,
                there: here,
                unknownHere: unknownThere,
                unknownThere: unknownHere
            )
        }
    }

    /// A relation that is kept in another form from now on.
    package struct Change: Sendable {
        /// Path of the navigation property, `NS.Type/Property`.
        package var path: String
        package var old: Form
        package var new: Form
        package var here: TableLayout
        package var there: TableLayout
    }

    // MARK: Finding

    /// Finds the relations of some tables, as the new model has them.
    package static func changes(
        of tables: [TableLayout],
        from old: TableSchema,
        to new: TableSchema
    ) -> [Change] {
        tables.flatMap { table in
            table.declaringTypes.flatMap { type in
                new.model[type].navigationProperties.indices.compactMap { index in
                    change(
                        NavigationPropertyID(type: type, index: index),
                        of: table,
                        from: old,
                        to: new
                    )
                }
            }
        }
    }

    private static func change(
        _ id: NavigationPropertyID,
        of table: TableLayout,
        from old: TableSchema,
        to new: TableSchema
    ) -> Change? {
        let name = new.model[id].name
        guard let former = old.layout.table(named: table.name),
            let type = old.model.structuredType(named: new.model[id.type].name),
            let formerID = old.model.navigationProperty(name, of: type),
            let (was, _) = form(formerID, from: former, in: old.layout),
            let (now, there) = form(id, from: table, in: new.layout), was != now
        else { return nil }
        let path = new.model[id.type].name + "/" + name
        return Change(path: path, old: was, new: now, here: table, there: there)
    }

    /// The form of a relation and the table at its other end; nil for what is contained, and where no set is known.
    private static func form(
        _ id: NavigationPropertyID,
        from table: TableLayout,
        in layout: Layout
    ) -> (Form, TableLayout)? {
        guard let target = layout.model.target(of: id, from: table.source),
            let there = layout[target]
        else { return nil }
        func names(_ pairs: [Relationship.ColumnPair]) -> [ColumnNames] {
            pairs.map { pair in
                let (near, far) = (table.columns[pair.here], there.columns[pair.there])
                return ColumnNames(
                    here: near.name,
                    there: far.name,
                    unknownHere: near.affinity == "BLOB" ? "text" : "blob",
                    unknownThere: far.affinity == "BLOB" ? "text" : "blob"
                )
            }
        }
        switch layout.relationship(id, from: table.source, to: target) {
        case .dependent(let pairs): return (.dependent(names(pairs)), there)
        case .principal(let pairs): return (.principal(names(pairs)), there)
        case .links(let name, let isReversed):
            return (.links(table: name, isReversed: isReversed), there)
        case .contained, .unbound: return nil
        }
    }

    // MARK: Converting

    /// Converts relations; what the link tables held that no relation is kept in any more goes.
    ///
    /// - Parameter lost: Called where entities lead to others in the old form that they do not lead to in the new one; nil where that is
    ///   not looked for.
    package func convert(
        _ changes: [Change],
        lost: ((Change) throws -> Void)? = nil
    ) throws {
        let catalog = TableCatalog(connection, layout: new.layout)
        var left: Set<String> = []
        for change in changes {
            guard try catalog.exists(change.there.name),
                let pairs = try pairs(change, as: change.old)
            else { continue }
            try write(pairs, of: change, catalog)
            if let lost, try losesLinks(change, before: pairs) { try lost(change) }
            if case .links(let table, _) = change.old { left.insert(table) }
        }
        for table in left.subtracting(new.layout.linkTables) {
            try connection.execute("DELETE FROM \(table.sqlQuoted)")
        }
    }

    private func losesLinks(_ change: Change, before: String) throws -> Bool {
        let after = try pairs(change, as: change.new).map { " EXCEPT \($0)" } ?? ""
        return try connection.integer("SELECT 1 FROM (\(before)\(after)) LIMIT 1") != nil
    }

    /// The statement for the rows here and there; nil where nothing can be kept in the form.
    private func pairs(_ change: Change, as form: Form) throws -> String? {
        let (here, there) = (change.here.sql, change.there.sql)
        switch form {
        case .links(let table, let isReversed):
            guard try connection.tableNames().contains(table) else { return nil }
            let (near, far) = isReversed ? ("target", "source") : ("source", "target")
            return """
                SELECT "\(near)" AS "here", "\(far)" AS "there" FROM \(table.sqlQuoted)
                WHERE "source" IS NOT NULL AND "target" IS NOT NULL
                """
        case .dependent(let columns), .principal(let columns):
            let joins = columns.map { "h.\($0.here.sqlQuoted) = t.\($0.there.sqlQuoted)" }
            return """
                SELECT h."$id" AS "here", t."$id" AS "there" FROM \(here) h
                JOIN \(there) t ON \(joins.joined(separator: " AND "))
                """
        }
    }

    private func write(_ pairs: String, of change: Change, _ catalog: TableCatalog) throws {
        switch change.new {
        case .links(let table, let isReversed):
            try catalog.ensureLinkTable(table)
            let (near, far) = isReversed ? ("target", "source") : ("source", "target")
            try connection.execute(
                """
                INSERT OR IGNORE INTO \(table.sqlQuoted) ("\(near)", "\(far)")
                SELECT "here", "there" FROM (\(pairs))
                """
            )
        case .dependent(let columns):
            let (own, other) = (End(change.here, "here"), End(change.there, "there"))
            try fill(columns, of: own, from: other, pairs, catalog)
        case .principal(let columns):
            let (own, other) = (End(change.there, "there"), End(change.here, "here"))
            try fill(columns.map(\.flipped), of: own, from: other, pairs, catalog)
        }
    }

    /// An end of a relation, with its name among the pairs.
    private struct End {
        var table: TableLayout
        var name: String

        init(_ table: TableLayout, _ name: String) { (self.table, self.name) = (table, name) }
    }

    /// Puts keys into the columns of a table, and of its tables of copies, that hold nothing.
    ///
    /// - Parameter columns: Those of the table here, those of the other end there.
    private func fill(
        _ columns: [ColumnNames],
        of own: End,
        from other: End,
        _ pairs: String,
        _ catalog: TableCatalog
    ) throws {
        let isEmpty = columns.map { column in
            let value = "own." + column.here.sqlQuoted
            return
                "(\(value) IS NULL OR typeof(\(value)) = '\(column.unknownHere)' AND length(\(value)) = 0)"
        }
        let values = columns.map { "\($0.here.sqlQuoted) = k.\($0.there.sqlQuoted)" }
        let names = [own.table.name, own.table.baseName, own.table.serverName]
        for name in try names.filter({ try catalog.exists($0) }) {
            try connection.execute(
                """
                UPDATE \(name.sqlQuoted) AS own SET \(values.joined(separator: ", "))
                FROM (\(pairs)) p JOIN \(other.table.sql) k ON k."$id" = p."\(other.name)"
                WHERE own."$id" = p."\(own.name)" AND \(isEmpty.joined(separator: " AND "))
                """
            )
        }
    }
}
