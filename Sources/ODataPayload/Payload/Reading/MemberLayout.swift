import ODataModel
import ODataValues

/// What a model and a plan say of the members of an entity or complex type; the same for every reader.
struct MemberLayout: Sendable {
    let names: [String]
    let actions: [MemberAction]
    let complexes: [Complex]
    let navigations: [NavigationPropertyID]
    let enumTypes: [EnumType]
    /// Of values kept as JSON those in which numbers may come as strings.
    let wideNumbers: [WideNumbers]
    let keyCount: Int

    /// A complex value whose leaves have slots.
    struct Complex: Sendable {
        var members: MemberLayout
        var presence: Int?
    }

    init(
        _ members: [EntityPlan.Member],
        of type: StructuredTypeID? = nil,
        key: [String] = [],
        facets: [String: Facets] = [:],
        model: EdmModel
    ) {
        var complexes: [Complex] = []
        var navigations: [NavigationPropertyID] = []
        var enumTypes: [EnumType] = []
        var wideNumbers: [WideNumbers] = []
        func reference(of name: String) -> TypeReference? {
            type.flatMap { model.property(name, of: $0)?.type }
        }
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
                let inner = MemberLayout(
                    members,
                    of: reference(of: member.name)?.structured,
                    model: model
                )
                complexes.append(Complex(members: inner, presence: presence))
                return MemberAction(.complex, reference: complexes.count - 1)
            case .json(let slot):
                guard
                    let numbers = reference(of: member.name).flatMap({ WideNumbers($0, in: model) })
                else { return MemberAction(.json, slot: slot, reference: -1) }
                wideNumbers.append(numbers)
                return MemberAction(.json, slot: slot, reference: wideNumbers.count - 1)
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
        self.wideNumbers = wideNumbers
        keyCount = actions.count(where: \.isKey)
    }
}

extension TypeReference {
    /// The complex type of single values; nil for others.
    fileprivate var structured: StructuredTypeID? {
        guard case .structured(let id) = type, !isCollection else { return nil }
        return id
    }
}
