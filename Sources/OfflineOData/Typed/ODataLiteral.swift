public import ODataBinding
import OfflineValues
import ODataURL

#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

/// How a literal is written where its Swift type does not decide it.
public enum ODataLiteralForm: Sendable {
    /// As the Swift type says.
    case standard
    /// A `Date` as a day.
    case day
    /// A `Date` as an instant without offset, of versions 1 to 3.
    case dateTime
    /// A text as a time of day.
    case timeOfDay
}

/// A value that properties can be compared with.
public protocol ODataLiteral: Sendable {
    /// Returns the literal of a URL.
    func odataLiteral(as form: ODataLiteralForm) -> QueryExpression
}

extension String: ODataLiteral {
    /// Returns a string, or a time of day.
    public func odataLiteral(as form: ODataLiteralForm) -> QueryExpression {
        form == .timeOfDay ? .literal(.timeOfDay, self) : .string(self)
    }
}

extension Bool: ODataLiteral {
    /// Returns true or false.
    public func odataLiteral(as form: ODataLiteralForm) -> QueryExpression { .value(self) }
}

extension BinaryInteger where Self: ODataLiteral {
    /// Returns the number.
    public func odataLiteral(as form: ODataLiteralForm) -> QueryExpression { .value(self) }
}

extension Int: ODataLiteral {}
extension Int8: ODataLiteral {}
extension Int16: ODataLiteral {}
extension Int32: ODataLiteral {}
extension Int64: ODataLiteral {}
extension UInt8: ODataLiteral {}

extension Double: ODataLiteral {
    /// Returns the number.
    public func odataLiteral(as form: ODataLiteralForm) -> QueryExpression { .value(self) }
}

extension Float: ODataLiteral {
    /// Returns the number.
    public func odataLiteral(as form: ODataLiteralForm) -> QueryExpression { .value(Double(self)) }
}

extension Decimal: ODataLiteral {
    /// Returns the number, digit by digit.
    public func odataLiteral(as form: ODataLiteralForm) -> QueryExpression { .value(self) }
}

extension Date: ODataLiteral {
    /// Returns an instant, or the day in UTC.
    public func odataLiteral(as form: ODataLiteralForm) -> QueryExpression {
        switch form {
        case .day: return .day(self)
        case .dateTime:
            let text = ODataValue(self).stringValue ?? ""
            return .literal(.dateTime, text.hasSuffix("Z") ? String(text.dropLast()) : text)
        case .standard, .timeOfDay: return .value(self)
        }
    }
}

extension UUID: ODataLiteral {
    /// Returns the Guid.
    public func odataLiteral(as form: ODataLiteralForm) -> QueryExpression { .value(self) }
}

extension Duration: ODataLiteral {
    /// Returns the duration.
    public func odataLiteral(as form: ODataLiteralForm) -> QueryExpression { .value(self) }
}

extension Data: ODataLiteral {
    /// Returns the bytes.
    public func odataLiteral(as form: ODataLiteralForm) -> QueryExpression {
        .literal(.binary, ODataValue(self).stringValue ?? "")
    }
}

extension Optional: ODataLiteral where Wrapped: ODataLiteral {
    /// Returns the value, or null.
    public func odataLiteral(as form: ODataLiteralForm) -> QueryExpression {
        map { $0.odataLiteral(as: form) } ?? .null
    }
}
