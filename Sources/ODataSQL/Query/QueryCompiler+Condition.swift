package import ODataBinding
import ODataValues
import ODataURL

/// Boolean expressions.
extension QueryCompiler {
    package func condition(_ expression: BoundExpression, truth: Truth = .holds) throws -> String {
        switch expression {
        case .and(let terms):
            return try chain(terms, word: truth == .fails ? "OR" : "AND", truth: truth)
        case .or(let terms):
            return try chain(terms, word: truth == .fails ? "AND" : "OR", truth: truth)
        case .not(let operand):
            let sql = try condition(operand, truth: truth.negated)
            return truth == .value ? "NOT \(parenthesized(sql))" : sql
        case .comparison(let operation, let left, let right):
            return try comparison(operation, left: left, right: right, truth: truth)
        case .isIn(let value, let list): return try membership(value, list: list, truth: truth)
        case .lambda(let lambda): return try self.lambda(lambda, truth: truth)
        case .has(let value, let flags):
            return try plain(has(value, flags: flags), expression: expression, truth: truth)
        case .isOf(let path, let type):
            return try total(
                isComplex(path)
                    ? complexCondition(type, at: path)
                    : typeCondition(type, in: try scope(of: path)),
                expression: expression,
                truth: truth
            )
        case .isOfDynamic(let path, let types):
            return try total(
                dynamicCondition(types, at: path),
                expression: expression,
                truth: truth
            )
        case .state(let state, let path):
            return try total(self.state(state, of: path), expression: expression, truth: truth)
        case .call(let function, let arguments):
            return try call(function, arguments: arguments, expression: expression, truth: truth)
        default: return try boolean(expression, truth: truth)
        }
    }

    package func parenthesized(_ sql: String) -> String { "(\(sql))" }

    /// A condition that may be null, and is neither true nor false then.
    private func plain(_ sql: String, expression: BoundExpression, truth: Truth) throws
        -> String
    {
        switch truth {
        case .holds: guarded(sql, guards: try guards(expression))
        case .fails: guarded("NOT \(parenthesized(sql))", guards: try guards(expression))
        case .value: sql
        }
    }

    /// A condition that is false where SQL says null.
    private func total(_ sql: String, expression: BoundExpression, truth: Truth) throws
        -> String
    {
        switch truth {
        case .holds: guarded(sql, guards: try guards(expression))
        case .fails:
            guarded("\(parenthesized(sql)) IS NOT TRUE", guards: try guards(expression))
        case .value: "\(parenthesized(sql)) IS TRUE"
        }
    }

    private func has(_ value: BoundExpression, flags: BoundExpression) throws -> String {
        let flags = try self.value(flags).sql
        return "(\(try self.value(value).sql) & \(flags)) = \(flags)"
    }

    /// A Boolean property, or another expression with a Boolean value.
    private func boolean(_ expression: BoundExpression, truth: Truth) throws -> String {
        let value = try self.value(expression)
        if value.form == .boolean, try ownGuard(expression, value: value) != nil, truth != .value {
            return "\(value.sql) = \(truth == .holds ? 1 : 0)"
        }
        return try plain(value.sql, expression: expression, truth: truth)
    }

    private func call(
        _ function: FilterFunction,
        arguments: [BoundExpression],
        expression: BoundExpression,
        truth: Truth
    ) throws -> String {
        let sql = try conditionCall(function, arguments: arguments)
        // Nothing that is not known begins with something or holds it.
        if truth == .holds, function.isTextTest,
            case .literal(.text(let text), _)? = arguments.last,
            !text.utf8.isEmpty, case .path(let path)? = arguments.first, path.steps.isEmpty
        {
            return sql
        }
        return try plain(sql, expression: expression, truth: truth)
    }

    // MARK: Chains

    /// A balanced tree, since SQLite's parser stops at a thousand terms in a row and at a hundred levels.
    private func chain(_ terms: [BoundExpression], word: String, truth: Truth) throws
        -> String
    {
        if let list = try equalityList(terms, word: word, truth: truth) { return list }
        let conditions = try terms.map { term -> String in
            let sql = try condition(term, truth: truth)
            return isCompound(term)
                ? parenthesized(sql) : sql
        }
        return balanced(conditions[...], word: word)
    }

    /// Whether the SQL of a term may hold an operator that binds no more strongly than the chain's.
    private func isCompound(_ term: BoundExpression) -> Bool {
        switch term {
        case .and, .or, .not, .conditional, .isIn: true
        default: false
        }
    }

    private static let plainChainLength = 16

    private func balanced(_ conditions: ArraySlice<String>, word: String) -> String {
        if conditions.count <= Self.plainChainLength {
            return conditions.joined(separator: " \(word) ")
        }
        let middle = conditions.startIndex + conditions.count / 2
        return parenthesized(balanced(conditions[..<middle], word: word)) + " \(word) "
            + parenthesized(balanced(conditions[middle...], word: word))
    }

    /// `a eq 1 or a eq 2 or …` of one path as a list; nil for any other chain.
    private func equalityList(_ terms: [BoundExpression], word: String, truth: Truth) throws
        -> String?
    {
        guard word == "OR", truth != .fails, terms.count > Self.plainChainLength else { return nil }
        var first: BoundPath?
        var values: [BoundExpression] = []
        for term in terms {
            guard case .comparison(.equal, .path(let path), let value) = term,
                case .literal = value, first.map({ $0.isSame(as: path) }) ?? true
            else { return nil }
            first = path
            values.append(value)
        }
        return try first.map { try membership(.path($0), list: values, truth: truth) }
    }
}

