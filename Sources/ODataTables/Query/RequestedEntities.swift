package import ODataBinding
package import ODataModel

/// The entities that a request asks for, as far as needed to decide whether they are in the store.
package final class RequestedEntities: Sendable {
    /// The way to them.
    package let path: EntityPath
    /// Whether there is one at most.
    package let isSingle: Bool
    /// Whether all properties of them are asked for, and nothing else.
    package let areWhole: Bool
    /// Paths of the properties that are asked for; nil for all.
    package let selected: [[String]]?
    /// Whether related entities are asked for with them.
    package let areExpanded: Bool

    /// - Returns: nil for a request that addresses no entities: rows of an aggregation are none (OData Data Aggregation 4.0 § 3).
    package init?(_ request: BoundRequest, in model: EdmModel) {
        guard case .entities(let path) = request.resource, case .entities = path.target,
            request.options.apply.isEmpty
        else { return nil }
        self.path = path
        isSingle = path.isSingle(in: model)
        areWhole = request.options.asksForAll
        selected = request.options.select.paths
        areExpanded = !request.options.expand.isEmpty
    }
}
