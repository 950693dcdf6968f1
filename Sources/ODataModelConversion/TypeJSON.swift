import ODataModel
import ODataText

/// The type of a property, parameter, return value or term, with its facets (OData CSDL JSON 4.01 § 7).
enum TypeJSON {
    /// Adds type, collection, nullability, facets and default value of an element.
    ///
    /// What XML has where nothing is said is another thing than what JSON has: a value may be null, and a decimal has no digits behind
    /// the point.
    static func add(of element: XMLNode, to members: inout CSDLJSONValue.Members) {
        let (type, isCollection) = addType(of: element, to: &members)
        if element.flag("Nullable") ?? !isCollection {
            members["$Nullable"] = .literal("true")
        }
        addFacets(of: element, type: type, to: &members)
        if let value = element.value("DefaultValue") {
            members["$DefaultValue"] = literal(
                value,
                of: element.value(DefinedTypes.attribute) ?? type
            )
        }
    }

    /// Adds the type alone, and returns it.
    @discardableResult
    static func addType(of element: XMLNode, to members: inout CSDLJSONValue.Members) -> (
        type: String, isCollection: Bool
    ) {
        let (type, isCollection) = split(element.value("Type") ?? "Edm.String")
        if type != "Edm.String" { members["$Type"] = .text(type) }
        if isCollection { members["$Collection"] = .literal("true") }
        return (type, isCollection)
    }

    /// Returns the name of a type without `Collection()`.
    static func split(_ written: String) -> (type: String, isCollection: Bool) {
        let name = CollectionTypeName(written)
        return (String(name.item), name.isCollection)
    }

    /// §§ 7.2.2 to 7.2.6.
    static func addFacets(
        of element: XMLNode,
        type: String,
        to members: inout CSDLJSONValue.Members
    ) {
        // `max` has no place in JSON: it says as much as no length (§ 7.2.2).
        members["$MaxLength"] = element.value("MaxLength").flatMap {
            $0.lowercased() == "max" ? nil : number($0)
        }
        // Nothing said is no digit of a second in XML, and any number of them in JSON.
        members["$Precision"] =
            element.value("Precision").map(number) ?? (isTemporal(type) ? .literal("0") : nil)
        addScale(of: element, type: type, to: &members)
        if element.flag("Unicode") == false { members["$Unicode"] = .literal("false") }
        members["$SRID"] = element.value("SRID").map(number)
    }

    /// Whether values of a type have seconds with digits behind the point.
    static func isTemporal(_ type: String) -> Bool {
        ["Edm.DateTimeOffset", "Edm.Duration", "Edm.TimeOfDay"].contains(type)
    }

    private static func addScale(
        of element: XMLNode,
        type: String,
        to members: inout CSDLJSONValue.Members
    ) {
        let scale = element.value("Scale")
        switch scale?.lowercased() {
        case nil: if type == "Edm.Decimal" { members["$Scale"] = .literal("0") }
        // Nothing said is a variable scale in JSON, but not where it says of a conversion that there is no such facet.
        case "variable"?: if type.isEmpty { members["$Scale"] = .text("variable") }
        default: members["$Scale"] = scale.map(number)
        }
    }

    /// A number where the text is one.
    private static func number(_ text: String) -> CSDLJSONValue {
        Int(text).map { .literal(String($0)) } ?? .text(text)
    }

    /// A default value as JSON of its type (§ 7.2.7).
    static func literal(_ text: String, of type: String) -> CSDLJSONValue {
        switch type {
        case "Edm.Boolean": ["true", "false"].contains(text) ? .literal(text) : .text(text)
        case "Edm.Byte", "Edm.SByte", "Edm.Int16", "Edm.Int32", "Edm.Int64", "Edm.Single",
            "Edm.Double", "Edm.Decimal":
            numeric(text)
        default: .text(text)
        }
    }

    /// A number as JSON writes it; `INF` and the like are texts.
    static func numeric(_ text: String) -> CSDLJSONValue {
        guard text.wholeMatch(of: #/-?(0|[1-9][0-9]*)(\.[0-9]+)?([eE][+-]?[0-9]+)?/#) != nil else {
            return .text(text)
        }
        return .literal(text)
    }
}
