package import ODataSQLite
package import ODataSQL
import ODataValues
import ODataModel
import ODataPayload

/// Moves what rows hold into the columns that an upgraded model has for it; used inside a write transaction.
///
/// What SQL can convert exactly is one statement. The rest is written as JSON by the old layout and read by the new one's plans,
/// the way in which it would come from the service.
package struct RowConversion {
    private let connection: SQLiteConnection
    private let old: TableSchema
    private let new: TableSchema
    /// The layout of the tables before the upgrade.
    package var oldLayout: Layout { old.layout }
    /// The layout that they are to have.
    package var newLayout: Layout { new.layout }

    /// Rows read before they are written.
    private static let batchSize = 500

    package init(_ connection: SQLiteConnection, from old: TableSchema, to new: TableSchema) {
        self.connection = connection
        self.old = old
        self.new = new
    }

    /// Converts the rows of a table, or of one of its tables of copies; values that only the service knows are unknown then.
    package func convert(_ change: TableChange, named name: String) throws {
        try convertValues(change, named: name)
        for (column, codes) in change.widened {
            try makeUnknown(column, unless: codes, named: name)
        }
    }

    /// Converts what the rows hold.
    package func convertValues(_ change: TableChange, named name: String) throws {
        for pair in change.converted { try convert(pair, named: name) }
        let condition = rereadCondition(change)
        if !condition.isEmpty { try reread(change, named: name, where: condition) }
        try forgetExact(of: change, named: name)
    }

    /// Rows of types that have a property only now do not know its value.
    private func makeUnknown(_ column: Column, unless codes: [Int], named name: String) throws {
        try connection.run(
            """
            UPDATE \(name.sqlQuoted) SET \(column.sql) = ?1
            WHERE "$type" NOT IN (\(codes.map(String.init).joined(separator: ", ")))
            """,
            [UnknownValue.scalar(in: column)]
        )
    }

    // MARK: By SQL

    private func convert(_ pair: TableChange.Pair, named name: String) throws {
        guard let sql = pair.old.conversion(to: pair.new) else { return }
        let range = pair.old.convertibleRange(to: pair.new)
        try connection.execute(
            """
            UPDATE \(name.sqlQuoted) SET \(pair.new.sql) = CASE
                WHEN typeof(\(pair.old.sql)) = 'integer' AND \(pair.old.sql) BETWEEN -\(range) AND \(range) THEN \(sql)
                WHEN typeof(\(pair.old.sql)) <> 'integer' THEN \(pair.old.sql)
                ELSE \(pair.new.sql) END
            """
        )
    }

    private func rereadCondition(_ change: TableChange) -> String {
        let bySQL = Set(change.converted.map(\.old.name))
        let rest = change.reread.filter { !bySQL.contains(change.old.columns[$0].name) }
        guard rest.isEmpty else { return "1" }
        // A number with an exact text may have been cut to the old scale.
        var conditions = bySQL.sorted().map { "json_type(\"$exact\", '\(path($0))') IS NOT NULL" }
        if change.takesDynamic { conditions.append("\"$dynamic\" IS NOT NULL") }
        return conditions.joined(separator: " OR ")
    }

    /// The path of a member in SQL text.
    private func path(_ member: String) -> String {
        "$.\"\(member)\"".split(separator: "'", omittingEmptySubsequences: false).joined(
            separator: "''"
        )
    }

    /// Exact texts stand under the name of the column: those of retired columns go.
    private func forgetExact(of change: TableChange, named name: String) throws {
        let retired = change.reread.map { change.old.columns[$0].name }.sorted()
        guard !retired.isEmpty else { return }
        let paths = retired.map { "'\(path($0))'" }.joined(separator: ", ")
        try connection.execute(
            """
            UPDATE \(name.sqlQuoted) SET "$exact" = nullif(json_remove("$exact", \(paths)), '{}')
            WHERE "$exact" IS NOT NULL
            """
        )
    }

    // MARK: By reading anew

    /// A row as the old layout writes it.
    private struct Written {
        var id: Int64
        var type: StructuredTypeID
        var json: [UInt8]
        var hasDynamic: Bool
    }

    private func reread(_ change: TableChange, named name: String, where condition: String) throws {
        let places = change.reread.union(surroundings(of: change)).sorted()
        let columns =
            SelectStatement.system.map(\.sql) + ["NULL", "NULL"]
            + places.map { change.old.columns[$0].sql }
        let statement = SelectStatement(
            sql: """
                SELECT \(columns.joined(separator: ", ")) FROM \(name.sqlQuoted)
                WHERE "$id" > ?1 AND (\(condition)) ORDER BY "$id" LIMIT \(Self.batchSize)
                """,
            bindings: [],
            table: change.old,
            places: places
        )
        var shapes: [Int64: RowShape] = [:]
        var last: Int64 = .min
        while true {
            var batch: [Written] = []
            try connection.forEachRow(statement.sql, [.integer(last)]) { row in
                batch.append(written(row, statement: statement, shapes: &shapes))
            }
            guard let end = batch.last?.id else { return }
            last = end
            for row in batch { try write(row, change: change, named: name) }
        }
    }

    /// Columns that say whether the complex values are there in which the values stand.
    private func surroundings(of change: TableChange) -> [Int] {
        let paths = change.reread.map { change.old.columns[$0].path }
        return change.old.columns.indices.filter { place in
            let column = change.old.columns[place]
            return column.kind == .presence
                && paths.contains { $0.count > column.path.count && $0.starts(with: column.path) }
        }
    }

    private func written(
        _ row: SQLiteStatement,
        statement: SelectStatement,
        shapes: inout [Int64: RowShape]
    ) -> Written {
        let code = row.integer(SelectStatement.place(of: .type))
        let types = statement.table.types
        let type = types.indices.contains(Int(code)) ? types[Int(code)] : statement.table.entityType
        let shape =
            shapes[code]
            ?? RowShape(
                type,
                of: statement,
                in: old.model,
                format: AnswerFormat()
            )
        shapes[code] = shape
        var writer = JSONWriter(capacity: 256)
        let source = RowWriter(row)
        writer.beginObject()
        source.write(shape, to: &writer)
        source.dynamicMembers(to: &writer)
        writer.endObject()
        return Written(
            id: row.integer(SelectStatement.place(of: .id)),
            type: type,
            json: writer.bytes,
            hasDynamic: !row.isNull(SelectStatement.place(of: .dynamic))
        )
    }

    private func write(_ row: Written, change: TableChange, named name: String) throws {
        guard let type = new.model.structuredType(named: old.model[row.type].name),
            let plan = new.plans.plan(for: change.new.source, type: type),
            var body = read(row.json, plan: plan)
        else { return }
        let added = Set(change.added)
        body.values = body.values.filter { added.contains($0.slot) }
        let dynamic = jsonObject(body.undeclared.map { ($0.name, .raw($0.json)) })
        body.undeclared = []
        try RowEditor(connection, layout: new.layout).update(
            row.id,
            in: change.new,
            with: body,
            named: name
        )
        guard row.hasDynamic else { return }
        try connection.run(
            "UPDATE \(name.sqlQuoted) SET \"$dynamic\" = ?2 WHERE \"$id\" = ?1",
            [.integer(row.id), dynamic]
        )
    }

    /// A dynamic value that is none of the declared type is left out: the next download brings the right one.
    private func read(_ json: [UInt8], plan: EntityPlan) -> EntityBody? {
        if let body = try? EntityBodyReader.read(enveloped(json), plan: plan, in: new) {
            return body
        }
        var whole = EntityBody(plan: plan)
        for member in jsonMembers(json) {
            guard
                let part = try? EntityBodyReader.read(
                    enveloped([0x7B] + member + [0x7D]),
                    plan: plan,
                    in: new
                )
            else { continue }
            whole.values += part.values
            whole.undeclared += part.undeclared
        }
        return whole
    }

    private func enveloped(_ json: [UInt8]) -> [UInt8] {
        new.model.version.isV4 ? json : Array("{\"d\":".utf8) + json + [0x7D]
    }
}
