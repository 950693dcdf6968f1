import ODataValues
package import ODataModel
package import ODataPayload

/// Plans for every type of a model, each leaf with a slot of its own.
package final class ModelPlans: EntityPlanSource {
    /// The model.
    package let model: EdmModel
    /// Paths of the leaves by slot.
    package private(set) var slotNames: [String] = []
    private var plans: [StructuredTypeID: EntityPlan] = [:]

    /// Creates a source without plans.
    package init(_ model: EdmModel) { self.model = model }

    /// Returns the plan of a type.
    package func plan(_ type: StructuredTypeID) -> EntityPlan {
        if let plan = plans[type] { return plan }
        let plan = EntityPlan(
            type: type,
            destination: type.index,
            members: members(of: type, path: "", depth: 0),
            isOpen: model[type].isOpen
        )
        plans[type] = plan
        return plan
    }

    /// Returns the plan of an entity set.
    package func plan(set name: String) -> EntityPlan? {
        model.container.entitySets.first { $0.name == name }.map { plan($0.type) }
    }

    package func plan(for navigation: NavigationPropertyID, from plan: EntityPlan) -> EntityPlan? {
        model[navigation].target.map { self.plan($0) }
    }

    package func plan(forTypeNamed name: String, insteadOf plan: EntityPlan) -> EntityPlan? {
        guard let type = model.structuredType(named: name), model.type(type, isOrExtends: plan.type)
        else { return nil }
        return self.plan(type)
    }

    package func plan(forEntitySetNamed name: String, insteadOf plan: EntityPlan) -> EntityPlan? {
        self.plan(set: name)
    }

    private func slot(_ name: String) -> Int {
        slotNames.append(name)
        return slotNames.count - 1
    }

    private func members(
        of type: StructuredTypeID,
        path: String,
        depth: Int
    ) -> [EntityPlan.Member] {
        var members = model.properties(of: type).map { property in
            let name = path + property.name
            return EntityPlan.Member(name: property.name, kind: kind(property, name, depth: depth))
        }
        for id in model.lineage(of: type) {
            for (index, property) in model[id].navigationProperties.enumerated() {
                let place = NavigationPropertyID(type: id, index: index)
                members.append(
                    EntityPlan.Member(
                        name: property.name,
                        kind: .navigation(place, isCollection: property.isCollection)
                    )
                )
            }
        }
        return members
    }

    private func kind(
        _ property: StructuralProperty,
        _ name: String,
        depth: Int
    ) -> EntityPlan.Kind {
        if case .primitive(.stream) = property.type.type { return .stream }
        if property.type.isCollection { return .json(slot: slot(name)) }
        if case .structured(let type) = property.type.type, depth < 3 {
            let presence = slot(name)
            let members = members(of: type, path: name + "/", depth: depth + 1)
            return .complex(members, presence: presence)
        }
        guard let form = ScalarForm(property.type, in: model) else {
            return .json(slot: slot(name))
        }
        return .scalar(form, slot: slot(name))
    }
}
