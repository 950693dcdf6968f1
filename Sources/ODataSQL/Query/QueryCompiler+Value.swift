import ODataSQLite
import ODataBinding
import ODataValues
import ODataModel

/// Expressions that have a value.
extension QueryCompiler {
    func value(_ expression: BoundExpression) throws -> SQLExpression {
        switch expression {
        case .literal(let scalar, let form): return literal(scalar, as: form)
        case .null: return SQLExpression(sql: "NULL", form: nil, literal: .null)
        case .path(let path): return try self.path(path)
        case .variable(let variable, let form): return try item(variable, as: form)
        case .arithmetic(let operation, let left, let right):
            return try arithmetic(operation, left: value(left), right: value(right))
        case .negate(let operand): return negated(try value(operand))
        case .call(let function, let arguments): return try call(function, arguments: arguments)
        case .list(let items): return try list(items)
        case .cast(let operand, let form): return try cast(operand, to: form)
        case .count(let path, let filter):
            return SQLExpression(sql: try count(path, filter: filter), form: .integer(.int64))
        case .conditional(let branches): return try conditional(branches)
        case .root(let root): return try self.root(root)
        case .these(let aggregate): return try these(aggregate)
        case .comparison, .and, .or, .not, .isIn, .has, .isOf, .isOfDynamic, .lambda, .state:
            return SQLExpression(
                sql: "(\(try condition(expression, truth: .value)))",
                form: .boolean
            )
        }
    }

    /// The value of the first branch whose condition holds, all values in one form.
    private func conditional(
        _ branches: [(condition: BoundExpression, value: BoundExpression)]
    ) throws -> SQLExpression {
        let values = try branches.map { try value($0.value) }
        var shared: ScalarForm?
        for value in values {
            shared = shared.flatMap { common($0, value.form) } ?? shared ?? value.form
        }
        let cases = try zip(branches, values).map { branch, value in
            let value = try shared.map { try converted(value, to: $0) } ?? value
            return "WHEN \(try condition(branch.condition)) THEN \(value.sql)"
        }
        return SQLExpression(sql: "CASE \(cases.joined(separator: " ")) END", form: shared)
    }

    /// The value of a property of one entity that a path from the service root names.
    private func root(_ root: BoundRoot) throws -> SQLExpression {
        let source = try self.path(root.path)
        guard
            let place = source.scope.table.column(
                at: root.property,
                of: source.scope.type,
                in: model
            )
        else { throw QueryError(.notSupported, "$root reaches no property that can be read here") }
        var sql =
            "SELECT \(source.scope.reference(place)) FROM \(source.from.joined(separator: " "))"
        if !source.conditions.isEmpty {
            sql += " WHERE " + source.conditions.joined(separator: " AND ")
        }
        return SQLExpression(sql: "(\(sql) LIMIT 1)", form: root.form)
    }

    private func item(_ variable: LambdaVariable, as form: ScalarForm?) throws -> SQLExpression {
        switch variables[variable] {
        case .item(let alias): return try converted(.item(alias: alias), to: form)
        case .row(let scope): return SQLExpression(sql: scope.reference(.id), form: nil)
        case nil: throw QueryError(.notSupported, "the variable has no value here")
        }
    }

    /// Some JSON values are what SQLite makes of them, the others are read from their texts.
    private func converted(_ place: JSONPlace, to form: ScalarForm?) throws -> SQLExpression {
        switch form {
        case .scaledDecimal?, .decimalText?:
            // SQLite would make a floating-point number of it.
            let text = "trim(\(jsonText(at: place)), '\"')"
            return try converted(SQLExpression(sql: text, form: .json), to: form ?? .json)
        case .double?, .single?:
            let (number, tag) = (jsonValue(at: place), form?.tag ?? "double")
            // What JSON has no number for is text: INF, -INF and NaN.
            return SQLExpression(
                sql:
                    "CASE typeof(\(number)) WHEN 'text' THEN odata_parse(\(number), '\(tag)') ELSE \(number) END",
                form: form
            )
        default:
            let value = SQLExpression(sql: jsonValue(at: place), form: .json)
            return try converted(value, to: form ?? .json)
        }
    }

    /// A collection written out, as a JSON array that SQLite writes, so that equal items are equal texts.
    private func list(_ items: [BoundExpression]) throws -> SQLExpression {
        let values = try items.map { item in
            let value = try value(item)
            return try value.form.map { try jsonValue(value, as: $0) } ?? value.sql
        }
        return SQLExpression(sql: "json_array(\(values.joined(separator: ", ")))", form: .json)
    }

