import ODataModel
import ODataBinding
import ODataHTTP
import ODataTables

/// The HTTP methods that a resource knows: what `Allow` says (RFC 9110 § 10.2.1).
struct AllowedMethods {
    let model: EdmModel

    /// The methods of a resource, with commas between them.
    func list(of resource: BoundResource) -> String {
        switch resource {
        case .serviceDocument, .metadata, .all, .crossjoin: "GET, HEAD, OPTIONS"
        case .batch: "POST, OPTIONS"
        case .operation(let operation):
            operation.isFunction(in: model) ? "GET, HEAD, OPTIONS" : "POST, OPTIONS"
        case .entities(let path):
            (["GET", "HEAD", "OPTIONS"] + changes(of: path)).joined(separator: ", ")
        }
    }

    /// The methods of a resource that cannot be read.
    func listWithoutReading(of path: EntityPath) -> String {
        (["OPTIONS"] + changes(of: path)).joined(separator: ", ")
    }

    /// The refusal of a method that a resource does not know (RFC 9110 § 15.5.6).
    func refusal(_ message: String, of resource: BoundResource) -> ServiceError {
        ServiceError(405, message, headers: ["Allow": list(of: resource)])
    }

    /// Whether a method changes the entity that a path addresses.
    func areEntitiesChanged(by method: String, at path: EntityPath) -> Bool {
        entityChanges(path).contains(method == "MERGE" ? "PATCH" : method)
    }

    private func changes(of path: EntityPath) -> [String] {
        switch path.target {
        case .entities: path.isSingle(in: model) ? entityChanges(path) : collectionChanges(path)
        case .references: referenceChanges(path)
        case .count, .propertyCount: []
        case .property(let names, _):
            if model.streamProperty(names, of: path) != nil {
                ["PUT", "DELETE"]
            } else {
                propertyChanges(names, path)
            }
        case .mediaStream: ["PUT", "DELETE"]
        }
    }

    /// A collection is replaced, emptied or added to (OData 4.01 Part 1 § 11.4.9.4).
    private func propertyChanges(_ names: [String], _ path: EntityPath) -> [String] {
        guard model.isChangeable(names, at: path) else { return [] }
        let type = model.property(names, of: path.entityType(in: model))?.type
        if type?.isCollection == true, names.last?.contains(".") == true { return [] }
        return type?.isCollection == true ? ["POST", "PUT", "DELETE"] : ["PUT", "PATCH", "DELETE"]
    }

    /// Links are changed at navigation properties; those to one of many entities are only ended.
    private func referenceChanges(_ path: EntityPath) -> [String] {
        guard model.areLinksChangeable(at: path) else { return [] }
        if path.trailingKey != nil { return ["DELETE"] }
        guard let end = path.trailingNavigation else { return [] }
        return model[end.navigation].isCollection ? ["POST", "PUT", "DELETE"] : ["PUT", "DELETE"]
    }

    private func entityChanges(_ path: EntityPath) -> [String] {
        guard let source = path.finalSource else { return [] }
        var changes = model.isUpdatable(source) ? ["PATCH", "PUT"] : []
        switch source {
        case .entitySet(let index):
            if model.container.entitySets[index].isDeletable { changes.append("DELETE") }
        case .singleton(let index):
            if model.container.singletons[index].isNullable { changes.append("DELETE") }
        case .contained: changes.append("DELETE")
        }
        return changes
    }

    private func collectionChanges(_ path: EntityPath) -> [String] {
        guard case .entitySet(let index)? = path.finalSource else { return ["POST"] }
        return model.container.entitySets[index].isInsertable ? ["POST"] : []
    }
}
