package import ODataModel

/// The members of an enumeration as one text, which SQL functions take as an argument.
///
/// It begins with `f` where members are flags, else with `e`; a line `name=value` for each member follows.
package struct EnumerationSpec {
    private let isFlags: Bool
    private let members: [(name: String, value: Int64)]

    package init(_ type: EnumType) {
        isFlags = type.isFlags
        members = type.members.map { ($0.name, $0.value) }
    }

    /// Reads the text form.
    init(text: String) {
        let lines = text.split(separator: "\n")
        isFlags = lines.first == "f"
        members = lines.dropFirst().compactMap { line in
            guard let equals = line.lastIndex(of: "="),
                let value = Int64(line[line.index(after: equals)...])
            else { return nil }
            return (String(line[..<equals]), value)
        }
    }

    /// The text form.
    package var text: String {
        ([isFlags ? "f" : "e"] + members.map { "\($0.name)=\($0.value)" }).joined(separator: "\n")
    }

    /// The names of a value, as payloads have them; the number where there is no name.
    func names(of value: Int64) -> String {
        if let member = members.first(where: { $0.value == value }) { return member.name }
        guard isFlags else { return String(value) }
        var rest = value
        var names: [String] = []
        for member in members where member.value != 0 && rest & member.value == member.value {
            names.append(member.name)
            rest &= ~member.value
        }
        return rest == 0 && !names.isEmpty ? names.joined(separator: ",") : String(value)
    }

    /// The value of names or of a number; nil where the text says none.
    func value(of text: String) -> Int64? {
        var result: Int64 = 0
        let parts = text.split(separator: ",", omittingEmptySubsequences: false)
        guard isFlags || parts.count == 1 else { return nil }
        for part in parts {
            let name = part.utf8
            let known = members.first { $0.name.utf8.elementsEqual(name) }?.value
            guard let value = known ?? Int64(part) else { return nil }
            result |= value
        }
        return result
    }
}
