/// A type as a document writes it: a name, or a collection of it.
struct WrittenType {
    /// A primitive or untyped one, or the name that is to be looked up.
    var type: NamedType
    var isCollection: Bool
    /// The name without `Collection()`.
    var name: String

    /// Reads `NS.Name` or `Collection(NS.Name)`.
    init(_ text: String) {
        let opening = "Collection("
        isCollection = text.hasPrefix(opening) && text.hasSuffix(")")
        name = isCollection ? String(text.dropFirst(opening.utf8.count).dropLast()) : text
        type = WrittenType.builtIn(name) ?? .unresolved(name)
    }

    /// Returns the type of a name in the `Edm` namespace, or of versions 1 to 3 without it.
    static func builtIn(_ name: String) -> NamedType? {
        if let primitive = PrimitiveType(rawValue: name) { return .primitive(primitive) }
        guard name.hasPrefix("Edm.") else {
            // Schemas made by database tools write `String` for `Edm.String`; no other type has an unqualified name.
            return name.utf8.contains(UInt8(ascii: "."))
                ? nil : PrimitiveType(rawValue: "Edm." + name).map { .primitive($0) }
        }
        return abstractNames.contains(name) ? .untyped(name) : nil
    }

    /// Built-in abstract types (OData CSDL 4.01 § 3.4 and 4.5).
    private static let abstractNames: Set<String> = [
        "Edm.Untyped", "Edm.ComplexType", "Edm.EntityType", "Edm.AnnotationPath",
        "Edm.PropertyPath", "Edm.NavigationPropertyPath", "Edm.AnyPropertyPath",
        "Edm.ModelElementPath",
    ]
}
