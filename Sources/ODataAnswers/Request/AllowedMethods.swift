import ODataModel
import ODataBinding
import ODataTables

/// The HTTP methods that a resource knows: what `Allow` says (RFC 9110 § 10.2.1).
struct AllowedMethods {
    let model: EdmModel

    /// The methods of a resource, with commas between them.
    func list(of resource: BoundResource) -> String {
        switch resource {
        case .serviceDocument, .metadata, .all, .crossjoin: "GET, HEAD, OPTIONS"
        case .batch: "POST, OPTIONS"
        case .operation: "GET, POST, OPTIONS"
        case .entities(let path):
            (["GET", "HEAD", "OPTIONS"] + changes(of: path)).joined(separator: ", ")
        }
    }

    private func changes(of path: EntityPath) -> [String] {
        switch path.target {
        case .entities: path.isSingle(in: model) ? entityChanges(path) : collectionChanges(path)
        case .references: path.isSingle(in: model) ? ["PUT", "DELETE"] : ["POST", "PUT", "DELETE"]
        case .count, .propertyCount: []
        case .property: ["PUT", "PATCH", "DELETE"]
        case .mediaStream: ["PUT", "DELETE"]
        }
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
