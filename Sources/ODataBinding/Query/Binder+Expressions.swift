import ODataURL
import ODataValues
import ODataModel

extension Binder {
    /// Binds an expression that must be Boolean.
    mutating func condition(_ written: WrittenExpression, in scope: BindingScope)
        throws(ODataURLError) -> BoundExpression
    {
        let bound = try expression(written, in: scope, wanted: .boolean)
        try expectBoolean(bound, writtenAs: written)
        return bound
    }

    func expectBoolean(_ bound: BoundExpression, writtenAs written: WrittenExpression)
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
        in scope: BindingScope,
        wanted: ScalarForm? = nil
    ) throws(ODataURLError) -> BoundExpression {
        try enter(at: written.offset)
        defer { leave() }
        switch written.node {
        case .literal(let literal):
            return try self.literal(literal, at: written.offset, wanted: wanted)
        case .path(let members): return try path(members, in: scope, wanted: wanted)
        case .and(let terms): return .and(try conditions(terms, in: scope))
        case .or(let terms): return .or(try conditions(terms, in: scope))
        case .not(let operand): return .not(try condition(operand, in: scope))
        case .comparison(let operation, let left, let right):
            return try comparison(operation, left: left, right: right, in: scope)
        case .arithmetic(let operation, let left, let right):
            return try arithmetic(
                operation,
                left: left,
                right: right,
                at: written.offset,
                in: scope
            )
        case .negate(let operand): return try negation(operand, in: scope)
        case .isIn(let item, let list): return try membership(item, list: list, in: scope)
        case .isInCollection(let item, let list):
            return try membership(item, in: list, scope: scope)
        case .has(let left, let right): return try flags(left, right, in: scope)
        case .conditional(let branches): return try conditional(branches, in: scope, wanted: wanted)
        case .array(let items): return .list(try list(items, in: scope, wanted: wanted))
        case .object:
            throw ODataURLError(.notSupported, at: written.offset, "objects are not offered here")
        }
    }

    private mutating func conditions(_ terms: [WrittenExpression], in scope: BindingScope)
        throws(ODataURLError) -> [BoundExpression]
    {
        var bound: [BoundExpression] = []
        bound.reserveCapacity(terms.count)
        for term in terms { bound.append(try condition(term, in: scope)) }
        return bound
    }

    private mutating func list(
        _ items: [WrittenExpression],
        in scope: BindingScope,
        wanted: ScalarForm?
    ) throws(ODataURLError) -> [BoundExpression] {
        var bound: [BoundExpression] = []
        bound.reserveCapacity(items.count)
        for item in items { bound.append(try expression(item, in: scope, wanted: wanted)) }
        return bound
    }

    // MARK: Comparison

    /// Binds two operands, the one that is no literal first: it says which form the literal has.
    mutating func operands(
        _ left: WrittenExpression,
        _ right: WrittenExpression,
        in scope: BindingScope
    ) throws(ODataURLError) -> (BoundExpression, BoundExpression) {
        if case .literal = left.node {
            let second = try expression(right, in: scope)
            return (try expression(left, in: scope, wanted: wish(second)), second)
        }
        let first = try expression(left, in: scope)
        return (first, try expression(right, in: scope, wanted: wish(first)))
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
        left: WrittenExpression,
        right: WrittenExpression,
        in scope: BindingScope
    ) throws(ODataURLError) -> BoundExpression {
        let (first, second) = try operands(left, right, in: scope)
        try expectComparable(first, second, operation: operation, at: right.offset)
        return .comparison(operation, first, second)
    }

    // MARK: Arithmetic

    private mutating func arithmetic(
        _ operation: ArithmeticOperator,
        left: WrittenExpression,
        right: WrittenExpression,
        at offset: Int,
        in scope: BindingScope
    ) throws(ODataURLError) -> BoundExpression {
        let first = try expression(left, in: scope)
        let second = try expression(right, in: scope)
        guard let one = first.form, let other = second.form else {
            try expectNoCollection(first, writtenAs: left)
            try expectNoCollection(second, writtenAs: right)
            return .arithmetic(operation, first, second)
        }
        guard ArithmeticTypes.allows(operation, left: one, right: other) else {
            throw ODataURLError(
                .type,
                at: right.offset,
                "\(operation.rawValue) has no meaning for \(describe(one)) and \(describe(other))"
            )
        }
        return .arithmetic(operation, first, second)
    }

    private mutating func negation(_ operand: WrittenExpression, in scope: BindingScope)
        throws(ODataURLError) -> BoundExpression
    {
        let bound = try expression(operand, in: scope)
        if let form = bound.form, !form.isNumeric, form != .duration {
            throw ODataURLError(
                .type,
                at: operand.offset,
                "\(describe(form)) has no negative",
                expected: ["a number", "a duration"]
            )
        }
        try expectNoCollection(bound, writtenAs: operand)
        return .negate(bound)
    }

    // MARK: in, has, case

    private mutating func membership(
        _ item: WrittenExpression,
        list: [WrittenExpression],
        in scope: BindingScope
    ) throws(ODataURLError) -> BoundExpression {
        let bound = try expression(item, in: scope)
        try expectNoCollection(bound, writtenAs: item)
        var items: [BoundExpression] = []
        items.reserveCapacity(list.count)
        for written in list {
            let candidate = try expression(written, in: scope, wanted: wish(bound))
            if case .list(let inner) = candidate, list.count == 1 { return .isIn(bound, inner) }
            if list.count == 1,
                let any = try isAny(bound, in: candidate, writtenAs: written, scope: scope)
            {
                return any
            }
            try expectComparable(bound, candidate, operation: .equal, at: written.offset)
            items.append(candidate)
        }
        return .isIn(bound, items)
    }

    private mutating func membership(
        _ item: WrittenExpression,
        in list: WrittenExpression,
        scope: BindingScope
    ) throws(ODataURLError) -> BoundExpression {
        let bound = try expression(item, in: scope)
        let collection = try expression(list, in: scope, wanted: wish(bound))
        if case .list(let items) = collection {
            for candidate in items {
                try expectComparable(bound, candidate, operation: .equal, at: list.offset)
            }
            return .isIn(bound, items)
        }
        // An alias without value stands for null, which has no members.
        if case .null = collection { return .isIn(bound, []) }
        if let any = try isAny(bound, in: collection, writtenAs: list, scope: scope) { return any }
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
        writtenAs written: WrittenExpression,
        scope: BindingScope
    ) throws(ODataURLError) -> BoundExpression? {
        guard case .path(let path) = collection, let type = path.type, type.isCollection else {
            return nil
        }
        let variable = LambdaVariable.lambda(scope.lambdas.count + 1)
        let member = BoundExpression.variable(variable, ScalarForm(type, in: model))
        try expectComparable(item, member, operation: .equal, at: written.offset)
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
        in scope: BindingScope
    ) throws(ODataURLError) -> BoundExpression {
        let (first, second) = try operands(left, right, in: scope)
        guard case .enumeration? = first.form ?? second.form else {
            throw ODataURLError(
                .type,
                at: left.offset,
                "has needs an enumeration before it",
                expected: ["a value of an enumeration type"]
            )
        }
        try expectComparable(first, second, operation: .equal, at: right.offset)
        return .has(first, second)
    }

    private mutating func conditional(
        _ branches: [WrittenExpression.Branch],
        in scope: BindingScope,
        wanted: ScalarForm?
    ) throws(ODataURLError) -> BoundExpression {
        var bound: [(condition: BoundExpression, value: BoundExpression)] = []
        for branch in branches {
            let condition = try condition(branch.condition, in: scope)
            let value = try expression(branch.value, in: scope, wanted: wanted)
            if let first = bound.lazy.map(\.value).first(where: { $0.form != nil }) {
                try expectComparable(first, value, operation: .equal, at: branch.value.offset)
            }
            bound.append((condition, value))
        }
        return .conditional(bound)
    }
}
