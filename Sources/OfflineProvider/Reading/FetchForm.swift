import ODataBinding
import StoreRecords
import ODataModel

/// What the URL of a read says about its answer.
struct FetchForm {
    /// Whether entities have their places in it (`$orderby`, `$top`, `$skip`), of which a list of changes says nothing.
    let hasPlaces: Bool
    /// Whether it is one entity with others inside: its ETag says nothing of those.
    let isEntityWithRelatives: Bool
    /// Whether it is a singleton, or the one entity that another is related to: there may be none (OData 4.01 Part 1 § 11.2.6).
    let leadsToOne: Bool

    private static func isNavigation(_ step: EntityPath.Step) -> Bool {
        if case .navigation = step { true } else { false }
    }

    init(_ url: String, in model: EdmModel) {
        guard let asked = AddressedEntities(url, in: model) else {
            (hasPlaces, isEntityWithRelatives, leadsToOne) = (true, true, false)
            return
        }
        let (path, options) = (asked.path, asked.options)
        hasPlaces = !options.orderBy.isEmpty || options.top != nil || options.skip != nil
        isEntityWithRelatives = path.isSingle(in: model) && !options.expand.isEmpty
        leadsToOne =
            path.isSingle(in: model)
            && (path.steps.isEmpty || path.steps.contains(where: Self.isNavigation))
    }
}
