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

    /// Collections and complex values stand as JSON.
    private func isSameJSON(_ first: Scalar, _ second: Scalar) -> Bool {
        guard column.kind == .json || column.form == .json, case .text(let one) = first,
            case .text(let other) = second
        else { return false }
        return JSONTree.isSame(one, other)
    }
}
