import ODataModel
import ODataValues

/// What a model says of the entities of a plan, worked out when the first payload is read with it.
///
/// Readers are made for each small payload, and some of this takes a walk over all types of the model.
final class PlanLayout: Sendable {
    let members: MemberLayout
    /// Whether the model has types that extend the plan's, so that the type of an entity must be known before its members.
    let canBeDerived: Bool

    init(_ plan: EntityPlan, model: EdmModel) {
        let isKnown = model.structuredTypes.indices.contains(plan.type.index)
        members = MemberLayout(
            plan.members,
            of: isKnown ? plan.type : nil,
            key: isKnown ? model.key(of: plan.type).map(\.path) : [],
            facets: isKnown ? Self.facets(of: plan.type, model) : [:],
            model: model
        )
        canBeDerived = isKnown && model.structuredTypes.contains { $0.baseType == plan.type }
    }

    /// The facets of the properties of a type.
    private static func facets(of type: StructuredTypeID, _ model: EdmModel) -> [String: Facets] {
        var facets: [String: Facets] = [:]
        for property in model.properties(of: type) where !property.type.isCollection {
            var own = property.type.facets
            if case .definition(let id) = property.type.type {
                own = own.fillingGaps(from: model[id].facets)
            }
            facets[property.name] = own
        }
        return facets
    }
}
