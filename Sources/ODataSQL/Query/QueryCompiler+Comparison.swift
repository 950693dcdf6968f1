import ODataModel
import ODataBinding
import ODataValues
import ODataURL

/// Comparisons (OData 4.01 Part 2 §§ 5.1.1.1.1 to 5.1.1.1.6): they are never null, and null equals null only.
extension QueryCompiler {
    func comparison(
        _ operation: ComparisonOperator,
        left: BoundExpression,
        right: BoundExpression,
        truth: Truth
    ) throws -> String {
        if truth == .fails, let opposite = operation.opposite {
            return try comparison(opposite, left: left, right: right, truth: .holds)
        }
        switch (operation, left, right) {
        case (.equal, let operand, .null), (.equal, .null, let operand):
            return try nullTest(operand, isNull: true, truth: truth)
        case (.notEqual, let operand, .null), (.notEqual, .null, let operand):
            return try nullTest(operand, isNull: false, truth: truth)
        case (_, .null, _), (_, _, .null): return truth == .fails ? "1" : "0"
        default: break
        }
        let (a, b, sql) = try compared(
            operation,
            left: operand(left, beside: right),
            right: operand(right, beside: left),
            truth: truth
        )
        switch truth {
        case .holds:
            return guarded(sql, guards: try guards(operation, left: (left, a), right: (right, b)))
        case .fails: return guarded("(\(sql)) IS NOT TRUE", guards: try guards(left, right))
        // IS and IS NOT are OData's eq and ne: null equals null, and nothing else.
        case .value: return operation.opposite == nil ? "(\(sql)) IS TRUE" : "(\(sql))"
        }
    }

    /// Two values in one form, and their comparison.
    private func compared(
        _ operation: ComparisonOperator,
        left: SQLExpression,
        right: SQLExpression,
        truth: Truth
    ) throws -> (SQLExpression, SQLExpression, String) {
        let isFilter = truth == .holds
        if left.exact == nil, right.exact == nil {
            let (a, b) = try harmonized(left, right)
            return (a, b, equalityOrOrder(operation, left: a, right: b, isFilter: isFilter))
        }
        for (column, other) in [(left, right), (right, left)] {
            guard let exact = column.exact, case .scaledDecimal(let scale)? = column.form,
                other.literal != nil, other.exact == nil,
                common(column.form, other.form) ?? column.form == column.form
            else { continue }
            let (a, b) = try harmonized(left, right)
            let sql = equalityOrOrder(operation, left: a, right: b, isFilter: isFilter)
            let cut = "\(exact) <> odata_decimal(\(column.sql), \(scale))"
            let isLeft = left.exact != nil
            let whole = "\(a.sql) \(ComparisonOperator.equal.sql) \(b.sql)"
            return (a, b, operation.isExact(sql, whole: whole, cut: cut, isLeft: isLeft))
        }
        guard [left.form, right.form].allSatisfy(\.isExactNumber) else {
            let (a, b) = try harmonized(left, right)
            return (a, b, equalityOrOrder(operation, left: a, right: b, isFilter: isFilter))
        }
        let a = try converted(left, to: .decimalText)
        let b = try converted(right, to: .decimalText)
        return (a, b, equalityOrOrder(operation, left: a, right: b, isFilter: isFilter))
    }

    /// Compares two values of one form; NaN, kept as text, is unlike everything and has no order.
    private func equalityOrOrder(
        _ operation: ComparisonOperator,
        left a: SQLExpression,
        right b: SQLExpression,
        isFilter: Bool
    ) -> String {
        // Null equals no literal; SQLite makes lists of alternatives with `=` and not with `IS`.
        let isPlain = isFilter && operation == .equal && (a.literal != nil || b.literal != nil)
        let sql = "\(a.sql) \(isPlain ? "=" : operation.sql) \(b.sql)"
        let isConstant = a.isNaN || b.isNaN
        guard a.mayBeNaN || b.mayBeNaN || isConstant else { return sql }
        switch operation {
        case .equal:
            if isConstant { return "0" }
            guard a.literal == nil, b.literal == nil else { return sql }
            return "\(sql) AND (\(a.sql) IS NULL OR \(a.sql) < '')"
        case .notEqual:
            if isConstant { return "1" }
            guard a.literal == nil, b.literal == nil else { return sql }
            return "(\(sql) OR typeof(\(a.sql)) = 'text')"
        default:
            if isConstant { return "0" }
            let tests = [a, b].filter { $0.literal == nil && $0.mayBeNaN }
                .filter { !isBelow($0.sql, operation: operation, a: a, b: b) }
            return guarded(sql, guards: tests.map { "\($0.sql) < ''" })
        }
    }

