extension BoundExpression {
    /// Whether the value depends on the entity's own properties alone, and on nothing that it is related to.
    package var isOfEntityAlone: Bool {
        switch self {
        case .path(let path), .isOf(let path, _): path.isOfEntityAlone
        case .lambda(let lambda): lambda.isOfEntityAlone
        case .count(let path, let filter):
            path.isOfEntityAlone && filter?.isOfEntityAlone != false
        case .comparison(_, let left, let right), .arithmetic(_, let left, let right),
            .has(let left, let right):
            left.isOfEntityAlone && right.isOfEntityAlone
        case .and(let parts), .or(let parts), .call(_, let parts), .list(let parts):
            parts.allSatisfy(\.isOfEntityAlone)
        case .not(let inner), .negate(let inner), .cast(let inner, _): inner.isOfEntityAlone
        case .isIn(let inner, let parts):
            inner.isOfEntityAlone && parts.allSatisfy(\.isOfEntityAlone)
        case .conditional(let cases):
            cases.allSatisfy { $0.condition.isOfEntityAlone && $0.value.isOfEntityAlone }
        case .literal, .null, .variable: true
        case .root, .these, .state: false
        }
    }
}

extension BoundPath {
    fileprivate var isOfEntityAlone: Bool {
        navigation == nil
            && steps.allSatisfy { step in
                if case .cast = step { true } else { false }
            }
    }
}

extension BoundLambda {
    fileprivate var isOfEntityAlone: Bool {
        collection.isOfEntityAlone && condition?.isOfEntityAlone != false
    }
}
