import ODataModel
import ODataText
import ODataValues

/// Spells the types that complex values state as OData 4.0 does: `@odata.type` with `#` and the qualified name.
///
/// Later versions understand that, while 4.0 does not know `@type`, and a name with an alias is not found by comparing names (OData
/// JSON 4.01 § 4.6.3, OData CSDL XML 4.01 § 5.2).
struct TypeSpelling {
    let model: EdmModel

    /// Returns a value with its types so spelled; nil where they are already, or it states none.
    func canonical(_ json: borrowing Span<UInt8>) -> [UInt8]? {
        guard model.version.isV4, needsChange(json), let tree = JSONTree(json.copied()) else {
            return nil
        }
        var writer = JSONWriter()
        write(tree.root, in: tree, to: &writer)
        return writer.bytes
    }

    /// The name of a type with `#` and without alias; nil where a text is none.
    func canonical(name written: String) -> String? {
        guard let text = DynamicTypeMember.canonical(written) else { return nil }
        let name = CollectionTypeName(text.dropFirst())
        guard let resolved = model.resolvingAlias(String(name.item)) else { return text }
        return name.isCollection ? "#Collection(\(resolved))" : "#" + resolved
    }

    private func needsChange(_ json: borrowing Span<UInt8>) -> Bool {
        var index = 0
        while index < json.count {
            defer { index += 1 }
            guard json[index] == UInt8(ascii: "\""), ends(json, at: index, with: "type") else {
                continue
            }
            if ends(json, at: index, with: "@type") { return true }
            guard ends(json, at: index, with: "@odata.type") else { continue }
            guard let name = stringValue(json, after: index + 1), canonical(name: name) == name
            else { return true }
        }
        return false
    }

    private func ends(_ json: borrowing Span<UInt8>, at end: Int, with text: StaticString) -> Bool {
        let count = text.utf8CodeUnitCount
        return end >= count && json.extracting(end - count..<end).isEqual(to: text)
    }

    /// The string without escapes that stands behind a colon; nil where there is none.
    private func stringValue(_ json: borrowing Span<UInt8>, after start: Int) -> String? {
        var index = start
        while index < json.count, json[index] != UInt8(ascii: "\"") {
            guard json[index] <= UInt8(ascii: " ") || json[index] == UInt8(ascii: ":") else {
                return nil
            }
            index += 1
        }
        let first = index + 1
        index = first
        while index < json.count, json[index] != UInt8(ascii: "\"") {
            guard json[index] != UInt8(ascii: "\\") else { return nil }
            index += 1
        }
        return index < json.count
            ? String(decoding: json.extracting(first..<index).copied(), as: UTF8.self) : nil
    }

    private func write(_ node: JSONNode, in tree: JSONTree, to writer: inout JSONWriter) {
        writer.rewrite(node, in: tree) { _, members, writer in
            for member in members {
                let name = spelled(member.name, among: members)
                writer.name(name)
                if name.hasSuffix("@odata.type"),
                    let type = member.value.text.flatMap(canonical(name:))
                {
                    writer.string(type)
                } else {
                    write(member.value, in: tree, to: &writer)
                }
            }
        }
    }

    /// The name of a member in the spelling of 4.0, where no other member has it.
    private func spelled(_ name: String, among members: [JSONNode.Member]) -> String {
        guard name.hasSuffix("@type") else { return name }
        let long = name.dropLast("@type".count) + "@odata.type"
        return members.contains { $0.name == long } ? name : String(long)
    }
}
