public import ODataModel
public import ODataProtocol

/// Plans of the types of a model, made when they are asked for; each leaf has a slot of its own.
public final class FuzzPlans: EntityPlanSource {
    private let model: EdmModel
    private var plans: [StructuredTypeID: EntityPlan] = [:]
    private var slots = 0

    /// Creates a source without plans.
    public init(_ model: EdmModel) { self.model = model }

    /// Returns the plan of a type.
    public func plan(_ type: StructuredTypeID) -> EntityPlan {
        if let plan = plans[type] { return plan }
        let plan = EntityPlan(
            type: type,
            destination: type.index,
            members: members(of: type, depth: 0),
            isOpen: model[type].isOpen
        )
        plans[type] = plan
        return plan
    }

    /// Returns the plan of a navigation property's target.
    public func plan(for navigation: NavigationPropertyID, from plan: EntityPlan) -> EntityPlan? {
        model[navigation].target.map { self.plan($0) }
    }

    /// Returns the plan of a derived type.
    public func plan(forTypeNamed name: String, insteadOf plan: EntityPlan) -> EntityPlan? {
        guard let type = model.structuredType(named: name), model.type(type, isOrExtends: plan.type)
        else { return nil }
        return self.plan(type)
    }

    private func members(of type: StructuredTypeID, depth: Int) -> [EntityPlan.Member] {
        let values = model.properties(of: type).map {
            EntityPlan.Member(name: $0.name, kind: kind($0, depth: depth))
        }
        let navigation = model.lineage(of: type).flatMap { id in
            model[id].navigationProperties.enumerated().map { index, property in
                EntityPlan.Member(
                    name: property.name,
                    kind: .navigation(
                        NavigationPropertyID(type: id, index: index),
                        isCollection: property.isCollection
                    )
                )
            }
        }
        return values + navigation
    }

    private func kind(_ property: StructuralProperty, depth: Int) -> EntityPlan.Kind {
        slots += 1
        let slot = slots
        if case .primitive(.stream) = property.type.type { return .stream }
        if property.type.isCollection { return .json(slot: slot) }
        if case .structured(let type) = property.type.type, depth < 2 {
            return .complex(members(of: type, depth: depth + 1), presence: slot)
        }
        guard let form = ScalarForm(property.type, in: model) else { return .json(slot: slot) }
        return .scalar(form, slot: slot)
    }
}
