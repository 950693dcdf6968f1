import ODataValues
import ODataModel

#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

/// Values of the types that applications calculate with, both ways and exactly.
extension ODataValue {
    /// Creates a point in time, Edm.DateTimeOffset in UTC, with the fewest digits of a second that are read as the same `Date`.
    ///
    /// A property of the type Edm.Date takes its day in UTC. What is no time of the calendar, such as infinity, becomes a text that no
    /// property takes.
    public init(_ date: Date) { self.init(date, text: DateText.text(date)) }

    /// Creates a point in time with at most so many digits of a second, as a property with a `Precision` wants it; further ones are
    /// rounded.
    public init(_ date: Date, fractionDigits: Int) {
        self.init(date, text: DateText.text(date, digits: fractionDigits))
    }

    private init(_ date: Date, text: String?) {
        self = .string(text ?? "\(date.timeIntervalSince1970) seconds")
    }

    /// Creates an Edm.Guid.
    public init(_ uuid: UUID) { self = .string(uuid.uuidString.lowercased()) }

    /// Creates an Edm.Decimal digit by digit.
    public init(_ decimal: Decimal) { self = Self(numberText: "\(decimal)") }

    /// Creates an Edm.Binary.
    public init(_ data: Data) {
        var bytes: [UInt8] = []
        ScalarForm.binary.write(.blob(Array(data)), in: Self.model, into: &bytes)
        self = .string(String(decoding: bytes, as: UTF8.self))
    }

    /// Creates an Edm.Duration.
    public init(_ duration: Duration) { self = .string(DurationText.text(duration)) }

    /// Says how scalars are written.
    private static let model = EdmModel(version: .v4)

    /// The `Date` nearest to the instant, or to the beginning of the day in UTC; nil where the value is none.
    public var dateValue: Date? { stringValue.flatMap { DateText.date($0) } }
    /// The Guid; nil where the value is none.
    public var uuidValue: UUID? { stringValue.flatMap { UUID(uuidString: $0) } }
    /// The number digit by digit; nil where the value is none, or has more digits than a `Decimal`.
    public var decimalValue: Decimal? {
        switch self {
        case .integer(let value): Decimal(value)
        case .double(let value): Decimal(string: "\(value)")
        case .number(let text), .string(let text): Decimal(exactly: text)
        default: nil
        }
    }
    /// The bytes; nil where the value is no Edm.Binary.
    public var dataValue: Data? { try? ODataValueDecoder(self, at: []).value(of: Data.self) }
    /// The duration, of a time of day that since midnight; nil where the value is none.
    public var durationValue: Duration? {
        guard let text = stringValue else { return nil }
        return DurationText.duration(text) ?? Self.sinceMidnight(text)
    }

    private static func sinceMidnight(_ text: String) -> Duration? {
        let model = EdmModel(version: .v4)
        guard
            case .integer(let ticks)? = ScalarForm.timeOfDay.parse(
                Array(text.utf8).span,
                in: model
            )?.scalar
        else { return nil }
        return .nanoseconds(ticks * 100)
    }
}

/// Durations as `P1DT2H3M4.5S` (OData ABNF, `durationValue`).
enum DurationText {
    private static let attosecondsInSecond: Int64 = 1_000_000_000_000_000_000
    private static let fractionDigits = 18

    static func text(_ duration: Duration) -> String {
        let (seconds, attoseconds) = duration.components
        let isNegative = seconds < 0 || attoseconds < 0
        let whole = seconds.magnitude
        let fraction = String(attoseconds.magnitude)
        var text = isNegative ? "-PT" : "PT"
        text += String(whole)
        if attoseconds != 0 {
            let padded = String(repeating: "0", count: fractionDigits - fraction.count) + fraction
            text += "." + padded.withoutZerosAtItsEnd
        }
        return text + "S"
    }

    /// Reads a duration; nil where the text is none, or more than 64 bits of seconds.
    static func duration(_ text: String) -> Duration? {
        var rest = Substring(text)
        let isNegative = rest.hasPrefix("-")
        if isNegative || rest.hasPrefix("+") { rest.removeFirst() }
        guard rest.popFirst() == "P", !rest.isEmpty else { return nil }
        var seconds: Int64 = 0
        var attoseconds: Int64 = 0
        var isTime = false
        while !rest.isEmpty {
            if rest.first == "T" {
                guard !isTime else { return nil }
                isTime = true
                rest.removeFirst()
                guard !rest.isEmpty else { return nil }
                continue
            }
            let digits = rest.prefix { $0.isASCII && $0.isNumber }
            guard let number = Int64(digits) else { return nil }
            rest = rest.dropFirst(digits.count)
            if rest.first == "." {
                let fraction = rest.dropFirst().prefix { $0.isASCII && $0.isNumber }
                guard isTime, !fraction.isEmpty, fraction.count <= fractionDigits else {
                    return nil
                }
                rest = rest.dropFirst(fraction.count + 1)
                guard rest.first == "S" else { return nil }
                let padded =
                    fraction + String(repeating: "0", count: fractionDigits - fraction.count)
                attoseconds = Int64(padded) ?? 0
            }
            guard let unit = rest.popFirst(), let factor = factor(unit, isTime: isTime) else {
                return nil
            }
            let (product, overflow) = number.multipliedReportingOverflow(by: factor)
            let (sum, overflowed) = seconds.addingReportingOverflow(product)
            guard !overflow, !overflowed else { return nil }
            seconds = sum
        }
        let sign: Int64 = isNegative ? -1 : 1
        return Duration(
            secondsComponent: sign * seconds,
            attosecondsComponent: sign * attoseconds
        )
    }

    private static func factor(_ unit: Character, isTime: Bool) -> Int64? {
        switch (unit, isTime) {
        case ("D", false): 86_400
        case ("H", true): 3_600
        case ("M", true): 60
        case ("S", true): 1
        default: nil
        }
    }
}

extension ODataValue: ExpressibleByDictionaryLiteral {
    /// Creates a complex value or an inline entity.
    public init(dictionaryLiteral elements: (String, ODataValue)...) {
        self = .object(elements.map { (name: $0.0, value: $0.1) })
    }
}
