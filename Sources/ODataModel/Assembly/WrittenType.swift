import ODataText

/// A type as a document writes it: a name, or a collection of it.
struct WrittenType {
    /// A built-in type, or the place of a name that is to be looked up when all types are known.
    var type: NamedType
    var isCollection: Bool

    /// Splits `NS.Name` or `Collection(NS.Name)` into the name and whether it is a collection.
    static func split(_ text: String) -> (name: String, isCollection: Bool) {
        let name = CollectionTypeName(text)
        return (String(name.item), name.isCollection)
    }

    /// Returns the type of a name in the `Edm` namespace, or of versions 1 to 3 without it.
    static func builtIn(_ name: String) -> NamedType? {
        guard name.hasPrefix("Edm.") else {
            // Schemas made by database tools write `String` for `Edm.String`; no other type has an unqualified name.
            return name.utf8.contains(UInt8(ascii: "."))
                ? nil : PrimitiveType(rawValue: "Edm." + name).map { .primitive($0) }
        }
        if let primitive = PrimitiveType(rawValue: name) { return .primitive(primitive) }
        return abstractNames.contains(name) ? .untyped(name) : nil
    }

    /// Built-in abstract types (OData CSDL 4.01 § 3.4 and 4.5).
    private static let abstractNames: Set<String> = [
        "Edm.Untyped", "Edm.ComplexType", "Edm.EntityType", "Edm.AnnotationPath",
        "Edm.PropertyPath", "Edm.NavigationPropertyPath", "Edm.AnyPropertyPath",
        "Edm.ModelElementPath",
    ]
}

/// While a model is made, a name that is to be looked up stands in it as a structured type with a negative index: the
/// place of the name in `CSDLAssembly.names`: the cheapest identity of a name, compared tens of thousands of times.
extension NamedType {
    /// The type that stands for a name to be looked up.
    static func placeholder(_ index: Int) -> NamedType { .structured(StructuredTypeID(~index)) }

    /// The place of the name that is to be looked up; nil for a type that is known.
    var placeholderIndex: Int? {
        guard case .structured(let id) = self, id.index < 0 else { return nil }
        return ~id.index
    }
}

extension CSDLAssembly {
    /// Notes a type as written; `owner` and `user` name its user in diagnostics.
    mutating func write(_ text: String, line: Int, owner: String, user: String) -> WrittenType {
        let (name, isCollection) = WrittenType.split(text)
        if let type = WrittenType.builtIn(name) {
            return WrittenType(type: type, isCollection: isCollection)
        }
        let type = NamedType.placeholder(names.count)
        let symbol = symbols.index(of: name)
        names.append(WrittenName(symbol: symbol, text: name, line: line, owner: owner, user: user))
        return WrittenType(type: type, isCollection: isCollection)
    }

    /// Returns the name of a type as a document writes it.
    func writtenName(of type: NamedType) -> String {
        if let index = type.placeholderIndex { return names[index].text }
        switch type {
        case .primitive(let primitive): return primitive.rawValue
        case .untyped(let name), .unresolved(let name): return name
        default: return ""
        }
    }
}
