import ODataURL
import ODataValues

/// Which operands arithmetic operators take (OData 4.01 Part 2 § 5.1.1.2).
enum ArithmeticTypes {
    /// Returns whether an operator has a meaning for operands of two forms.
    static func allows(_ operation: ArithmeticOperator, left: ScalarForm, right: ScalarForm)
        -> Bool
    {
        if left.isNumeric, right.isNumeric { return true }
        switch operation {
        case .add: return isPoint(left) && right == .duration || isSpan(left, right)
        case .subtract:
            return isPoint(left) && (right == .duration || right == left) || isSpan(left, right)
        case .multiply:
            return left == .duration && right.isNumeric || left.isNumeric && right == .duration
        case .divide, .divideBy: return left == .duration && right.isNumeric
        case .modulo: return false
        }
    }

    private static func isPoint(_ form: ScalarForm) -> Bool {
        form == .dateTimeOffset || form == .date || form == .timeOfDay
    }

    private static func isSpan(_ left: ScalarForm, _ right: ScalarForm) -> Bool {
        left == .duration && right == .duration
    }
}

extension ScalarForm {
    /// Whether values are numbers.
    package var isNumeric: Bool {
        switch self {
        case .integer, .single, .double, .scaledDecimal, .decimalText: true
        default: false
        }
    }
}
