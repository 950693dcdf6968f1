/// Values are equal where they are written alike; members of an object in any order. Texts are compared by their bytes: OData knows
/// no canonical equivalence.
extension ODataValue: Hashable {
    /// Whether both values are the same.
    public static func == (left: Self, right: Self) -> Bool {
        switch (left, right) {
        case (.null, .null): true
        case (.boolean(let left), .boolean(let right)): left == right
        case (.integer(let left), .integer(let right)): left == right
        case (.double(let left), .double(let right)): left == right || left.isNaN && right.isNaN
        case (.number(let left), .number(let right)), (.string(let left), .string(let right)):
            left.utf8.elementsEqual(right.utf8)
        case (.collection(let left), .collection(let right)): left == right
        case (.object(let left), .object(let right)): areEqual(left, right)
        default: false
        }
    }

    /// Whether two lists have the same members, the last of a name where there are several.
    static func areEqual(
        _ left: [(name: String, value: ODataValue)],
        _ right: [(name: String, value: ODataValue)]
    ) -> Bool {
        guard left.count == right.count else { return false }
        if zip(left, right).allSatisfy({ same($0.name, $1.name) && $0.value == $1.value }) {
            return true
        }
        return left.allSatisfy { member in
            right.last { same($0.name, member.name) }?.value == member.value
        }
    }

    private static func same(_ left: String, _ right: String) -> Bool {
        left.utf8.elementsEqual(right.utf8)
    }

    /// Hashes what is compared.
    public func hash(into hasher: inout Hasher) {
        switch self {
        case .null: hasher.combine(0)
        case .boolean(let value): hasher.combine(value)
        case .integer(let value): hasher.combine(value)
        case .double(let value): hasher.combine(value.isNaN ? .infinity : value)
        case .number(let text), .string(let text): for byte in text.utf8 { hasher.combine(byte) }
        case .collection(let items): hasher.combine(items)
        case .object(let members): hasher.combine(members.count)
        }
    }
}
