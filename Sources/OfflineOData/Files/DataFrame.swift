import ODataValues
import ODataModel

/// What stands around the entities of a file (OData JSON 4.01 §§ 6, 13; OData JSON Verbose § 6.1).
struct DataFrame {
    let head: [UInt8]
    let tail: [UInt8]
    private let isSingle: Bool

    init(context: String, from source: NavigationSource, model: EdmModel) {
        isSingle = if case .singleton = source { true } else { false }
        guard model.version.isV4 else {
            (head, tail) = (Array(#"{"d":{"results":["#.utf8), Array("]}}".utf8))
            return
        }
        var writer = JSONWriter()
        writer.beginObject()
        writer.name("@odata.context")
        writer.string(context)
        let start = writer.bytes
        head = start + Array((isSingle ? "," : #","value":["#).utf8)
        tail = Array((isSingle ? "" : "]}").utf8)
    }

    /// The entities between head and tail; the members of a singleton go on with the object that the head begins.
    func body(_ entities: [[UInt8]]) -> [UInt8] {
        guard isSingle else { return Array(entities.joined(separator: Array(",".utf8))) }
        return entities.first.map { Array($0.dropFirst()) } ?? Array("}".utf8)
    }
}
