import ODataValues
import ODataModel

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// Points in time as OData writes them, and as `Date` holds them: seconds since 2001 as a Double.
///
/// Seconds and their fraction are converted one by one: a Double has no room for both counted from any other year, nor in ticks.
enum DateText {
    /// Most digits of a second (OData ABNF `fractionalSeconds`).
    static let maximumDigits = 12
    /// Digits of a second that ticks of 100 ns hold.
    private static let tickDigits = 7
    private static let ticksPerSecond: Int64 = 10_000_000
    /// Ticks from the year 1 to 2001.
    private static let ticksToReference: Int64 = 730_485 * 86_400 * ticksPerSecond
    /// Seconds from 2001 to the years that four digits write, from -9999 to the end of 9999.
    private static let seconds = -378_683_424_000.0..<252_423_993_600.0
    private static let powersOfTen: [Double] = (0...maximumDigits).map {
        (0..<$0).reduce(1) { power, _ in power * 10 }
    }
    /// Says how scalars are written.
    private static let model = EdmModel(version: .v4)

    /// Returns the text with the fewest digits of a second that is read as the same date, in UTC.
    ///
    /// - Parameter limit: Most digits of a second; a date that needs more is rounded.
    /// - Returns: Nil for what is no time of the calendar, and beyond its years.
    static func text(_ date: Date, digits limit: Int = maximumDigits) -> String? {
        let total = date.timeIntervalSinceReferenceDate
        guard seconds.contains(total) else { return nil }
        let whole = total.rounded(.down)
        let fraction = total - whole
        let limit = min(max(limit, 0), maximumDigits)
        for digits in 0..<limit {
            let count = (fraction * powersOfTen[digits]).rounded()
            guard interval(whole, count: count, digits: digits) != total else {
                return text(whole, count: count, digits: digits)
            }
        }
        return text(whole, count: (fraction * powersOfTen[limit]).rounded(), digits: limit)
    }

    /// The text of whole seconds and so many parts of one.
    private static func text(_ seconds: Double, count: Double, digits: Int) -> String {
        let carry = count >= powersOfTen[digits]
        let ticks = Int64(carry ? seconds + 1 : seconds) * ticksPerSecond + ticksToReference
        var bytes: [UInt8] = []
        ScalarForm.dateTimeOffset.write(.integer(ticks), in: model, into: &bytes)
        let text = String(decoding: bytes, as: UTF8.self)
        guard !carry, count > 0 else { return text }
        let parts = String(Int64(count))
        let fraction = String(repeating: "0", count: digits - parts.count) + parts
        return text.dropLast() + "." + fraction.withoutZerosAtItsEnd + "Z"
    }

    /// Returns the day of a date in UTC; nil where the calendar has none.
    static func day(_ date: Date) -> String? {
        text(
            Date(timeIntervalSinceReferenceDate: date.timeIntervalSinceReferenceDate.rounded(.down))
        )
        .map { String($0.prefix { $0 != "T" }) }
    }

    /// Returns the day in UTC of a text that a date was written as; nil for any other text.
    static func day(ofWritten text: String) -> String? {
        guard text.utf8.last == UInt8(ascii: "Z"), let date = date(text), self.text(date) == text
        else { return nil }
        return day(date)
    }

    /// Returns the date that is nearest to an instant, or to the beginning of a day in UTC; nil where the text is neither.
    static func date(_ text: String) -> Date? {
        let whole = text.utf8.contains(UInt8(ascii: "T")) ? text : text + "T00:00:00Z"
        guard
            case .integer(let ticks)? = ScalarForm.dateTimeOffset
                .parse(Array(whole.utf8).span, in: model)?.scalar
        else { return nil }
        let digits = whole.fractionDigits.withoutZerosAtItsEnd
        guard digits.count > tickDigits, let count = Double(digits) else { return date(ticks) }
        let (seconds, _) = split(ticks)
        return date(Double(seconds), count: count, digits: min(digits.count, maximumDigits))
    }

    /// Returns the date that is nearest to ticks of 100 ns since the year 1.
    static func date(_ ticks: Int64) -> Date {
        // Wrapping: a number from a damaged file may be any.
        let sinceReference = ticks &- ticksToReference
        // A Double holds the ticks of the years from 1972 to 2029: one division rounds once.
        guard sinceReference.magnitude >= 1 << 53 else {
            return Date(timeIntervalSinceReferenceDate: Double(sinceReference) / 1e7)
        }
        let (seconds, all) = split(ticks)
        var rest = all
        var digits = rest == 0 ? 0 : tickDigits
        // As few digits as it was written with.
        while digits > 0, rest % 10 == 0 { (rest, digits) = (rest / 10, digits - 1) }
        return date(Double(seconds), count: Double(rest), digits: digits)
    }

    /// Returns the beginning in UTC of a day, counted from the first of the year 1.
    static func date(days: Int64) -> Date {
        // Wrapping: a number from a damaged file may be any.
        date(days &* 86_400 &* ticksPerSecond)
    }

    private static func split(_ ticks: Int64) -> (seconds: Int64, rest: Int64) {
        let sinceReference = ticks &- ticksToReference
        let (seconds, rest) = sinceReference.quotientAndRemainder(dividingBy: ticksPerSecond)
        return rest < 0 ? (seconds - 1, rest + ticksPerSecond) : (seconds, rest)
    }

    private static func date(_ seconds: Double, count: Double, digits: Int) -> Date {
        Date(timeIntervalSinceReferenceDate: interval(seconds, count: count, digits: digits))
    }

    /// Seconds and so many parts of one as a single number, rounded once where a Double has room for all parts.
    private static func interval(_ seconds: Double, count: Double, digits: Int) -> Double {
        let parts = seconds * powersOfTen[digits] + count
        return abs(parts) < 0x1p53
            ? parts / powersOfTen[digits] : seconds + count / powersOfTen[digits]
    }
}

extension StringProtocol where SubSequence == Substring {
    /// The text without zeros at its end.
    var withoutZerosAtItsEnd: Substring {
        lastIndex { $0 != "0" }.map { self[...$0] } ?? ""
    }
}
