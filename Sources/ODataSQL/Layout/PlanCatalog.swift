import ODataValues
package import ODataModel
package import ODataPayload
import Synchronization

/// Makes and keeps the payload plans of a layout: slots are places of columns, destinations are places of sources.
package final class PlanCatalog: EntityPlanSource, Sendable {
    /// The layout.
    package let layout: Layout
    private let plans = Mutex<[Key: EntityPlan]>([:])

    private struct Key: Hashable {
        var destination: Int
        var type: StructuredTypeID
    }

    /// Creates a catalog without plans.
    package init(_ layout: Layout) {
        self.layout = layout
    }

    /// The source that a plan's entities go to.
    package func source(of plan: EntityPlan) -> NavigationSource {
        layout.sources[plan.destination]
    }

    /// Returns the plan for entities of a source, of its declared type unless another is named.
    package func plan(for source: NavigationSource, type: StructuredTypeID? = nil) -> EntityPlan? {
        guard let destination = layout.place(of: source), let table = layout[source] else {
            return nil
        }
        let key = Key(destination: destination, type: type ?? table.entityType)
        return plans.guarded { plans in
            if let plan = plans[key] { return plan }
            let plan = make(key, in: table)
            plans[key] = plan
            return plan
        }
    }

    package func plan(for navigation: NavigationPropertyID, from plan: EntityPlan) -> EntityPlan? {
        layout.model.target(of: navigation, from: source(of: plan)).flatMap { self.plan(for: $0) }
    }

    package func plan(forEntitySetNamed name: String, insteadOf plan: EntityPlan) -> EntityPlan? {
        layout.model.navigationSource(named: name).flatMap { self.plan(for: $0) }
    }

    package func plan(forTypeNamed name: String, insteadOf plan: EntityPlan) -> EntityPlan? {
        guard let type = layout.model.structuredType(named: name),
            layout.model.type(type, isOrExtends: plan.type)
        else { return nil }
        return self.plan(for: source(of: plan), type: type)
    }
}

// MARK: - Making plans

extension PlanCatalog {
    private func make(_ key: Key, in table: TableLayout) -> EntityPlan {
        let model = layout.model
        var slots: [[String]: Int] = [:]
        for place in table.columns(of: key.type, in: model) {
            slots[table.columns[place].path] = place
        }
        var members = model.properties(of: key.type).compactMap {
            member($0, path: [$0.name], slots: slots, table: table)
        }
        for type in model.lineage(of: key.type) {
            for (index, property) in model[type].navigationProperties.enumerated() {
                let id = NavigationPropertyID(type: type, index: index)
                members.append(
                    .init(
                        name: property.name,
                        kind: .navigation(id, isCollection: property.isCollection)
                    )
                )
            }
        }
        // Members without a column go where those of open types go.
        return EntityPlan(
            type: key.type,
            destination: key.destination,
            members: members,
            isOpen: model[key.type].isOpen || table.hasOverflow
        )
    }

    /// The member of a property; nil where it has no column and so goes with the dynamic ones.
    private func member(
        _ property: StructuralProperty,
        path: [String],
        slots: [[String]: Int],
        table: TableLayout
    ) -> EntityPlan.Member? {
        if case .primitive(.stream) = property.type.type {
            return .init(name: property.name, kind: .stream)
        }
        guard let slot = slots[path] else { return nil }
        switch table.columns[slot].kind {
        case .scalar(let form): return .init(name: property.name, kind: .scalar(form, slot: slot))
        case .json: return .init(name: property.name, kind: .json(slot: slot))
        case .presence:
            guard case .structured(let complex) = property.type.type else { return nil }
            let members = layout.model.properties(of: complex).compactMap {
                member($0, path: path + [$0.name], slots: slots, table: table)
            }
            return .init(name: property.name, kind: .complex(members, presence: slot))
        }
    }
}
