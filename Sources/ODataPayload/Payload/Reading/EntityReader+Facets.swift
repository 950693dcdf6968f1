import ODataText
import ODataValues

/// Values beyond what the model declares of them: they are kept as they come, and reported. Keys that would fall together with others
/// are refused.
extension EntityReader {
    /// Notes a string that is longer than declared.
    mutating func checkLength(_ text: Span<UInt8>, action: MemberAction, in table: MemberTable) {
        // There are at least as many bytes as characters.
        guard text.count > action.maximumLength else { return }
        var count = 0
        for index in text.indices where text[index] & 0xC0 != 0x80 { count += 1 }
        if count > action.maximumLength { noteBeyondFacets(action, in: table) }
    }

    mutating func noteBeyondFacets(_ action: MemberAction, in table: MemberTable) {
        diagnose(.valueBeyondFacets, named: table.names.name(action.reference))
    }

    /// Notes a decimal with more digits than declared.
    mutating func checkDigits(_ text: Span<UInt8>, action: MemberAction, in table: MemberTable) {
        guard text.count > min(action.maximumPrecision, action.maximumScale),
            let number = DecimalDigits(text), let digits = number.significant(of: text)
        else { return }
        let point = number.whole.count + number.exponent
        let fraction = max(0, digits.upperBound - point)
        let whole = max(0, point - digits.lowerBound)
        if fraction > action.maximumScale || whole + fraction > action.maximumPrecision {
            noteBeyondFacets(action, in: table)
        }
    }

    /// Whether a key says more than its slot holds: another key may differ in the rest only.
    static func isCutKey(_ text: Span<UInt8>, action: MemberAction) -> Bool {
        action.isKey && action.form.cuts(text)
    }
}

extension ScalarForm {
    /// Whether a text has digits beyond those that values of this form keep.
    package func cuts(_ text: Span<UInt8>) -> Bool {
        switch self {
        case .scaledDecimal(let scale):
            guard let number = DecimalDigits(text), let digits = number.significant(of: text) else {
                return false
            }
            return digits.upperBound > number.whole.count + number.exponent + scale
        case .timeOfDay, .duration, .dateTimeOffset: return Self.hasFinerFraction(text)
        default: return false
        }
    }

    /// Whether a time has digits of a second beyond the ticks of 100 ns.
    private static func hasFinerFraction(_ text: Span<UInt8>) -> Bool {
        var index = 0
        while index < text.count, text[index] != UInt8(ascii: ".") { index += 1 }
        let start = index + 1
        index = start
        while index < text.count, ASCII.digit(text[index]) != nil {
            let isKept = index < start + ClockTime.tickDigits
            if !isKept, text[index] != UInt8(ascii: "0") { return true }
            index += 1
        }
        return false
    }
}
