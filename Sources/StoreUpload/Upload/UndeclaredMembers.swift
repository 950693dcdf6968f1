import ODataText
import ODataPayload
import ODataValues
import ODataTables

/// The properties that an entity of an open type has beside those of the type, as JSON by their names; one that is null is none.
enum UndeclaredMembers {
    /// Returns those of a body, without what is said of their types.
    static func values(of body: EntityBody) -> [String: String] {
        var values: [String: String] = [:]
        for member in body.undeclared where DynamicTypeMember.property(of: member.name) == nil {
            values[member.name] = member.json == "null" ? nil : member.json
        }
        return values
    }

    /// Whether a body has all that another one states: what no type declares is shown by entities of open types only.
    static func shows(_ sent: EntityBody, in body: EntityBody) -> Bool {
        guard !sent.undeclared.isEmpty else { return true }
        guard body.plan.isOpen else { return false }
        let now = values(of: body)
        return sent.undeclared.allSatisfy { member in
            if DynamicTypeMember.property(of: member.name) != nil { return true }
            guard member.json != "null" else { return now[member.name] == nil }
            return isSame(member.json, now[member.name])
        }
    }

    /// Whether two values are the same, in whatever text.
    static func isSame(_ one: String, _ other: String?) -> Bool {
        other.map { JSONTree.isSame(one, $0) } ?? false
    }
}
