import ODataBinding
import ODataValues

/// Types of dynamic values: a value states its own, or its JSON says it (OData JSON 4.01 § 4.6.3).
extension QueryCompiler {
    /// Whether a dynamic value is of one of the types, as they are kept.
    func dynamicCondition(_ types: [String], at path: BoundPath) throws -> String {
        let (object, names) = try container(of: path)
        let kind = "json_type(\(object), \(parameter(.text(jsonPath(names)))))"
        let beside = names.dropLast() + [(names.last ?? "") + "@odata.type"]
        let stated = [Array(beside), names + ["@odata.type"]].map {
            "json_extract(\(object), \(parameter(.text(jsonPath($0)))))"
        }
        let plain =
            "CASE \(kind) WHEN 'text' THEN '#String' WHEN 'true' THEN '#Boolean'"
            + " WHEN 'false' THEN '#Boolean' WHEN 'integer' THEN '#Double' WHEN 'real' THEN '#Double' END"
        let known = types.map { parameter(.text($0)) }.joined(separator: ", ")
        let type = "coalesce(\(stated.joined(separator: ", ")), \(plain))"
        return "ifnull(\(kind) <> 'null' AND \(type) IN (\(known)), 0)"
    }

    /// The JSON object that a dynamic value lies in, and the names from there.
    private func container(of path: BoundPath) throws -> (object: String, names: [String]) {
        if case .item(let alias)? = variables[path.variable] {
            return ("\(alias).value", path.property)
        }
        let row = try scope(of: path)
        for length in stride(from: path.property.count - 1, to: 0, by: -1) {
            let head = Array(path.property.prefix(length))
            guard let place = row.table.column(at: head, of: row.type, in: model) else { continue }
            let object = "nullif(\(row.reference(place)), x'')"
            return (object, Array(path.property.dropFirst(length)))
        }
        return (row.reference(.dynamic), path.property)
    }
}
