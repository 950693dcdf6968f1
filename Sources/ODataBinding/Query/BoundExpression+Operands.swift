extension BoundExpression {
    /// The expressions that this one is made of, in their order; none for a path and what else has no parts.
    ///
    /// The condition of a lambda or of a count is not among them, since it is of another variable.
    package var operands: [BoundExpression] {
        switch self {
        case .comparison(_, let left, let right), .arithmetic(_, let left, let right),
            .has(let left, let right):
            [left, right]
        case .and(let parts), .or(let parts), .call(_, let parts), .list(let parts): parts
        case .not(let inner), .negate(let inner), .cast(let inner, _): [inner]
        case .isIn(let inner, let parts): [inner] + parts
        case .conditional(let branches): branches.flatMap { [$0.condition, $0.value] }
        case .literal, .null, .variable, .path, .isOf, .isOfDynamic, .lambda, .count, .root, .these,
            .state:
            []
        }
    }
}
