import ODataModel
import ODataText

/// What the geo types demand of their values, which are GeoJSON (OData JSON 4.01 § 7.1, RFC 7946 § 3.1).
enum GeoRules {
    /// How many lists stand around the positions of a shape; a collection of shapes has none.
    static let depths = [
        "Point": 0, "LineString": 1, "Polygon": 2, "MultiPoint": 1, "MultiLineString": 2,
        "MultiPolygon": 3,
    ]
    private static let collection = "GeometryCollection"

    /// What is wrong with a value, in words that follow its path; nil where nothing is, and for types without a shape.
    static func fault(in node: JSONNode, _ type: PrimitiveType) -> String? {
        guard let wanted = shape(of: type) else { return nil }
        guard let stated = node["type"]?.text else {
            return "must be an object of GeoJSON with the members type and coordinates"
        }
        guard wanted.isEmpty || stated == wanted else {
            return "is a \(stated), where a \(wanted) is expected"
        }
        return isShape(node)
            ? nil : "is no \(wanted.isEmpty ? "shape" : wanted) of GeoJSON: look at its coordinates"
    }

    /// The shape that a type names: empty for any; nil for types that are no geo types.
    private static func shape(of type: PrimitiveType) -> String? {
        for family in ["Edm.Geography", "Edm.Geometry"] where type.rawValue.hasPrefix(family) {
            let shape = type.rawValue.dropFirst(family.utf8.count)
            return shape == "Collection" ? collection : String(shape)
        }
        return nil
    }

    private static func isShape(_ node: JSONNode) -> Bool {
        guard let type = node["type"]?.text else { return false }
        if type == collection { return node["geometries"]?.items?.allSatisfy(isShape) ?? false }
        guard let depth = depths[type], let places = node["coordinates"] else { return false }
        return arePlaces(places, depth: depth)
    }

    private static func arePlaces(_ node: JSONNode, depth: Int) -> Bool {
        guard let items = node.items else { return false }
        guard depth == 0 else { return items.allSatisfy { arePlaces($0, depth: depth - 1) } }
        return items.count >= 2
            && items.allSatisfy { if case .number = $0.value { true } else { false } }
    }
}
