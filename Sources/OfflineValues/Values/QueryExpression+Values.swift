public import ODataBinding
import ODataURL

#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

/// Values of variables in queries made in Swift; literals need none of these.
extension QueryExpression {
    /// A string.
    public static func value(_ text: String) -> Self { .string(text) }

    /// True or false.
    public static func value(_ value: Bool) -> Self { .boolean(value) }

    /// A whole number; one that 64 bits do not hold is a decimal.
    public static func value(_ number: some BinaryInteger) -> Self {
        Int64(exactly: number).map { .integer($0) } ?? .literal(.decimal, "\(number)")
    }

    /// A floating-point number.
    public static func value(_ number: Double) -> Self { .double(number) }

    /// A decimal, digit by digit.
    public static func value(_ number: Decimal) -> Self {
        literal(.decimal, value: ODataValue(number))
    }

    /// A point in time, Edm.DateTimeOffset.
    public static func value(_ date: Date) -> Self {
        literal(.dateTimeOffset, value: ODataValue(date))
    }

    /// The day of a date in UTC, Edm.Date: what properties of that type are compared with.
    public static func day(_ date: Date) -> Self {
        .literal(.date, DateText.day(date) ?? "\(date.timeIntervalSince1970) seconds")
    }

    /// A Guid.
    public static func value(_ uuid: UUID) -> Self { literal(.guid, value: ODataValue(uuid)) }

    /// A duration.
    public static func value(_ duration: Duration) -> Self {
        literal(.duration, value: ODataValue(duration))
    }

    private static func literal(_ kind: WrittenLiteral.Kind, value: ODataValue) -> Self {
        .literal(kind, value.stringValue ?? value.json)
    }
}
