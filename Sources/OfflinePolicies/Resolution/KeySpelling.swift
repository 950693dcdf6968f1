import ODataBinding
import StoreRecords
package import ODataModel
import ODataURL

/// One spelling for all keys of an entity: `Orders(ID=7)`, `Orders/7` and `Orders(7)` are one resource (OData 4.01 Part 2 § 4.3.1).
package enum KeySpelling {
    /// Returns a URL relative to the service root with the key of its first segment as the service's links have it.
    ///
    /// What need not be percent-encoded in the path is not.
    ///
    /// - Parameter model: Asked only where the key may have another spelling: a model is large.
    package static func canonical(_ url: String, in model: @autoclosure () -> EdmModel?) -> String {
        let url = URLSpelling.plainPath(url)
        guard let end = end(of: url.utf8), let model = model(), model.version.isV4 else {
            return url
        }
        let entity = String(url[..<end])
        guard let path = EntityPath(ofService: entity, in: model), case .entities = path.target,
            path.steps.count == 1, case .key(let key)? = path.steps.first,
            let link = EntityURL(model: model, version: model.version)
                .canonical(path.source, key: key)
        else { return url }
        return link + url[end...]
    }

    /// Where the entity ends whose key may have another spelling; nil where there is none.
    private static func end(of url: String.UTF8View) -> String.Index? {
        var place = url.startIndex
        while place < url.endIndex, !isMark(url[place]) { url.formIndex(after: &place) }
        guard place < url.endIndex, url[place] != UInt8(ascii: "?") else { return nil }
        let rest = url[url.index(after: place)...]
        guard url[place] == UInt8(ascii: "(") else {
            // A key as a segment: binding what follows distinguishes it from a property.
            return rest.firstIndex { $0 == UInt8(ascii: "/") || $0 == UInt8(ascii: "?") }
                ?? url.endIndex
        }
        // Numbers have one spelling.
        let close = rest.firstIndex { !(UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
        guard let close, url[close] != UInt8(ascii: ")") || close == rest.startIndex else {
            return nil
        }
        return rest.firstIndex(of: UInt8(ascii: ")")).map { url.index(after: $0) }
    }

    /// Whether a byte ends the name of a set.
    private static func isMark(_ byte: UInt8) -> Bool {
        byte == UInt8(ascii: "(") || byte == UInt8(ascii: "/") || byte == UInt8(ascii: "?")
    }
}
