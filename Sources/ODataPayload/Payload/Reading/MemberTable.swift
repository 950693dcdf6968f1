import ODataValues
import ODataModel

/// The members of an entity or complex type, laid out for the reader.
final class MemberTable {
    let names: NameTable
    /// What is done with each member, in the order of the plan.
    let actions: [MemberAction]
    let complexes: [Complex]
    let navigations: [NavigationPropertyID]
    let enumTypes: [EnumType]
    /// How many members are key properties.
    let keyCount: Int

    /// A complex value whose leaves have slots.
    struct Complex {
        var members: MemberTable
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
                    Complex(members: MemberTable(members, model: model), presence: presence)
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
        names = NameTable(members.map(\.name))
        self.complexes = complexes
        self.navigations = navigations
        self.enumTypes = enumTypes
        keyCount = actions.count(where: \.isKey)
    }
}

/// What is done with a member; plain bytes, so that it is copied without counting references.
struct MemberAction {
    enum Kind: UInt8 {
        case scalar
        case complex
        case json
        /// A navigation property to one entity.
        case single
        /// A navigation property to many entities.
        case collection
        case stream
    }

    var kind: Kind
    /// Whether it is a key property of the entity itself.
    var isKey = false
    var form: ScalarForm
    var slot: Int
    /// Index into the list of the table that goes with the kind; of other values, the member's own.
    var reference: Int
    /// Most characters of a string, and bytes of a binary value, that the model declares.
    var maximumLength = Int.max
    /// Most digits of a decimal that the model declares, and most of them behind the point.
    var maximumPrecision = Int.max
    var maximumScale = Int.max

    init(_ kind: Kind, form: ScalarForm = .json, slot: Int = 0, reference: Int = 0) {
        self.kind = kind
        self.form = form
        self.slot = slot
        self.reference = reference
    }

    /// Takes the limits that the model declares.
    mutating func limit(by facets: Facets) {
        if case .length(let length)? = facets.maxLength { maximumLength = length }
        guard form.isDecimal else { return }
        maximumPrecision = facets.precision ?? .max
        // Without a scale, a decimal is whole (OData CSDL 4.01 § 7.2.4); versions 1 to 3 say nothing of it.
        if case .digits(let digits)? = facets.scale { maximumScale = digits }
    }
}
