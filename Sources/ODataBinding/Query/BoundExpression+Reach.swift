extension BoundExpression {
    /// Whether the value depends on the entity's own properties alone, and on nothing that it is related to.
    package var isOfEntityAlone: Bool {
        switch self {
        case .path(let path), .isOf(let path, _), .isOfDynamic(let path, _): path.isOfEntityAlone
        case .lambda(let lambda): lambda.isOfEntityAlone
        case .count(let path, let filter):
            path.isOfEntityAlone && filter?.isOfEntityAlone != false
        case .root, .these, .state: false
        default: operands.allSatisfy(\.isOfEntityAlone)
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
