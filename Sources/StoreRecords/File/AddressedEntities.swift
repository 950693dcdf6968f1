package import ODataBinding
package import ODataModel

/// The entities that a URL of the service addresses, and what is asked of them.
package struct AddressedEntities {
    package let path: EntityPath
    package let options: BoundOptions

    /// Reads a URL as ``BoundRequest/init(ofService:in:)`` does; nil where it addresses something else, and where it is in
    /// words that the model does not know: a defining query is the service's to understand.
    package init?(_ url: String, in model: EdmModel) {
        guard let request = try? BoundRequest(ofService: url, in: model),
            case .entities(let path) = request.resource
        else { return nil }
        self.path = path
        options = request.options
    }
}

extension EntityPath {
    /// Reads the path of ``AddressedEntities``; nil where there is none.
    package init?(ofService url: String, in model: EdmModel) {
        guard let asked = AddressedEntities(url, in: model) else { return nil }
        self = asked.path
    }
}
