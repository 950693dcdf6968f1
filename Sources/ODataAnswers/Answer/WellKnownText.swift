import ODataModel
import ODataText

/// Writes geo values as well-known text, their raw form (OData 4.01 Part 1 § 11.2.4.2, ABNF `fullPointLiteral` and its kin).
struct WellKnownText {
    /// The coordinate reference system that the metadata states (OData CSDL 4.01 § 7.2.6).
    private let srid: String

    /// Creates a writer of a property's values; nil where they are no geo values.
    init?(_ property: StructuralProperty?) {
        guard let type = property?.type, case .primitive(let primitive) = type.type else {
            return nil
        }
        let name = primitive.rawValue
        guard name.hasPrefix("Edm.Geo") else { return nil }
        srid = type.facets.srid ?? (name.hasPrefix("Edm.Geography") ? "4326" : "0")
    }

    /// Returns the text of a value in GeoJSON (RFC 7946); nil where it is none.
    func text(of tree: JSONTree) -> String? {
        guard let shape = shape(tree.root, in: tree) else { return nil }
        return "SRID=\(statedSRID(in: tree) ?? srid);\(shape)"
    }

    /// The system that the value itself states: `{"crs":{"type":"name","properties":{"name":"EPSG:4326"}}}` (OData JSON 4.01 § 7.1).
    private func statedSRID(in tree: JSONTree) -> String? {
        let name = tree.member("crs").flatMap { tree.member("properties", of: $0) }
            .flatMap { tree.string("name", of: $0) }
        guard let digits = name?.split(separator: ":").last,
            digits.utf8.allSatisfy({ ASCII.digit($0) != nil })
        else { return nil }
        return String(digits)
    }

    private func shape(_ node: JSONNode, in tree: JSONTree) -> String? {
        guard let type = tree.string("type", of: node) else { return nil }
        if type == "GeometryCollection" {
            let shapes = tree.member("geometries", of: node)?.items?.map { shape($0, in: tree) }
            return shapes.flatMap(Self.list).map { "COLLECTION" + $0 }
        }
        guard let depth = GeoRules.depths[type], let places = tree.member("coordinates", of: node)
        else { return nil }
        // The one position of a point stands in the parentheses that a list has.
        return (depth == 0 ? Self.list([Self.position(places)]) : Self.places(places, depth: depth))
            .map { type.uppercased() + $0 }
    }

    private static func places(_ node: JSONNode, depth: Int) -> String? {
        guard depth > 0 else { return position(node) }
        return node.items.flatMap { list($0.map { places($0, depth: depth - 1) }) }
    }

    /// Numbers with spaces between them, as the value has them.
    private static func position(_ node: JSONNode) -> String? {
        let numbers = node.items?.compactMap { item -> String? in
            if case .number(let number) = item.value { number } else { nil }
        }
        guard let numbers, numbers.count >= 2, numbers.count == node.items?.count else {
            return nil
        }
        return numbers.joined(separator: " ")
    }

    private static func list(_ items: [String?]) -> String? {
        let known = items.compactMap { $0 }
        guard !known.isEmpty, known.count == items.count else { return nil }
        return "(" + known.joined(separator: ",") + ")"
    }
}
