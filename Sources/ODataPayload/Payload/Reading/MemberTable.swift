import ODataModel

/// The members of an entity or complex type as one reader uses them: the layout, with names that learn their order.
final class MemberTable {
    let names: NameTable
    /// What is done with each member, in the order of the plan.
    let actions: [MemberAction]
    let complexes: [Complex]
    let navigations: [NavigationPropertyID]
    let enumTypes: [EnumType]
    let wideNumbers: [WideNumbers]
    /// How many members are key properties.
    let keyCount: Int

    /// A complex value whose leaves have slots.
    struct Complex {
        var members: MemberTable
        var presence: Int?
    }

    init(_ layout: MemberLayout) {
        names = NameTable(layout.names)
        actions = layout.actions
        complexes = layout.complexes.map {
            Complex(members: MemberTable($0.members), presence: $0.presence)
        }
        navigations = layout.navigations
        enumTypes = layout.enumTypes
        wideNumbers = layout.wideNumbers
        keyCount = layout.keyCount
    }
}
