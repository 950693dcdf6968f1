import ODataModel
import ODataURL

/// What the URL of a read says about its answer.
struct FetchForm {
    /// Whether entities have their places in it (`$orderby`, `$top`, `$skip`), of which a list of changes says nothing.
    let hasPlaces: Bool
    /// Whether it is one entity with others inside: its ETag says nothing of those.
    let isEntityWithRelatives: Bool

    init(_ url: String, in model: EdmModel) {
        let request = try? BoundRequest(parsing: url, in: model)
        guard let request, case .entities(let path) = request.resource else {
            (hasPlaces, isEntityWithRelatives) = (true, true)
            return
        }
        let options = request.options
        hasPlaces = !options.orderBy.isEmpty || options.top != nil || options.skip != nil
        isEntityWithRelatives = path.isSingle(in: model) && !options.expand.isEmpty
    }
}
