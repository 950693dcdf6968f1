import ODataModel

/// The types that a document's type definitions stand for: a default value is written as JSON of these (OData CSDL JSON 4.01 § 7.2.7).
struct DefinedTypes {
    /// The attribute that an element with a default value gets.
    static let attribute = "$underlying"

    /// Underlying types by the names of the definitions, with namespace and with alias.
    private var types: [String: String] = [:]

    init(of root: XMLNode) {
        for schema in root.schemas {
            let names = ["Namespace", "Alias"].compactMap(schema.value)
            for definition in schema.elements("TypeDefinition") {
                guard let name = definition.value("Name") else { continue }
                for space in names {
                    types[space + "." + name] = definition.value("UnderlyingType")
                }
            }
        }
    }

    /// Returns an element in which what has a default value of a defined type says which type that is.
    func stated(in element: XMLNode) -> XMLNode {
        guard !types.isEmpty else { return element }
        var element = element
        element.children = element.children.map(stated)
        guard element.value("DefaultValue") != nil, let type = element.value("Type"),
            let underlying = types[TypeJSON.split(type).type]
        else { return element }
        element.attributes.append((Self.attribute, underlying))
        return element
    }
}
