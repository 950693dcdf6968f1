import ODataModel

/// Writes the types of records as URIs of where they are declared (OData CSDL JSON 4.01 § 14.4.12).
struct RecordTypes {
    /// The control information that a record may have, by version.
    static let names = ["odata.type", "type"]

    private let name: String
    /// The documents that are referred to, by namespace and by alias.
    private let documents: [String: String]

    init(of root: XMLNode, version: String) {
        name = version == "4.0" ? "odata.type" : "type"
        var documents: [String: String] = [:]
        for reference in root.elements("Reference") {
            for include in reference.elements("Include") {
                for name in ["Namespace", "Alias"].compactMap(include.value) {
                    documents[name] = reference.value("Uri")
                }
            }
        }
        self.documents = documents
    }

    /// Returns an element in which each record says its type so.
    func stated(in element: XMLNode) -> XMLNode {
        var element = element
        element.children = element.children.map(stated)
        guard element.name == "Record", let type = element.value("Type") else { return element }
        let namespace = type.split(separator: ".").dropLast().joined(separator: ".")
        element.attributes = [(name, (documents[namespace] ?? "") + "#" + type)]
        return element
    }
}
