package import ODataBinding
package import ODataModel
import ODataAnswers

/// Where a stream stands: an entity and one of its streams, the media stream with the empty name.
package struct StreamAddress: Sendable {
    package let owner: EntityPath
    package let property: String

    /// Reads a URL; nil where it addresses something else than a stream.
    package init?(_ url: String, in model: EdmModel) throws {
        let text = url.hasPrefix("~/") ? String(url.dropFirst(2)) : url
        let request = try BoundRequest(ofApplication: text, in: model)
        guard case .entities(var path) = request.resource else { return nil }
        switch path.target {
        case .mediaStream: property = ""
        case .property(let names, _):
            guard let name = model.streamProperty(names, of: path) else { return nil }
            property = name
        default: return nil
        }
        path.target = .entities
        owner = path
    }
}
