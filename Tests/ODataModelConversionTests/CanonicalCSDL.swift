import ODataText

/// A CSDL JSON document as sorted lines, one for each value: what is said by default is left out.
enum CanonicalCSDL {
    static func lines(_ json: [UInt8]) throws -> [String] {
        let start = json.starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : 0
        let root = try JSONTreeReader.read(json, from: start, line: 1, maximumDepth: 128)
        var lines: [String] = []
        add(root, at: "", to: &lines)
        return lines.sorted()
    }

    private static func add(_ node: JSONNode, at path: String, to lines: inout [String]) {
        switch node.value {
        case .object(let members):
            lines.append(path + " {}")
            for member in members where !isDefault(member, of: node) {
                add(member, at: path, to: &lines)
            }
        case .array(let items):
            lines.append(path + " []")
            for (index, item) in items.enumerated() {
                add(item, at: path + "|\(index)", to: &lines)
            }
        default: lines.append(path + " " + (node.text ?? node.word ?? ""))
        }
    }

    /// The type of a record counts without the document that declares it.
    private static func add(_ member: JSONNode.Member, at path: String, to lines: inout [String]) {
        guard member.name == "@type" || member.name == "@odata.type" else {
            return add(member.value, at: path + "|" + member.name, to: &lines)
        }
        let type = member.value.text?.split(separator: "#").last
        lines.append(path + "|@type " + (type ?? ""))
    }

    /// What the other form, or the absence of the member, says as well.
    private static func isDefault(_ member: JSONNode.Member, of object: JSONNode) -> Bool {
        let type = object["$Type"]?.text ?? object["$UnderlyingType"]?.text
        let isTemporal = ["Edm.DateTimeOffset", "Edm.Duration", "Edm.TimeOfDay"].contains(type)
        return switch (member.name, member.value.text ?? member.value.word ?? "") {
        case ("$Precision", "12"): isTemporal
        // XML has no place for it: the one container is that of the service.
        case ("$EntityContainer", _): true
        case ("$Scale", "variable"), ("$DefaultValue", "null"), ("$Type", "Edm.String"),
            ("$UnderlyingType", "Edm.Int32"), ("$Unicode", "true"), ("$Nullable", "false"),
            ("$Collection", "false"), ("$Abstract", "false"), ("$IsBound", "false"),
            ("$ContainsTarget", "false"), ("$IsComposable", "false"), ("$OpenType", "false"),
            ("$HasStream", "false"):
            true
        default: false
        }
    }
}
