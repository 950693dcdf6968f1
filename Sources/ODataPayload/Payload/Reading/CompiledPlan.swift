import ODataText
import ODataValues
package import ODataModel

/// A plan as the reader uses it, with what it has looked up already.
final class CompiledPlan {
    let plan: EntityPlan
    let members: MemberTable
    /// Whether the model has types that extend the plan's, so that the type of an entity must be known before its members.
    let canBeDerived: Bool

    /// Plans of the navigation properties, once asked for; nil inside means that their entities are skipped.
    fileprivate var navigationPlans: [CompiledPlan??]
    /// Type names that have been seen, with their plans.
    fileprivate var types: [(name: [UInt8], plan: CompiledPlan?)] = []
    fileprivate var sets: [(name: [UInt8], plan: CompiledPlan?)] = []

    fileprivate init(_ plan: EntityPlan, model: EdmModel) {
        self.plan = plan
        let layout = plan.layout(in: model)
        members = MemberTable(layout.members)
        canBeDerived = layout.canBeDerived
        navigationPlans = Array(repeating: nil, count: members.navigations.count)
    }

    /// Lets go of the plans that were found from this one.
    fileprivate func forget() {
        navigationPlans = []
        types = []
        sets = []
    }
}

/// Finds plans and keeps them compiled; readers may share it one after the other.
package final class CompiledPlans {
    private let model: EdmModel
    private let source: any EntityPlanSource
    private var compiled: [ObjectIdentifier: CompiledPlan] = [:]
    /// Names kept per plan; a hostile payload could bring more.
    private static let maximumNames = 256

    package init(model: EdmModel, source: any EntityPlanSource) {
        self.model = model
        self.source = source
    }

    /// Plans lead to each other in circles, which would keep them in memory for ever.
    deinit {
        for plan in compiled.values { plan.forget() }
    }

    /// Names of the key properties of a plan's entities.
    func key(of plan: CompiledPlan) -> [String] {
        model.structuredTypes.indices.contains(plan.plan.type.index)
            ? model.key(of: plan.plan.type).map(\.path) : []
    }

    /// Name of the type of a plan's entities.
    func name(of plan: CompiledPlan) -> String {
        let index = plan.plan.type.index
        return model.structuredTypes.indices.contains(index)
            ? model.structuredTypes[index].name : "the entity"
    }

    /// Whether the model has a type of this name, other than those that extend the plan's.
    func hasOtherType(named name: String) -> Bool { model.structuredType(named: name) != nil }

    /// The version of the model, which says which form payloads have.
    var version: ODataVersion { model.version }

    /// How the types that values state are spelled.
    var types: TypeSpelling { TypeSpelling(model: model) }

    /// Returns a plan compiled.
    func compile(_ plan: EntityPlan) -> CompiledPlan {
        if let found = compiled[ObjectIdentifier(plan)] { return found }
        let made = CompiledPlan(plan, model: model)
        compiled[ObjectIdentifier(plan)] = made
        return made
    }

    /// Returns the plan for entities of a navigation property; nil to skip them.
    ///
    /// Navigation properties of complex values are not read inline: their path is not the entity's.
    func target(
        of navigation: Int,
        in table: MemberTable,
        from plan: CompiledPlan
    ) -> CompiledPlan? {
        guard table === plan.members else { return nil }
        if let known = plan.navigationPlans[navigation] { return known }
        let found = source.plan(for: plan.members.navigations[navigation], from: plan.plan)
            .map(compile)
        plan.navigationPlans[navigation] = .some(found)
        return found
    }

    /// Returns the plan for a named type; nil where it is unknown.
    func plan(ofType name: Span<UInt8>, insteadOf plan: CompiledPlan) -> CompiledPlan? {
        for known in plan.types where name.isEqual(to: known.name.span) { return known.plan }
        let bytes = name.copied()
        let found = source.plan(
            forTypeNamed: String(decoding: bytes, as: UTF8.self),
            insteadOf: plan.plan
        ).map(compile)
        if plan.types.count < Self.maximumNames { plan.types.append((bytes, found)) }
        return found
    }

    /// Returns the plan for entities of another set; nil to skip them.
    func plan(ofSet name: Span<UInt8>, insteadOf plan: CompiledPlan) -> CompiledPlan? {
        for known in plan.sets where name.isEqual(to: known.name.span) { return known.plan }
        let bytes = name.copied()
        let found = source.plan(
            forEntitySetNamed: String(decoding: bytes, as: UTF8.self),
            insteadOf: plan.plan
        ).map(compile)
        if plan.sets.count < Self.maximumNames { plan.sets.append((bytes, found)) }
        return found
    }
}
