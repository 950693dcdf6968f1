import ODataBinding
import ODataValues
import ODataSQLite
import ODataModel

/// Canonical functions.
extension QueryCompiler {
    /// A function that answers a Boolean.
    func conditionCall(_ function: FilterFunction, arguments: [BoundExpression]) throws
        -> String
    {
        if arguments.contains(where: \.isCollection) {
            return try collectionTest(function, arguments: arguments)
        }
        guard function.signature.result == .boolean else {
            return try call(function, arguments: arguments).sql
        }
        if function == .startswith, let range = try prefixRange(arguments) { return range }
        return try sql(of: function, arguments)
    }

    /// A function whose SQL is that of its table, whatever the forms of its arguments are.
    private func sql(of function: FilterFunction, _ arguments: [BoundExpression]) throws -> String {
        let values = try arguments.map { try value($0).sql }
        guard let sql = function.signature.sql(of: values) else {
            throw QueryError(.notSupported, "the function \(function.rawValue) is not supported")
        }
        return sql
    }

    /// `startswith` with a literal as a range of texts, which an index serves.
    private func prefixRange(_ arguments: [BoundExpression]) throws -> String? {
        guard case .literal(.text(let prefix), .string) = arguments[1], !prefix.utf8.contains(0),
            case .path = arguments[0], let end = prefix.firstTextAfterPrefix
        else { return nil }
        let value = try self.value(arguments[0])
        guard value.form == .string else { return nil }
        let from = parameter(.text(prefix))
        return "\(value.sql) >= \(from) AND \(value.sql) < \(parameter(.text(end)))"
    }

    func call(_ function: FilterFunction, arguments: [BoundExpression]) throws -> SQLExpression {
        let form = function.resultForm(of: arguments)
        if form == .boolean {
            let sql = "(\(try conditionCall(function, arguments: arguments)))"
            return SQLExpression(sql: sql, form: form)
        }
        switch function {
        case .year, .month, .day, .hour, .minute, .second, .date, .time, .totaloffsetminutes,
            .fractionalseconds:
            return try datePart(function, argument: arguments[0], as: form)
        case .now: return SQLExpression(sql: parameter(now), form: form)
        case .mindatetime: return SQLExpression(sql: "0", form: form, literal: .integer(0))
        case .round, .floor, .ceiling:
            return try rounding(function, operand: known(value(arguments[0]), as: .double))
        case .totalseconds:
            let ticks = try known(value(arguments[0]), as: .duration).sql
            return SQLExpression(sql: ticks, form: .scaledDecimal(scale: 7))
        default: break
        }
        if arguments.contains(where: \.isCollection) {
            return try collectionCall(function, arguments: arguments)
        }
        return SQLExpression(sql: try sql(of: function, arguments), form: form)
    }

    private func datePart(
        _ function: FilterFunction,
        argument: BoundExpression,
        as form: ScalarForm?
    ) throws -> SQLExpression {
        let operand = try value(argument)
        let part =
            switch function {
            case .totaloffsetminutes: "offset"
            case .fractionalseconds: "fraction"
            default: function.rawValue
            }
        let exact: String
        switch operand.form {
        case .dateTimeOffset: exact = try exactText(argument)
        case .json: exact = operand.sql
        default: exact = "NULL"
        }
        let sql = "odata_part(\(try ticks(operand, for: function)), '\(part)', \(exact))"
        return SQLExpression(
            sql: sql,
            form: function == .fractionalseconds ? .scaledDecimal(scale: 7) : form
        )
    }

    /// The ticks of an instant, a date or a time of day; of a dynamic value, whose type only the entity knows, what its text is.
    private func ticks(_ operand: SQLExpression, for function: FilterFunction) throws -> String {
        func days(_ value: SQLExpression) -> String { "(\(value.sql) * \(Instant.ticksPerDay))" }
        guard operand.form == .json else {
            return operand.form == .date ? days(operand) : operand.sql
        }
        let instant = try converted(operand, to: .dateTimeOffset).sql
        let other =
            switch function {
            case .year, .month, .day: days(try converted(operand, to: .date))
            case .hour, .minute, .second, .fractionalseconds:
                try converted(operand, to: .timeOfDay).sql
            default: "NULL"
            }
        return "coalesce(\(instant), \(other))"
    }

