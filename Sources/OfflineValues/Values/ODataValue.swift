import ODataText
package import ODataValues
import ODataAnswers

/// A value of a property as an application reads and writes it.
public enum ODataValue: Sendable {
    /// Null.
    case null
    /// True or false.
    case boolean(Bool)
    /// Byte, SByte, Int16, Int32, Int64.
    case integer(Int64)
    /// Single, Double.
    case double(Double)
    /// A number digit by digit: Decimal, and numbers that no other case holds.
    case number(String)
    /// String, and the text of dates, times, durations, guids, binaries, enumeration members.
    case string(String)
    /// A collection of values or of inline entities.
    case collection([ODataValue])
    /// A complex value or an inline entity.
    case object([(name: String, value: ODataValue)])

    /// Appends the value as JSON.
    package func write(to writer: inout JSONWriter) {
        switch self {
        case .null: writer.null()
        case .boolean(let value): writer.boolean(value)
        case .integer(let value): writer.integer(value)
        case .double(let value): Self.write(value, to: &writer)
        case .number(let text): Self.write(number: text, to: &writer)
        case .string(let text): writer.string(text)
        case .collection(let items):
            writer.beginArray()
            for item in items { item.write(to: &writer) }
            writer.endArray()
        case .object(let members):
            writer.beginObject()
            for member in members {
                writer.name(member.name)
                member.value.write(to: &writer)
            }
            writer.endObject()
        }
    }

    /// What is no number of JSON becomes a string: an application may have it from a person's keyboard.
    private static func write(number text: String, to writer: inout JSONWriter) {
        guard JSONTree.isNumber(text) else { return writer.string(text) }
        writer.raw(Array(text.utf8).span)
    }

    /// JSON has no infinities and no NaN: OData writes them as strings (OData JSON 4.01 § 7.1).
    private static func write(_ value: Double, to writer: inout JSONWriter) {
        if value.isFinite { return writer.raw(Array(value.description.utf8).span) }
        writer.string(value.isNaN ? "NaN" : value < 0 ? "-INF" : "INF")
    }
}

// MARK: - Asking

extension ODataValue {
    /// Whether the value is null.
    public var isNull: Bool {
        if case .null = self { true } else { false }
    }

    /// The text of a string value; nil for any other.
    public var stringValue: String? {
        if case .string(let text) = self { text } else { nil }
    }

    /// The value as a whole number; nil where it is none.
    public var integerValue: Int64? {
        switch self {
        case .integer(let value): value
        case .number(let text): Int64(text)
        default: nil
        }
    }

    /// The value as a floating-point number; nil where it is none.
    public var doubleValue: Double? {
        switch self {
        case .integer(let value): Double(value)
        case .double(let value): value
        case .number(let text): Double(text)
        case .string("INF"): .infinity
        case .string("-INF"): -.infinity
        case .string("NaN"): .nan
        default: nil
        }
    }

    /// The value as a Boolean; nil where it is none.
    public var booleanValue: Bool? {
        if case .boolean(let value) = self { value } else { nil }
    }

    /// The items of a collection; nil where it is none.
    public var items: [ODataValue]? {
        if case .collection(let items) = self { items } else { nil }
    }

    /// The member of a complex value or inline entity; nil where there is none.
    public subscript(name: String) -> ODataValue? {
        guard case .object(let members) = self else { return nil }
        return members.last { $0.name == name }?.value
    }
}

// MARK: - Literals

extension ODataValue: ExpressibleByStringLiteral, ExpressibleByIntegerLiteral,
    ExpressibleByBooleanLiteral,
    ExpressibleByFloatLiteral, ExpressibleByNilLiteral, ExpressibleByArrayLiteral
{
    /// Creates a string.
    public init(stringLiteral value: String) { self = .string(value) }
    /// Creates a whole number.
    public init(integerLiteral value: Int64) { self = .integer(value) }
    /// Creates a Boolean.
    public init(booleanLiteral value: Bool) { self = .boolean(value) }
    /// Creates a floating-point number.
    public init(floatLiteral value: Double) { self = .double(value) }
    /// Creates null.
    public init(nilLiteral: ()) { self = .null }
    /// Creates a collection.
    public init(arrayLiteral elements: ODataValue...) { self = .collection(elements) }
}
