import ODataPayload
import ODataModel

extension Binder {
    /// Binds an expression that must be Boolean.
    mutating func condition(_ written: WrittenExpression, _ scope: BindingScope)
        throws(ODataURLError) -> BoundExpression
    {
        let bound = try expression(written, scope, wanted: .boolean)
        try expectBoolean(bound, written)
        return bound
    }

    func expectBoolean(_ bound: BoundExpression, _ written: WrittenExpression)
        throws(ODataURLError)
    {
        switch bound {
        case .null: return
        case .list: break
        default:
            if bound.form == .boolean || isUntyped(bound) { return }
        }
        throw ODataURLError(
            .type,
            at: written.offset,
            "a condition must be true or false",
            expected: ["a Boolean expression"]
        )
    }

    /// Binds an expression; a literal takes the wanted form where it can.
    mutating func expression(
        _ written: WrittenExpression,
        _ scope: BindingScope,
        wanted: ScalarForm? = nil
    ) throws(ODataURLError) -> BoundExpression {
        try enter(at: written.offset)
        defer { leave() }
        switch written.node {
        case .literal(let literal): return try self.literal(literal, at: written.offset, wanted)
        case .path(let members): return try path(members, scope, wanted)
        case .and(let terms): return .and(try conditions(terms, scope))
        case .or(let terms): return .or(try conditions(terms, scope))
        case .not(let operand): return .not(try condition(operand, scope))
        case .comparison(let operation, let left, let right):
            return try comparison(operation, left, right, scope)
        case .arithmetic(let operation, let left, let right):
            return try arithmetic(operation, left, right, written.offset, scope)
        case .negate(let operand): return try negation(operand, scope)
        case .isIn(let item, let list): return try membership(item, list, scope)
        case .isInCollection(let item, let list): return try membership(item, in: list, scope)
        case .has(let left, let right): return try flags(left, right, scope)
        case .conditional(let branches): return try conditional(branches, scope, wanted)
        case .array(let items): return .list(try list(items, scope, wanted))
        case .object:
            throw ODataURLError(.notSupported, at: written.offset, "objects are not offered here")
        }
    }

    private mutating func conditions(_ terms: [WrittenExpression], _ scope: BindingScope)
        throws(ODataURLError) -> [BoundExpression]
    {
        var bound: [BoundExpression] = []
        bound.reserveCapacity(terms.count)
        for term in terms { bound.append(try condition(term, scope)) }
        return bound
    }

    private mutating func list(
        _ items: [WrittenExpression],
        _ scope: BindingScope,
        _ wanted: ScalarForm?
    ) throws(ODataURLError) -> [BoundExpression] {
        var bound: [BoundExpression] = []
        bound.reserveCapacity(items.count)
        for item in items { bound.append(try expression(item, scope, wanted: wanted)) }
        return bound
    }

    // MARK: Comparison

    /// Binds two operands, the one that is no literal first: it says which form the literal has.
    mutating func operands(
        _ left: WrittenExpression,
        _ right: WrittenExpression,
        _ scope: BindingScope
    ) throws(ODataURLError) -> (BoundExpression, BoundExpression) {
        if case .literal = left.node {
            let second = try expression(right, scope)
            return (try expression(left, scope, wanted: wish(second)), second)
        }
        let first = try expression(left, scope)
        return (first, try expression(right, scope, wanted: wish(first)))
    }

    /// Returns the form that literals beside an expression take: a computed number leaves them exact.
    private func wish(_ bound: BoundExpression) -> ScalarForm? {
        guard let form = bound.form else { return nil }
        switch bound {
        case .path, .variable, .cast: return form
        default: return form.isNumeric && form != .double && form != .single ? nil : form
        }
    }

    private mutating func comparison(
        _ operation: ComparisonOperator,
        _ left: WrittenExpression,
        _ right: WrittenExpression,
        _ scope: BindingScope
    ) throws(ODataURLError) -> BoundExpression {
        let (first, second) = try operands(left, right, scope)
        try expectComparable(first, second, operation, right.offset)
        return .comparison(operation, first, second)
    }

    // MARK: Arithmetic