    /// A value as a form; of a dynamic one only the entity knows the type.
    private func known(_ value: SQLExpression, as form: ScalarForm) throws -> SQLExpression {
        value.form == .json ? try converted(value, to: form) : value
    }

    private func rounding(_ function: FilterFunction, operand: SQLExpression) throws
        -> SQLExpression
    {
        switch operand.form {
        case .scaledDecimal(let scale) where scale > 0:
            let sql = "odata_step(\(operand.sql), \(powerOfTen(scale)), '\(function.rawValue)')"
            return SQLExpression(sql: sql, form: operand.form)
        case .double, .single:
            return SQLExpression(
                sql: "odata_\(function.rawValue)(\(operand.sql))",
                form: operand.form
            )
        case .decimalText:
            return SQLExpression(
                sql: "odata_whole(\(operand.sql), '\(function.rawValue)')",
                form: .decimalText
            )
        default: return operand
        }
    }
}

// MARK: - Collections

extension QueryCompiler {
    /// Functions that answer a Boolean about two ordered collections, or two sets.
    private func collectionTest(_ function: FilterFunction, arguments: [BoundExpression]) throws
        -> String
    {
        let values = try arguments.map(jsonArray)
        if function == .hassubset {
            // No item occurs more often in the second collection than in the first (OData 4.01 Part 2 § 5.1.1.6.1).
            let (a, b) = (newAlias("j"), newAlias("j"))
            return
                "NOT EXISTS (SELECT 1 FROM json_each(\(values[1])) AS \(b) GROUP BY \(b).value HAVING count(*) > "
                + "(SELECT count(*) FROM json_each(\(values[0])) AS \(a) WHERE \(a).value IS \(b).value))"
        }
        return "odata_list('\(function.rawValue)', \(try normalized(arguments)))"
    }

    /// Functions of collections with another value (OData 4.01 Part 2 § 5.1.1.5).
    private func collectionCall(_ function: FilterFunction, arguments: [BoundExpression]) throws
        -> SQLExpression
    {
        switch function {
        case .length:
            let sql = "json_array_length(\(try jsonArray(arguments[0])))"
            return SQLExpression(sql: sql, form: .integer(.int32))
        case .indexof:
            let sql = "odata_list('indexof', \(try normalized(arguments)))"
            return SQLExpression(sql: sql, form: .integer(.int32))
        case .concat, .substring:
            let sql = "odata_list('\(function.rawValue)', \(try normalized(arguments)))"
            return SQLExpression(sql: sql, form: .json)
        default:
            throw QueryError(
                .notSupported,
                "the function \(function.rawValue) takes no collection"
            )
        }
    }

    /// Arguments with collections written anew by SQLite, so that equal items are equal texts.
    private func normalized(_ arguments: [BoundExpression]) throws -> String {
        try arguments.map { argument in
            guard argument.isCollection else { return try value(argument).sql }
            let array = try jsonArray(argument)
            return "(SELECT json_group_array(value) FROM json_each(\(array)))"
        }
        .joined(separator: ", ")
    }
}

extension BoundExpression {
    /// Whether the value is a collection.
    var isCollection: Bool {
        switch self {
        case .list: true
        case .path(let path): path.type?.isCollection ?? false
        case .call(.concat, let arguments), .call(.substring, let arguments):
            arguments.first?.isCollection ?? false
        default: false
        }
    }
}

extension String {
    /// The first text that is greater than every text that begins with this one; nil where there is none.
    fileprivate var firstTextAfterPrefix: String? {
        var scalars = Array(unicodeScalars)
        while let last = scalars.popLast() {
            // Surrogates are no scalars.
            let next = last.value == 0xD7FF ? 0xE000 : last.value + 1
            guard let following = Unicode.Scalar(next) else { continue }
            var text = String(String.UnicodeScalarView(scalars))
            text.unicodeScalars.append(following)
            return text
        }
        return nil
    }
}
