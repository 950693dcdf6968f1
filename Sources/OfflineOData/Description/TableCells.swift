import OfflineValues

/// The cells of a row by the paths of their columns.
struct TableCells {
    private(set) var names: [String] = []
    private(set) var values: [String: ODataValue] = [:]

    /// A value that is no entity has the one column `value`, a reference the one column of its id.
    init(of item: ODataValue) {
        guard case .object(let members) = item else {
            set("value", to: item)
            return
        }
        add(members, below: "")
        let id = members.first { ["@odata.id", "@id"].contains($0.name) }
        if names.isEmpty, let id { set(id.name, to: id.value) }
    }

    private mutating func add(_ members: [(name: String, value: ODataValue)], below path: String) {
        for (name, value) in members where !ODataValue.isControl(name) {
            switch value {
            case .object(let members) where ODataValue.isDeferred(members): break
            case .object(let members) where !members.isEmpty:
                if let results = ODataValue.results(of: members) {
                    set(path + name, to: results)
                } else {
                    add(members, below: path + name + "/")
                }
            default: set(path + name, to: value)
            }
        }
    }

    private mutating func set(_ name: String, to value: ODataValue) {
        if values.updateValue(value, forKey: name) == nil { names.append(name) }
    }
}

extension ODataValue {
    /// Whether a member of an object is control information, and no property.
    static func isControl(_ name: String) -> Bool {
        name.contains("@") || name == "__metadata"
    }

    /// The value as the properties alone describe it, at every depth; collections of versions 1 to 3 without their wrapping.
    var withoutControlInformation: ODataValue {
        switch self {
        case .collection(let items): .collection(items.map(\.withoutControlInformation))
        case .object(let members): Self.unwrapped(members)
        default: self
        }
    }

    private static func unwrapped(_ members: [(name: String, value: ODataValue)]) -> ODataValue {
        if let results = results(of: members) { return results.withoutControlInformation }
        let properties = members.filter { !isControl($0.name) && !isDeferred($0.value) }
        return .object(properties.map { ($0.name, $0.value.withoutControlInformation) })
    }

    static func isDeferred(_ value: ODataValue) -> Bool {
        if case .object(let members) = value { isDeferred(members) } else { false }
    }

    /// Whether an object is the link of a related entity that versions 1 to 3 write in its place.
    static func isDeferred(_ members: [(name: String, value: ODataValue)]) -> Bool {
        members.contains { $0.name == "__deferred" }
    }

    /// The collection that versions 1 to 3 wrap in an object; nil for any other object.
    static func results(
        of members: [(name: String, value: ODataValue)]
    ) -> ODataValue? {
        let properties = members.filter { !isControl($0.name) && !$0.name.hasPrefix("__") }
        guard properties.count == 1, properties[0].name == "results",
            case .collection = properties[0].value
        else { return nil }
        return properties[0].value
    }
}
