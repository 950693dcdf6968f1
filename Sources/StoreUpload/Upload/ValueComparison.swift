import ODataText
import ODataSQL
import ODataValues
import ODataModel
import ODataAnswers
import ODataTables

/// Compares values of a column as what they are, not as how they are written: 12.50 is 12.5, and an instant is the same at any offset.
///
/// A column may hold less than the text of a value says; then the texts are compared.
struct ValueComparison {
    let column: Column
    let model: EdmModel

    func isSame(_ first: EntityBody.SlotValue, _ second: EntityBody.SlotValue) -> Bool {
        guard first.value == second.value else { return isSameJSON(first.value, second.value) }
        guard first.exact != second.exact else { return true }
        switch column.form {
        case .scaledDecimal?, .decimalText?:
            return DecimalText(Array(text(first).utf8).span)
                == DecimalText(Array(text(second).utf8).span)
        case .dateTimeOffset?, .timeOfDay?, .duration?:
            // What is before the point, the ticks say.
            return text(first).fractionDigits == text(second).fractionDigits
        default: return first.exact == nil || second.exact == nil
        }
    }

    private func text(_ item: EntityBody.SlotValue) -> String {
        if let exact = item.exact { return exact }
        var bytes: [UInt8] = []
        column.form?.write(item.value, in: model, into: &bytes)
        return String(decoding: bytes, as: UTF8.self)
    }

    /// Collections and complex values stand as JSON, in which spaces and the order of members say nothing.
    private func isSameJSON(_ first: Scalar, _ second: Scalar) -> Bool {
        guard column.kind == .json || column.form == .json, case .text(let one) = first,
            case .text(let other) = second, let left = JSONTree(Array(one.utf8)),
            let right = JSONTree(Array(other.utf8))
        else { return false }
        return JSONText(tree: left).isSame(JSONText(tree: right))
    }
}

/// A JSON text that is compared by its values.
struct JSONText {
    let tree: JSONTree

    func isSame(_ other: JSONText) -> Bool {
        isSame(tree.root, other: other, theirs: other.tree.root)
    }

    /// Whether a member says no more than its absence: clients and services may leave out nulls and empty collections.
    private static func isNothing(_ node: JSONNode) -> Bool {
        switch node.value {
        case .null: true
        case .array(let items): items.isEmpty
        default: false
        }
    }

    private func isSame(_ node: JSONNode, other: JSONText, theirs: JSONNode) -> Bool {
        switch (node.value, theirs.value) {
        case (.string(let one), .string(let two)): one.utf8.elementsEqual(two.utf8)
        case (.array(let one), .array(let two)):
            one.count == two.count
                && zip(one, two).allSatisfy { isSame($0, other: other, theirs: $1) }
        case (.object(let one), .object(let two)):
            Set((one + two).map(\.name)).allSatisfy { name in
                let (mine, their) = (
                    tree.member(name, of: node), other.tree.member(name, of: theirs)
                )
                if let mine, let their, isSame(mine, other: other, theirs: their) { return true }
                return [mine, their].allSatisfy { $0.map(Self.isNothing) ?? true }
            }
        default: node.word.map { $0 == theirs.word } ?? false
        }
    }
}
