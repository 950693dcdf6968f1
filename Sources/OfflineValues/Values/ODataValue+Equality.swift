import ODataText
import ODataValues
import ODataAnswers

/// Numbers are equal where they are the same number, in whatever case and with however many zeros: `0.5`, `.number("0.50")`; a Double is
/// the number that its shortest text says. Members of an object are compared in any order, texts by their bytes: OData knows no
/// canonical equivalence.
extension ODataValue: Hashable {
    /// Whether both values are the same.
    public static func == (left: Self, right: Self) -> Bool {
        switch (left, right) {
        case (.null, .null): true
        case (.boolean(let left), .boolean(let right)): left == right
        case (.integer(let left), .integer(let right)): left == right
        case (.double(let left), .double(let right)): left == right || left.isNaN && right.isNaN
        case (.string(let left), .string(let right)): left.utf8.elementsEqual(right.utf8)
        case (.number(let left), .number(let right)) where left.utf8.elementsEqual(right.utf8): true
        case (.collection(let left), .collection(let right)): left == right
        case (.object(let left), .object(let right)): areEqual(left, right)
        default: left.number.map { $0 == right.number } ?? false
        }
    }

    /// The number that the value is, also one of those that are read as strings; nil for any other.
    private var number: DecimalText? {
        switch self {
        case .integer(let value): DecimalText(value)
        case .double(let value): DecimalText(value)
        case .number(let text) where JSONTree.isNumber(text): DecimalText(Array(text.utf8).span)
        case .string("NaN"): .nan
        case .string("INF"): .infinity
        case .string("-INF"): .negativeInfinity
        default: nil
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
        if let number { return hasher.combine(number) }
        switch self {
        case .boolean(let value): hasher.combine(value)
        case .number(let text), .string(let text): for byte in text.utf8 { hasher.combine(byte) }
        case .collection(let items): hasher.combine(items)
        case .object(let members): hasher.combine(members.count)
        case .null, .integer, .double: hasher.combine(0)
        }
    }
}
