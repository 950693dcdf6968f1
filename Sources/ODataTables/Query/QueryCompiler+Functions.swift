import ODataModel
import ODataProtocol

/// Canonical functions.
extension QueryCompiler {
    /// A function that answers a Boolean, in the place of a condition.
    func conditionCall(
        _ function: FilterFunction,
        _ arguments: [BoundExpression],
        exact: Bool
    ) throws -> String {
        let values = try arguments.map { try value($0).sql }
        switch function {
        case .contains: return "instr(\(values[0]), \(values[1])) > 0"
        case .substringof: return "instr(\(values[1]), \(values[0])) > 0"
        case .startswith:
            return "substr(\(values[0]), 1, odata_length(\(values[1]))) = \(values[1])"
        case .endswith:
            // substr with length 0 would answer the whole text.
            return "(\(values[1]) = '' AND \(values[0]) IS NOT NULL"
                + " OR substr(\(values[0]), -odata_length(\(values[1]))) = \(values[1]))"
        case .matchesPattern: return "odata_matches(\(values[0]), \(values[1]))"
        case .hassubset:
            // No item occurs more often in the second collection than in the first (OData 4.01 Part 2 § 5.1.1.6.1).
            let (a, b) = (newAlias("j"), newAlias("j"))
            return
                "NOT EXISTS (SELECT 1 FROM json_each(\(values[1])) AS \(b) GROUP BY \(b).value HAVING count(*) > "
                + "(SELECT count(*) FROM json_each(\(values[0])) AS \(a) WHERE \(a).value IS \(b).value))"
        case .hassubsequence:
            let arrays = values.map { "(SELECT json_group_array(value) FROM json_each(\($0)))" }
            return "odata_subsequence(\(arrays[0]), \(arrays[1]))"
        default: return try call(function, arguments).sql
        }
    }

    func call(_ function: FilterFunction, _ arguments: [BoundExpression]) throws -> SQLExpression {
        let form = function.resultForm(of: arguments)
        switch function {
        case .contains, .substringof, .startswith, .endswith, .matchesPattern, .hassubset,
            .hassubsequence:
            return SQLExpression(
                sql: "(\(try conditionCall(function, arguments, exact: true)))",
                form: .boolean
            )
        case .year, .month, .day, .hour, .minute, .second, .date, .time, .totaloffsetminutes,
            .fractionalseconds:
            return try datePart(function, arguments[0], form)
        case .now: return SQLExpression(sql: parameter(now), form: form)
        case .mindatetime: return SQLExpression(sql: "0", form: form, literal: .integer(0))
        case .maxdatetime: return SQLExpression(sql: "3155378975999999999", form: form)
        case .round, .floor, .ceiling: return try rounding(function, value(arguments[0]))
        case .totalseconds:
            let ticks = try value(arguments[0]).sql
            return SQLExpression(sql: ticks, form: .scaledDecimal(scale: 7))
        default: break
        }
        guard let name = function.sqlName else {
            throw QueryError(.notSupported, "the function \(function.rawValue) is not supported")
        }
        let values = try arguments.map { try value($0).sql }
        if function == .concat {
            return SQLExpression(sql: "(\(values.joined(separator: " || ")))", form: form)
        }
        return SQLExpression(sql: "\(name)(\(values.joined(separator: ", ")))", form: form)
    }

    private func datePart(
        _ function: FilterFunction,
        _ argument: BoundExpression,
        _ form: ScalarForm?
    ) throws -> SQLExpression {
        let operand = try value(argument)
        // A date is days, a time of day is ticks: both are brought to ticks.
        let ticks =
            operand.form == .date ? "(\(operand.sql) * \(Instant.ticksPerDay))" : operand.sql
        let part =
            switch function {
            case .totaloffsetminutes: "offset"
            case .fractionalseconds: "fraction"
            default: function.rawValue
            }
        let exact = operand.form == .dateTimeOffset ? try exactText(argument) : "NULL"
        let sql = "odata_part(\(ticks), '\(part)', \(exact))"
        return SQLExpression(
            sql: sql,
            form: function == .fractionalseconds ? .scaledDecimal(scale: 7) : form
        )
    }

    private func rounding(_ function: FilterFunction, _ operand: SQLExpression) throws
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
            let real = try converted(operand, to: .double).sql
            return SQLExpression(sql: "odata_\(function.rawValue)(\(real))", form: .double)
        default: return operand
        }
    }
}

extension FilterFunction {
    fileprivate var sqlName: String? {
        switch self {
        case .concat: "concat"
        case .length: "odata_length"
        case .indexof: "odata_indexof"
        case .substring: "odata_substring"
        case .tolower: "odata_lower"
        case .toupper: "odata_upper"
        case .trim: "odata_trim"
        case .replace: "odata_replace"
        default: nil
        }
    }
}