    /// Whether an operand is on the smaller side of a number: then it is no text.
    private func isBelow(
        _ sql: String,
        operation: ComparisonOperator,
        a: SQLExpression,
        b: SQLExpression
    ) -> Bool {
        switch operation {
        case .less, .lessOrEqual: sql == a.sql && b.literal != nil
        case .greater, .greaterOrEqual: sql == b.sql && a.literal != nil
        default: false
        }
    }

    // MARK: Guards

    /// The guards of a comparison that holds, without those that the comparison itself implies.
    private func guards(
        _ operation: ComparisonOperator,
        left: (BoundExpression, SQLExpression),
        right: (BoundExpression, SQLExpression)
    ) throws -> [String] {
        var result = try guards(left.0, right.0)
        guard !result.isEmpty else { return [] }
        for (side, other, isLeft) in [(left, right, true), (right, left, false)] {
            guard other.1.literal != nil, let own = try ownGuard(side.0, value: side.1),
                let place = result.firstIndex(of: own.sql)
            else { continue }
            switch operation {
            case .equal: result.remove(at: place)
            case .notEqual: break
            default:
                let isSmaller = (operation == .less || operation == .lessOrEqual) == isLeft
                if isSmaller == own.isKnownBelow {
                    result.remove(at: place)
                } else {
                    result[place] = own.bound
                }
            }
        }
        return result
    }

    // MARK: Null

    private func nullTest(_ operand: BoundExpression, isNull: Bool, truth: Truth) throws
        -> String
    {
        if case .null = operand { return isNull == (truth != .fails) ? "1" : "0" }
        let sql = try nullTestable(operand)
        let test = "\(sql) IS \(isNull ? "" : "NOT ")NULL"
        guard truth == .holds else { return test }
        var guards = try guards(operand)
        // What is null is known.
        if isNull, let own = try ownGuard(operand, value: SQLExpression(sql: sql)) {
            guards.removeAll { $0 == own.sql }
        }
        return guarded(test, guards: guards)
    }

    /// A navigation property or entity compared with null is asked for its row.
    ///
    /// A collection is null only where the entity is that has it; an entity that is not of the type that it is cast to is
    /// (OData 4.01 Part 2 § 5.1.1.10.1).
    private func nullTestable(_ expression: BoundExpression) throws -> String {
        guard case .path(let path) = expression, path.form == nil, path.property.isEmpty else {
            return try value(expression).sql
        }
        let isCollection = path.navigation.map { model[$0].isCollection } ?? false
        let row = try scope(of: path, navigationExcluded: isCollection)
        let id = row.reference(.id)
        guard row.type != row.table.entityType else { return id }
        return "CASE WHEN \(try typeCondition(row.type, in: row)) THEN \(id) END"
    }
}

extension ScalarForm? {
    /// Whether values are whole numbers or decimals, which `decimalText` says exactly.
    var isExactNumber: Bool {
        switch self {
        case .integer, .scaledDecimal, .decimalText: true
        default: false
        }
    }
}

extension SQLExpression {
    /// Whether the value is a floating-point number.
    fileprivate var mayBeNaN: Bool { form == .double || form == .single }

    /// Whether it is the literal NaN.
    fileprivate var isNaN: Bool {
        guard case .text(let text)? = literal else { return false }
        return mayBeNaN || form == .decimalText && text == DecimalText.nan.encoded
    }
}

extension ComparisonOperator {
    var sql: String {
        switch self {
        case .equal: "IS"
        case .notEqual: "IS NOT"
        case .greater: ">"
        case .greaterOrEqual: ">="
        case .less: "<"
        case .lessOrEqual: "<="
        }
    }

    /// A comparison of a column, whose digits beyond its scale are cut off toward minus infinity, with a number of that scale.
    ///
    /// - Parameters:
    ///   - sql: The comparison of what is left.
    ///   - whole: Whether what is left equals the number.
    ///   - cut: Whether digits are cut off; null where there is no exact text.
    ///   - isLeft: Whether the column stands on the left.
    fileprivate func isExact(_ sql: String, whole: String, cut: String, isLeft: Bool) -> String {
        switch (self, isLeft) {
        case (.equal, _), (.lessOrEqual, true), (.greaterOrEqual, false):
            // A value with more digits is above the number that is left.
            "\(sql) AND NOT (\(whole) AND (\(cut)) IS TRUE)"
        case (.notEqual, _), (.greater, true), (.less, false):
            "(\(sql) OR \(whole) AND (\(cut)) IS TRUE)"
        case (.less, true), (.greater, false), (.greaterOrEqual, true), (.lessOrEqual, false): sql
        }
    }

    /// The operator that is true exactly where this one is false; those of order are false for null both ways.
    fileprivate var opposite: Self? {
        switch self {
        case .equal: .notEqual
        case .notEqual: .equal
        default: nil
        }
    }
}
