import ODataBinding
import ODataValues
import ODataSQLite
import ODataModel

/// Canonical functions.
extension QueryCompiler {
    /// A function as a condition.
    func conditionCall(_ function: FilterFunction, arguments: [BoundExpression]) throws
        -> String
    {
        if function == .startswith, let range = try prefixRange(arguments) { return range }
        return try computed(function, arguments: arguments).sql
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
        guard function.signature.result == .boolean else {
            return try computed(function, arguments: arguments)
        }
        let sql = try conditionCall(function, arguments: arguments)
        return SQLExpression(sql: parenthesized(sql), form: .boolean)
    }

    /// A function by what its row in the table says.
    private func computed(_ function: FilterFunction, arguments: [BoundExpression]) throws
        -> SQLExpression
    {
        let signature = function.signature
        let isOfCollections = arguments.contains(where: \.isCollection)
        guard let sql = isOfCollections ? signature.collections : signature.sql else {
            throw QueryError(.notSupported, "the function \(function.rawValue) is not supported")
        }
        let form = function.resultForm(of: arguments)
        switch sql {
        case .text(let text):
            let values = try arguments.map {
                $0.isCollection ? try jsonArray($0) : try value($0).sql
            }
            return SQLExpression(sql: FunctionSQL.filled(text, with: values), form: form)
        case .constant(let value):
            return SQLExpression(sql: String(value), form: form, literal: .integer(value))
        case .now: return SQLExpression(sql: parameter(now), form: form)
        case .part(let name):
            return try part(name, of: arguments[0], kind: signature.arguments[0], form: form)
        case .rounding(let name):
            return try rounding(name, operand: known(value(arguments[0]), as: .double))
        case .seconds:
            let ticks = try known(value(arguments[0]), as: .duration).sql
            return SQLExpression(sql: ticks, form: .scaledDecimal(scale: 7))
        case .list(let name):
            let sql = "odata_list('\(name)', \(try normalized(arguments)))"
            return SQLExpression(sql: sql, form: form == .string ? .json : form)
        }
    }

    private func part(
        _ name: String,
        of argument: BoundExpression,
        kind: ArgumentKind,
        form: ScalarForm?
    ) throws -> SQLExpression {
        let operand = try value(argument)
        let exact =
            switch operand.form {
            case .dateTimeOffset: try exactText(argument)
            case .json: operand.sql
            default: "NULL"
            }
        return SQLExpression(
            sql: "odata_part(\(try ticks(operand, kind: kind)), '\(name)', \(exact))",
            // Of decimal numbers, only fractions of seconds come out of it.
            form: form == .decimalText ? .scaledDecimal(scale: 7) : form
        )
    }

    /// The ticks of an instant, a date or a time of day; of a dynamic value, whose type only the entity knows, what its text is.
    private func ticks(_ operand: SQLExpression, kind: ArgumentKind) throws -> String {
        func days(_ value: SQLExpression) -> String { "(\(value.sql) * \(Instant.ticksPerDay))" }
        guard operand.form == .json else {
            return operand.form == .date ? days(operand) : operand.sql
        }
        let instant = try converted(operand, to: .dateTimeOffset).sql
        let other =
            switch kind {
            case .day: days(try converted(operand, to: .date))
            case .clock: try converted(operand, to: .timeOfDay).sql
            default: "NULL"
            }
        return "coalesce(\(instant), \(other))"
    }

    /// A value as a form; of a dynamic one only the entity knows the type.
    private func known(_ value: SQLExpression, as form: ScalarForm) throws -> SQLExpression {
        value.form == .json ? try converted(value, to: form) : value
    }

    private func rounding(_ name: String, operand: SQLExpression) throws -> SQLExpression {
        switch operand.form {
        case .scaledDecimal(let scale) where scale > 0:
            let sql = "odata_step(\(operand.sql), \(powerOfTen(scale)), '\(name)')"
            return SQLExpression(sql: sql, form: operand.form)
        case .double, .single:
            return SQLExpression(
                sql: "odata_\(name)(\(operand.sql))",
                form: operand.form
            )
        case .decimalText:
            return SQLExpression(
                sql: "odata_whole(\(operand.sql), '\(name)')",
                form: .decimalText
            )
        default: return operand
        }
    }
}

// MARK: - Collections

extension QueryCompiler {
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
