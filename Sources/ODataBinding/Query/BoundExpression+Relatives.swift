import ODataValues
import ODataURL
package import ODataModel

/// States of an entity's relatives: the entities to which its navigation properties lead directly.
extension BoundExpression {
    /// Whether a relative of an entity of a source is in a state.
    ///
    /// - Parameter state: One of the states of relatives; nil is returned for others.
    package static func relatives(
        of source: NavigationSource,
        areIn state: EntityState,
        in model: EdmModel
    ) -> BoundExpression? {
        guard let type = model.entityType(of: source), let single = state.ofRelative else {
            return nil
        }
        let walk = MemberWalk(BoundPath(variable: .it), at: .entity(type, source))
        return relatives(of: walk, areIn: single, below: 0, in: model)
    }

    /// Whether a relative of the entity that a walk has reached is in a state.
    ///
    /// - Parameter depth: Lambda variables around the place.
    static func relatives(
        of walk: MemberWalk,
        areIn state: EntityState,
        below depth: Int,
        in model: EdmModel
    ) -> BoundExpression {
        guard case .entity(let type, let source) = walk.place else {
            return .literal(.integer(0), .boolean)
        }
        var conditions = model.lineage(of: type).flatMap {
            relatives(of: walk, by: $0, state: state, depth: depth, in: model)
        }
        for derived in model.hierarchy(below: type) where derived != type {
            var narrowed = walk
            narrowed.path.steps.append(.cast(derived))
            narrowed.place = .entity(derived, source)
            conditions += relatives(
                of: narrowed,
                by: derived,
                state: state,
                depth: depth,
                in: model
            )
        }
        return conditions.isEmpty ? .literal(.integer(0), .boolean) : .or(conditions)
    }

    /// The conditions of the navigation properties that one type declares.
    private static func relatives(
        of walk: MemberWalk,
        by declaring: StructuredTypeID,
        state: EntityState,
        depth: Int,
        in model: EdmModel
    ) -> [BoundExpression] {
        let variable = LambdaVariable.lambda(depth + 1)
        return model[declaring].navigationProperties.indices.compactMap { index in
            var walk = walk
            guard walk.navigate(NavigationPropertyID(type: declaring, index: index), in: model)
            else { return nil }
            guard case .entities = walk.place else { return .state(state, walk.path) }
            return .lambda(
                BoundLambda(
                    .any,
                    over: walk.path,
                    variable: variable,
                    condition: .state(state, BoundPath(variable: variable))
                )
            )
        }
    }
}
