import ODataModel
import ODataSQL
import ODataSQLite
import ODataTables
import ODataPayload
import ODataText
import ODataValues
import StoreRecords

/// Moves what waiting requests give to columns into the columns that an upgraded model has for it.
///
/// A table for the purpose gets each row as each request leaves it, from the row's base copy on, and is converted like any other: what
/// then stands in the new columns is what the request gives to them. The tables of the store must not be converted yet.
struct EffectConversion {
    let connection: SQLiteConnection
    let rows: RowConversion

    private static let name = "$given"

    /// A row as a request leaves it, and where it stands.
    private struct Step {
        var row: Int64
        var given: EffectJournal.Given
        var place: Int64
    }

    /// Converts what requests give to the rows of a table.
    func convert(_ change: TableChange) throws {
        let steps = try self.steps(change)
        guard !steps.isEmpty else { return }
        try connection.execute(
            """
            CREATE TEMP TABLE "\(Self.name)" AS SELECT * FROM main.\(change.old.sql) LIMIT 0;
            CREATE INDEX temp."\(Self.name):id" ON "\(Self.name)" ("$id")
            """
        )
        var last: Step?
        for step in steps {
            try add(step, behind: last?.row == step.row ? last : nil, change)
            last = step
        }
        try rows.convert(change, named: Self.name)
        for step in steps {
            try EffectJournal(connection)
                .replace(converted(step, change), of: step.row, in: change.old.name)
        }
        try connection.execute("DROP TABLE temp.\"\(Self.name)\"")
    }

    private func steps(_ change: TableChange) throws -> [Step] {
        var columns = Set(change.reread.map { change.old.columns[$0].name })
        if change.takesDynamic { columns.insert(SystemColumn.dynamic.rawValue) }
        guard !columns.isEmpty else { return [] }
        let journal = EffectJournal(connection)
        var steps: [Step] = []
        for row in try journal.rows(in: change.old.name, givenIn: columns) {
            for given in try journal.given(to: row, in: change.old.name) {
                steps.append(Step(row: row, given: given, place: Int64(steps.count + 1)))
            }
        }
        return steps
    }

    // MARK: Before

    /// Adds the row as a request leaves it: its base copy, or the row as the request before has left it, with what the request gives to it.
    private func add(_ step: Step, behind last: Step?, _ change: TableChange) throws {
        let isThere =
            if let last { try copy(last.place, of: Self.name, as: step, change) } else {
                try TableCatalog(connection, layout: rows.oldLayout).exists(change.old.baseName)
                    && copy(step.row, of: change.old.baseName, as: step, change)
            }
        if !isThere { try addUnknown(step, change) }
        for (column, value) in step.given.values {
            try connection.run(
                """
                UPDATE "\(Self.name)" SET \(column.sqlQuoted) = \(RowEditor.assignment(column, parameter: "?2"))
                WHERE "$id" = ?1
                """,
                [.integer(step.place), value]
            )
        }
    }

    private func copy(_ row: Int64, of table: String, as step: Step, _ change: TableChange) throws
        -> Bool
    {
        let columns = self.columns(change)
        let list = columns.joined(separator: ", ")
        try connection.run(
            """
            INSERT INTO "\(Self.name)" (\(list)) SELECT ?2, \(columns.dropFirst().joined(separator: ", "))
            FROM \(table.sqlQuoted) WHERE "$id" = ?1
            """,
            [.integer(row), .integer(step.place)]
        )
        return connection.changedRowCount == 1
    }

    /// The columns of both models, the id first.
    private func columns(_ change: TableChange) -> [String] {
        change.old.allColumnNames + change.added.map { change.new.columns[$0].sql }
    }