    /// A value as it stands in the JSON of a payload.
    private func jsonValue(_ value: SQLExpression, as form: ScalarForm) throws -> String {
        switch form {
        case .string, .integer, .double, .single, .json: value.sql
        case .boolean: "json(CASE \(value.sql) WHEN 1 THEN 'true' WHEN 0 THEN 'false' END)"
        // A JSON number, which SQLite reads back as a real.
        case .scaledDecimal, .decimalText: try converted(value, to: .double).sql
        default: try converted(value, to: .string).sql
        }
    }
}

// MARK: - Paths

extension QueryCompiler {
    /// The row that a path's navigation leads to; joins are made on the way.
    func scope(of path: BoundPath, navigationExcluded: Bool = false) throws -> QueryScope {
        guard case .row(var scope) = variables[path.variable] else {
            throw QueryError(.notSupported, "the variable is no entity")
        }
        for step in path.steps {
            switch step {
            case .navigation(let id, let target): scope = try leftJoin(id, to: target, from: scope)
            case .cast(let type): scope = scope.cast(to: type)
            // Navigation below complex properties lives in the same row.
            case .complex: break
            case .key, .localID, .alternateKey:
                throw QueryError(.notSupported, "a key inside an expression is not supported")
            }
        }
        if !navigationExcluded, let id = path.navigation {
            scope = try leftJoin(id, to: path.navigationTarget, from: scope)
        }
        return scope
    }

    func leftJoin(
        _ id: NavigationPropertyID,
        to target: NavigationSource?,
        from scope: QueryScope
    ) throws -> QueryScope {
        try scope.join("\(id.type.index).\(id.index)") {
            try join("LEFT JOIN", id: id, to: target, from: scope)
        }
    }

    private func path(_ path: BoundPath) throws -> SQLExpression {
        if path.isComputed || !computed.isEmpty && isGrouped, let value = computed[path.key] {
            return value
        }
        if case .item(let alias)? = variables[path.variable] {
            return try converted(.member(path.property, of: "\(alias).value"), to: path.form)
        }
        let row = try scope(of: path)
        if path.property.isEmpty { return SQLExpression(sql: row.reference(.id), form: nil) }
        if let place = row.table.column(at: path.property, of: row.type, in: model) {
            var value = SQLExpression(sql: row.reference(place), form: path.form)
            if case .scaledDecimal? = path.form {
                value.exact = try converted(exactText(place, of: row), to: .decimalText).sql
                // Written out: a parameter for each column that a filter names would soon be too many.
                let beginning =
                    "'\"\(row.table.columns[place].name.replacing("'", with: "''"))\":\"'"
                value.exactTexts = (row.reference(.exact), beginning)
            }
            return value
        }
        return try converted(insideJSON(path, of: row), to: path.form)
    }

    /// The place of a member of a complex value that is kept as JSON, or of a dynamic property.
    private func insideJSON(_ path: BoundPath, of row: QueryScope) -> JSONPlace {
        for length in stride(from: path.property.count - 1, to: 0, by: -1) {
            guard
                let place = row.table.column(
                    at: Array(path.property.prefix(length)),
                    of: row.type,
                    in: model
                )
            else { continue }
            let rest = Array(path.property.dropFirst(length))
            return .member(rest, of: "nullif(\(row.reference(place)), x'')")
        }
        return .dynamic(path.property, of: row.reference(.dynamic))
    }

    /// Where a value stands in JSON.
    enum JSONPlace {
        /// A member of a JSON object, by names of properties and of types for casts.
        case member([String], of: String)
        /// A dynamic property, whose name may have a dot.
        case dynamic([String], of: String)
        /// An item of `json_each`.
        case item(alias: String)
    }

    /// What SQLite makes of a JSON value: a number, or the text of a string.
    private func jsonValue(at place: JSONPlace) -> String {
        switch place {
        case .member(let names, let object):
            member(names, of: object) { "json_extract(\(object), \($0))" }
        case .dynamic(let names, let object):
            "json_extract(\(object), \(parameter(.text(jsonPath(names)))))"
        case .item(let alias): "\(alias).value"
        }
    }