extension FilterFunction {
    /// Whether it looks for a text in another one.
    fileprivate var isTextTest: Bool {
        self == .contains || self == .startswith || self == .endswith
    }
}

extension BoundPath {
    /// Whether two paths name the same value (navigation is compared by its properties).
    func isSame(as other: BoundPath) -> Bool {
        variable == other.variable && property == other.property && steps.isEmpty
            && other.steps.isEmpty
    }
}

// MARK: - Lists

extension QueryCompiler {
    /// Lists of more literals are bound as one JSON array.
    private static let longestPlainList = 16

    private func membership(_ value: BoundExpression, list: [BoundExpression], truth: Truth)
        throws -> String
    {
        let hasNull = list.contains { if case .null = $0 { true } else { false } }
        let operand = try self.value(value)
        // NaN equals nothing.
        let members = list.filter { !$0.isNullOrNaN }
        var isPlain = true
        var parts =
            try boundList(members, operand: operand).map { [uncut($0, operand: operand)] } ?? []
        if parts.isEmpty, !members.isEmpty {
            let items = try members.map { try member(operand, item: self.value($0)) }
            // Items that made the operand change its form stand in lists of their own.
            for (left, group) in Dictionary(grouping: items, by: \.0.sql)
                .sorted(by: { $0.key < $1.key })
            {
                isPlain = isPlain && left == operand.sql
                let part = "\(left) IN (\(group.map(\.1.sql).joined(separator: ", ")))"
                parts.append(left == operand.sql ? uncut(part, operand: operand) : part)
            }
        }
        if hasNull { parts.append("\(operand.sql) IS NULL") }
        try checkSize()
        let sql =
            parts.isEmpty
            ? "0" : parts.count == 1 ? parts[0] : "(\(parts.joined(separator: " OR ")))"
        guard truth == .holds, isPlain, list.allSatisfy(\.isConstant),
            let own = try ownGuard(value, value: operand)
        else { return try total(sql, expression: .isIn(value, list), truth: truth) }
        return guarded(sql, guards: try guards(value).filter { $0 != own.sql })
    }

    /// An item of a list and the operand in one form; one with more digits than the operand keeps is compared with all of them.
    private func member(_ operand: SQLExpression, item: SQLExpression) throws
        -> (SQLExpression, SQLExpression)
    {
        let pair = try harmonized(operand, item)
        guard operand.exact != nil, pair.0.sql != operand.sql,
            [operand.form, item.form].allSatisfy(\.isExactNumber)
        else { return pair }
        return try (converted(operand, to: .decimalText), converted(item, to: .decimalText))
    }

    /// A test of what is left of a value whose digits are cut off, for values that have no more digits.
    private func uncut(_ sql: String, operand: SQLExpression) -> String {
        operand.cutDigits.map { "(\(sql) AND \($0) IS NULL)" } ?? sql
    }

    /// A long list of literals, bound as one JSON array; nil where JSON does not say them exactly.
    private func boundList(_ items: [BoundExpression], operand: SQLExpression) throws -> String? {
        guard items.count > Self.longestPlainList, let form = operand.form else { return nil }
        var writer = JSONWriter()
        writer.beginArray()
        for item in items {
            guard case .literal(let scalar, let own) = item,
                let value = adapted(scalar, from: own, to: form)
            else { return nil }
            switch value {
            case .integer(let value): writer.integer(value)
            case .text(let text) where !text.utf8.contains(0): writer.string(text)
            default: return nil
            }
        }
        writer.endArray()
        let json = parameter(.text(String(decoding: writer.bytes, as: UTF8.self)))
        return "\(operand.sql) IN (SELECT value FROM json_each(\(json)))"
    }
}

extension BoundExpression {
    /// Whether it is the literal null or NaN.
    fileprivate var isNullOrNaN: Bool {
        switch self {
        case .null, .literal(.text, .double), .literal(.text, .single): true
        default: false
        }
    }

    /// Whether the value is the same for every row.
    fileprivate var isConstant: Bool {
        switch self {
        case .literal, .null: true
        default: false
        }
    }
}

// MARK: - States

extension QueryCompiler {
    private func state(_ state: EntityState, of path: BoundPath) throws -> String {
        let row = try scope(of: path)
        switch state {
        case .exists: return "\(row.reference(.id)) IS NOT NULL"
        case .isLocal: return test(.local, of: row)
        case .hasPendingChanges: return test(.pending, of: row)
        case .inErrorState: return test(.inError, of: row)
        // The binder says these by the states of the relatives.
        case .hasLocalRelatives, .hasRelativesWithPendingChanges, .hasRelativesInErrorState:
            return "0"
        case .upsertedLastDownload:
            return
                "\(row.reference(.stamp)) = (SELECT \"value\" FROM \"$meta\" WHERE \"key\" = 'download')"
        }
    }

    private func test(_ state: RowState, of row: QueryScope) -> String {
        // Where a path leads to nothing, nothing is in the state.
        "coalesce(\(row.reference(.state)), 0) & \(state.rawValue) <> 0"
    }
}