    private func addUnknown(_ step: Step, _ change: TableChange) throws {
        let columns = change.old.columns + change.added.map { change.new.columns[$0] }
        let type = try connection.integer(
            "SELECT \"$type\" FROM main.\(change.old.sql) WHERE \"$id\" = ?1",
            [.integer(step.row)]
        )
        let places = columns.indices.map { ", ?\($0 + 3)" }.joined()
        try connection.run(
            """
            INSERT INTO "\(Self.name)" ("$id", "$type"\(columns.map { ", " + $0.sql }.joined()))
            VALUES (?1, ?2\(places))
            """,
            [.integer(step.place), .integer(type ?? 0)] + columns.map(UnknownValue.scalar(in:))
        )
    }

    // MARK: After

    /// What the request gives to the columns of the new model.
    private func converted(_ step: Step, _ change: TableChange) throws -> EffectJournal.Given {
        let retired = Set(change.reread.map { change.old.columns[$0].name })
        let declared = try declaredNames(step, change)
        var given = step.given
        given.values = []
        var names: Set<String> = []
        // Merging takes away what is null: the row does not say it any more.
        var nulls: Set<String> = []
        for (column, value) in step.given.values {
            switch SystemColumn(rawValue: column) {
            case .exact:
                guard let rest = JSONPatch(value)?.without(where: retired.contains) else {
                    continue
                }
                given.values.append((column, rest))
            case .dynamic where change.takesDynamic:
                guard let patch = JSONPatch(value) else { continue }
                let taken = declared.intersection(patch.names)
                names.formUnion(taken)
                nulls = nulls.subtracting(taken).union(taken.filter { patch.isNull($0) })
                let rest = patch.without {
                    declared.contains(DynamicTypeMember.property(of: $0) ?? $0)
                }
                if let rest { given.values.append((column, rest)) }
            default:
                names.insert(column)
                if !retired.contains(column) { given.values.append((column, value)) }
            }
        }
        let added = change.added.filter { place in
            let formers = change.formers[place] ?? []
            return formers.isEmpty
                ? names.contains(change.new.columns[place].path[0])
                : formers.contains { names.contains(change.old.columns[$0].name) }
        }
        let columns = added.map { change.new.columns[$0] }
        for column in columns where nulls.contains(column.path[0]) {
            given.values.append((column.name, .null))
            try connection.run(
                "UPDATE main.\(change.new.sql) SET \(column.sql) = NULL WHERE \"$id\" = ?1",
                [.integer(step.row)]
            )
        }
        given.values += try values(of: columns, at: step.place)
        return given
    }

    /// The names that the entity's own type declares now: to others they are dynamic as before.
    private func declaredNames(_ step: Step, _ change: TableChange) throws -> Set<String> {
        let code = try connection.integer(
            "SELECT \"$type\" FROM \"\(Self.name)\" WHERE \"$id\" = ?1",
            [.integer(step.place)]
        )
        let types = change.old.types
        guard let code, types.indices.contains(Int(code)) else { return change.declaredNames }
        let name = rows.oldLayout.model[types[Int(code)]].name
        return change.declaredNames(ofType: name, in: rows.newLayout)
    }

    /// What stands in columns of a row, with the patch of the exact texts.
    private func values(of columns: [Column], at place: Int64) throws
        -> [(column: String, value: Scalar)]
    {
        guard !columns.isEmpty else { return [] }
        var values: [(column: String, value: Scalar)] = []
        var texts: JSONPatch?
        let list = columns.map(\.sql).joined(separator: ", ")
        try connection.forEachRow(
            "SELECT \"$exact\", \(list) FROM \"\(Self.name)\" WHERE \"$id\" = ?1",
            [.integer(place)]
        ) { row in
            texts = JSONPatch(row.scalar(0))
            for (index, column) in columns.enumerated() {
                let value = row.scalar(index + 1)
                if !UnknownValue.isUnknown(value, in: column) {
                    values.append((column.name, value))
                }
            }
        }
        let exact = JSONPatch.setting(values.map { ($0.column, texts?.json($0.column)) })
        return values.isEmpty ? [] : values + [(SystemColumn.exact.rawValue, exact)]
    }
}
