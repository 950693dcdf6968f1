import ODataModel
import ODataURL
import OfflineStore

/// One spelling for all keys of an entity: `Orders(ID=7)`, `Orders/7` and `Orders(7)` are one resource (OData 4.01 Part 2 § 4.3.1).
enum KeySpelling {
    /// Returns a URL relative to the service root with the key of its first segment as the service's links have it.
    static func canonical(_ url: String, in model: EdmModel?) -> String {
        guard let model, model.version.isV4, let end = end(of: url) else { return url }
        let entity = String(url[..<end])
        guard let request = try? BoundRequest(ofService: entity, in: model),
            case .entities(let path) = request.resource, case .entities = path.target,
            path.steps.count == 1, case .key(let key)? = path.steps.first,
            let link = EntityURL(model: model, version: model.version)
                .canonical(path.source, key: key)
        else { return url }
        return link + url[end...]
    }

    /// Where the entity ends whose key may have another spelling; nil where there is none.
    private static func end(of url: String) -> String.Index? {
        let path = url.prefix { $0 != "?" }
        guard let open = path.firstIndex(where: { $0 == "(" || $0 == "/" }) else { return nil }
        guard path[open] == "(" else {
            // A key as a segment: what follows is bound to tell it from a property.
            let rest = path[path.index(after: open)...]
            return rest.firstIndex(of: "/") ?? path.endIndex
        }
        let key = path[path.index(after: open)...]
        // Numbers and texts have one spelling once the URL has.
        if key.first?.isNumber == true,
            key.prefix(while: \.isNumber).endIndex == key.firstIndex(of: ")")
        {
            return nil
        }
        return key.firstIndex(of: ")").map { path.index(after: $0) }
    }
}