    private mutating func arithmetic(
        _ operation: ArithmeticOperator,
        _ left: WrittenExpression,
        _ right: WrittenExpression,
        _ offset: Int,
        _ scope: BindingScope
    ) throws(ODataURLError) -> BoundExpression {
        let first = try expression(left, scope)
        let second = try expression(right, scope)
        guard let one = first.form, let other = second.form else {
            try expectNoCollection(first, left)
            try expectNoCollection(second, right)
            return .arithmetic(operation, first, second)
        }
        guard ArithmeticTypes.allows(operation, one, other) else {
            throw ODataURLError(
                .type,
                at: right.offset,
                "\(operation.rawValue) has no meaning for \(describe(one)) and \(describe(other))"
            )
        }
        return .arithmetic(operation, first, second)
    }

    private mutating func negation(_ operand: WrittenExpression, _ scope: BindingScope)
        throws(ODataURLError) -> BoundExpression
    {
        let bound = try expression(operand, scope)
        if let form = bound.form, !form.isNumeric, form != .duration {
            throw ODataURLError(
                .type,
                at: operand.offset,
                "\(describe(form)) has no negative",
                expected: ["a number", "a duration"]
            )
        }
        try expectNoCollection(bound, operand)
        return .negate(bound)
    }

    // MARK: in, has, case

    private mutating func membership(
        _ item: WrittenExpression,
        _ list: [WrittenExpression],
        _ scope: BindingScope
    ) throws(ODataURLError) -> BoundExpression {
        let bound = try expression(item, scope)
        try expectNoCollection(bound, item)
        var items: [BoundExpression] = []
        items.reserveCapacity(list.count)
        for written in list {
            let candidate = try expression(written, scope, wanted: wish(bound))
            if case .list(let inner) = candidate, list.count == 1 { return .isIn(bound, inner) }
            if list.count == 1, let any = try isAny(bound, in: candidate, written, scope) {
                return any
            }
            try expectComparable(bound, candidate, .equal, written.offset)
            items.append(candidate)
        }
        return .isIn(bound, items)
    }

    private mutating func membership(
        _ item: WrittenExpression,
        in list: WrittenExpression,
        _ scope: BindingScope
    ) throws(ODataURLError) -> BoundExpression {
        let bound = try expression(item, scope)
        let collection = try expression(list, scope, wanted: wish(bound))
        if case .list(let items) = collection {
            for candidate in items { try expectComparable(bound, candidate, .equal, list.offset) }
            return .isIn(bound, items)
        }
        // An alias without value stands for null, which has no members.
        if case .null = collection { return .isIn(bound, []) }
        if let any = try isAny(bound, in: collection, list, scope) { return any }
        throw ODataURLError(
            .type,
            at: list.offset,
            "in needs a list or a collection",
            expected: ["(…)", "a collection"]
        )
    }

    /// Returns `collection/any(x:x eq item)` where an expression is a collection of values.
    private func isAny(
        _ item: BoundExpression,
        in collection: BoundExpression,
        _ written: WrittenExpression,
        _ scope: BindingScope
    ) throws(ODataURLError) -> BoundExpression? {
        guard case .path(let path) = collection, let type = path.type, type.isCollection else {
            return nil
        }
        let variable = LambdaVariable.lambda(scope.lambdas.count + 1)
        let member = BoundExpression.variable(variable, ScalarForm(type, in: model))
        try expectComparable(item, member, .equal, written.offset)
        return .lambda(
            BoundLambda(
                .any,
                over: path,
                variable: variable,
                condition: .comparison(.equal, item, member)
            )
        )
    }

    private mutating func flags(
        _ left: WrittenExpression,
        _ right: WrittenExpression,
        _ scope: BindingScope
    ) throws(ODataURLError) -> BoundExpression {
        let (first, second) = try operands(left, right, scope)
        guard case .enumeration? = first.form ?? second.form else {
            throw ODataURLError(
                .type,
                at: left.offset,
                "has needs an enumeration before it",
                expected: ["a value of an enumeration type"]
            )
        }
        try expectComparable(first, second, .equal, right.offset)
        return .has(first, second)
    }

    private mutating func conditional(
        _ branches: [WrittenExpression.Branch],
        _ scope: BindingScope,
        _ wanted: ScalarForm?
    ) throws(ODataURLError) -> BoundExpression {
        var bound: [(condition: BoundExpression, value: BoundExpression)] = []
        for branch in branches {
            let condition = try condition(branch.condition, scope)
            let value = try expression(branch.value, scope, wanted: wanted)
            if let first = bound.lazy.map(\.value).first(where: { $0.form != nil }) {
                try expectComparable(first, value, .equal, branch.value.offset)
            }
            bound.append((condition, value))
        }
        return .conditional(bound)
    }
}