    /// The very text of a JSON value (https://www.sqlite.org/json1.html#jptr).
    private func jsonText(at place: JSONPlace) -> String {
        switch place {
        case .member(let names, let object): member(names, of: object) { "(\(object) -> \($0))" }
        case .dynamic(let names, let object):
            "(\(object) -> \(parameter(.text(jsonPath(names)))))"
        case .item(let alias): "(\(alias).json -> \(alias).fullkey)"
        }
    }

    /// A member of a JSON object, null where an object on the way is not of the type that the path casts it to
    /// (OData 4.01 Part 2 § 5.1.1.15).
    private func member(
        _ names: [String],
        of object: String,
        reading read: (String) -> String
    ) -> String {
        var way: [String] = []
        var conditions: [String] = []
        for name in names {
            if name.contains("."), let type = model.structuredType(named: name) {
                conditions.append(typeTest(type, at: way, of: object))
            } else {
                way.append(name)
            }
        }
        let value = read(parameter(.text(jsonPath(way))))
        guard !conditions.isEmpty else { return value }
        return "CASE WHEN \(conditions.joined(separator: " AND ")) THEN \(value) END"
    }

    /// Whether the object at a path says that it is of a type, or of one derived from it; each version has its own name for that.
    private func typeTest(_ type: StructuredTypeID, at way: [String], of object: String) -> String {
        let names = [["@odata.type"], ["@type"], ["__metadata", "type"], ["odata.type"]].map {
            "json_extract(\(object), \(parameter(.text(jsonPath(way + $0)))))"
        }
        let written = "coalesce(\(names.joined(separator: ", ")))"
        // `#Namespace.Type`, or the URL of a metadata document with such a fragment.
        let name = "substr(\(written), instr(\(written), '#') + 1)"
        let types = model.structuredTypes.indices.map(StructuredTypeID.init).filter {
            model.type($0, isOrExtends: type)
        }
        let known = types.map { parameter(.text(model[$0].name)) }.joined(separator: ", ")
        return "\(name) IN (\(known))"
    }

    /// Whether a path leads to a complex value.
    func isComplex(_ path: BoundPath) -> Bool {
        if case .item? = variables[path.variable] { return true }
        return !path.property.isEmpty
    }

    /// Whether a complex value is of a type, or of one derived from it.
    func complexCondition(_ type: StructuredTypeID, at path: BoundPath) throws -> String {
        let value = try self.value(.path(path)).sql
        if case .structured(let declared)? = path.type?.type,
            model.type(declared, isOrExtends: type)
        {
            return "\(value) IS NOT NULL"
        }
        return typeTest(type, at: [], of: "nullif(\(value), x'')")
    }

    func jsonPath(_ names: [String]) -> String {
        "$" + names.map { ".\"\($0)\"" }.joined()
    }

    /// The exact text of a column.
    private func exactText(_ place: Int, of row: QueryScope) -> SQLExpression {
        let name = parameter(.text(jsonPath([row.table.columns[place].name])))
        return SQLExpression(
            sql: "json_extract(\(row.reference(.exact)), \(name))",
            form: .string
        )
    }

    /// The exact text of a path's value, for what its form does not say (an offset).
    func exactText(_ expression: BoundExpression) throws -> String {
        switch expression {
        case .variable(let variable, _):
            guard case .item(let alias)? = variables[variable] else { return "NULL" }
            return jsonValue(at: .item(alias: alias))
        case .path(let path):
            switch variables[path.variable] {
            case .item(let alias)?:
                return jsonValue(at: .member(path.property, of: "\(alias).value"))
            case .row?:
                let row = try scope(of: path)
                guard !path.property.isEmpty else { return "NULL" }
                guard let place = row.table.column(at: path.property, of: row.type, in: model)
                else { return jsonValue(at: insideJSON(path, of: row)) }
                return exactText(place, of: row).sql
            case nil: return "NULL"
            }
        // An instant some time later is one of the same zone.
        case .arithmetic(_, let instant, _): return try exactText(instant)
        case .cast(let text, _) where text.form == .string: return try value(text).sql
        default: return "NULL"
        }
    }
}

extension QueryScope {
    /// The same row seen as a derived type.
    func cast(to type: StructuredTypeID) -> QueryScope {
        self.type == type ? self : join("cast \(type.index)") { ([], self.renamed(type)) }
    }

    private func renamed(_ type: StructuredTypeID) -> QueryScope {
        QueryScope(alias: alias, table: table, type: type)
    }
}
