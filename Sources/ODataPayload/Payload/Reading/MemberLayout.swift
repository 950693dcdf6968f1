import ODataModel
import ODataValues

/// What a model and a plan say of the members of an entity or complex type; the same for every reader.
struct MemberLayout: Sendable {
    let names: [String]
    let actions: [MemberAction]
    let complexes: [Complex]
    let navigations: [NavigationPropertyID]
    let enumTypes: [EnumType]
    let keyCount: Int

    /// A complex value whose leaves have slots.
    struct Complex: Sendable {
        var members: MemberLayout
        var presence: Int?
    }

    init(
        _ members: [EntityPlan.Member],
        key: [String] = [],
        facets: [String: Facets] = [:],
        model: EdmModel
    ) {
        var complexes: [Complex] = []
        var navigations: [NavigationPropertyID] = []
        var enumTypes: [EnumType] = []
        actions = members.enumerated().map { index, member in
            switch member.kind {
            case .scalar(let form, let slot):
                var action = MemberAction(.scalar, form: form, slot: slot, reference: index)
                action.isKey = key.contains(member.name)
                if let facets = facets[member.name] { action.limit(by: facets) }
                if case .enumeration(let id) = form {
                    action.reference = enumTypes.count
                    enumTypes.append(model[id])
                }
                return action
            case .complex(let members, let presence):
                complexes.append(
                    Complex(members: MemberLayout(members, model: model), presence: presence)
                )
                return MemberAction(.complex, reference: complexes.count - 1)
            case .json(let slot): return MemberAction(.json, slot: slot)
            case .navigation(let id, let isCollection):
                navigations.append(id)
                return MemberAction(
                    isCollection ? .collection : .single,
                    reference: navigations.count - 1
                )
            case .stream: return MemberAction(.stream)
            }
        }
        names = members.map(\.name)
        self.complexes = complexes
        self.navigations = navigations
        self.enumTypes = enumTypes
        keyCount = actions.count(where: \.isKey)
    }
}
