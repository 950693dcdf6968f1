package import ODataModel

extension BoundRequest {
    /// The request for the entities that a function reports, where it calls one; else the request itself.
    ///
    /// Microsoft Graph knows no `Prefer: odata.track-changes` (OData 4.01 Part 1 § 8.2.8.6). A function `delta`, called on a collection,
    /// brings its entities with a link to what changes in it later: for the store that is the collection.
    package func reported(in model: EdmModel) -> BoundRequest {
        guard case .operation(let call) = resource, let path = call.binding,
            call.arguments.isEmpty, call.name.hasSuffix(".delta"),
            !path.isSingle(in: model), let reported = path.entityType(in: model),
            let operation = call.operation.map({ model.operations[$0] }),
            operation.kind == .function, let result = operation.returnType, result.isCollection,
            case .structured(let type) = result.type, model.type(reported, isOrExtends: type)
        else { return self }
        return BoundRequest(resource: .entities(path), options: options)
    }
}
