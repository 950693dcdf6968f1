import ODataText

/// The type of a property, parameter, return value or term, with its facets (OData CSDL XML 4.01 § 7).
enum TypeXML {
    /// The most digits of a second that a temporal value may have (§ 7.2.3).
    private static let largestTemporalPrecision = "12"

    /// Adds type, nullability, facets and default value.
    ///
    /// What is left out in JSON means another thing than in XML, as ``TypeJSON`` has it the other way round.
    static func add(_ object: CSDLJSONObject, to element: inout CSDLXMLElement) {
        let (type, isCollection) = addType(of: object, to: &element)
        let isNullable = object.flag("$Nullable")
        if isCollection || !isNullable { element["Nullable"] = isNullable ? "true" : "false" }
        addFacets(of: object, type: type, to: &element)
        // A default of null is that of XML, where nothing is said.
        element["DefaultValue"] = object.text("$DefaultValue")
    }

    /// Adds the type alone, and returns it.
    @discardableResult
    static func addType(of object: CSDLJSONObject, to element: inout CSDLXMLElement) -> (
        type: String, isCollection: Bool
    ) {
        let written = object.text("$Type") ?? "Edm.String"
        let (type, isCollection) = TypeJSON.split(written)
        guard isCollection || object.flag("$Collection") else {
            element["Type"] = type
            return (type, false)
        }
        element["Type"] = "Collection(\(type))"
        return (type, true)
    }

    /// Adds the facets, and those whose absence means more in JSON (§§ 7.2.2 to 7.2.6).
    static func addFacets(
        of object: CSDLJSONObject,
        type: String,
        to element: inout CSDLXMLElement
    ) {
        element["MaxLength"] = maxLength(object["$MaxLength"])
        let isTemporal = TypeJSON.isTemporal(type)
        element["Precision"] =
            object.text("$Precision") ?? (isTemporal ? largestTemporalPrecision : nil)
        element["Scale"] = object.text("$Scale") ?? (type == "Edm.Decimal" ? "variable" : nil)
        if object.truth("$Unicode") == false { element["Unicode"] = "false" }
        element["SRID"] = object.text("$SRID")
    }

    private static func maxLength(_ node: JSONNode?) -> String? {
        guard let node else { return nil }
        if case .null = node.value { return "max" }
        return node.plainText
    }
}
