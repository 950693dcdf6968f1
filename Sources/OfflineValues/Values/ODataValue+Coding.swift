#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// Values as any coder of Swift keeps them.
extension ODataValue: Codable {
    /// Writes the value: objects as keyed, collections as unkeyed containers.
    public func encode(to encoder: any Encoder) throws {
        switch self {
        case .collection(let items):
            var container = encoder.unkeyedContainer()
            for item in items { try container.encode(item) }
        case .object(let members):
            var container = encoder.container(keyedBy: MemberName.self)
            for member in members { try container.encode(member.value, forKey: .init(member.name)) }
        case .double, .number:
            guard let text = textOfNumber else { return try encodePlain(to: encoder) }
            var container = encoder.container(keyedBy: MemberName.self)
            try container.encode(text.text, forKey: .init(text.name))
        default: try encodePlain(to: encoder)
        }
    }

    private static let (doubleName, decimalName) = ("@number.double", "@number.decimal")

    /// The text of a number that would be read back as another value or in another form, with the name that says its form.
    private var textOfNumber: (name: String, text: String)? {
        switch self {
        case .double(let value):
            let text = value.description
            let isRead =
                Int64(exactly: value) == nil
                && Decimal(string: text).map { "\($0)" == text } == true
            return isRead ? nil : (Self.doubleName, text)
        case .number(let text):
            guard let decimal = Decimal(exactly: text), "\(decimal)" == text,
                let double = Double(text), double.description != text, Int64(text) == nil
            else { return (Self.decimalName, text) }
            return nil
        default: return nil
        }
    }

    /// The number that an object stands for; nil for any other object.
    private static func number(_ members: [(name: String, value: ODataValue)]) -> ODataValue? {
        guard members.count == 1, case .string(let text) = members[0].value else { return nil }
        switch members[0].name {
        case Self.doubleName: return Double(text).map { .double($0) }
        case Self.decimalName: return .number(text)
        default: return nil
        }
    }

    private func encodePlain(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try encodePlain(to: &container)
    }

    private func encodePlain(to container: inout any SingleValueEncodingContainer) throws {
        switch self {
        case .boolean(let value): try container.encode(value)
        case .integer(let value): try container.encode(value)
        case .double(let value): try container.encode(value)
        case .number(let text): try container.encode(Decimal(exactly: text))
        case .string(let text): try container.encode(text)
        default: try container.encodeNil()
        }
    }

    /// Reads a value of whatever form.
    public init(from decoder: any Decoder) throws {
        if let container = try? decoder.container(keyedBy: MemberName.self) {
            let members = try container.allKeys.map {
                (name: $0.stringValue, value: try container.decode(ODataValue.self, forKey: $0))
            }
            self = Self.number(members) ?? .object(members)
        } else if var container = try? decoder.unkeyedContainer() {
            var items: [ODataValue] = []
            while !container.isAtEnd { items.append(try container.decode(ODataValue.self)) }
            self = .collection(items)
        } else {
            self = try Self.plain(decoder.singleValueContainer())
        }
    }

    private static func plain(_ container: any SingleValueDecodingContainer) throws -> ODataValue {
        if container.decodeNil() { return .null }
        if let value = try? container.decode(Bool.self) { return .boolean(value) }
        if let value = try? container.decode(Int64.self) { return .integer(value) }
        if let value = try? container.decode(String.self) { return .string(value) }
        let decimal = try? container.decode(Decimal.self)
        let double = try container.decode(Double.self)
        guard let decimal, let exact = Double("\(decimal)"), exact == double else {
            return .double(double)
        }
        return double.description == "\(decimal)" ? .double(double) : .number("\(decimal)")
    }
}

/// The name of a member as a coding key.
struct MemberName: CodingKey {
    let stringValue: String
    var intValue: Int? { nil }

    init(_ name: String) { stringValue = name }
    init?(stringValue: String) { self.stringValue = stringValue }
    init?(intValue: Int) { nil }
}

extension Decimal {
    /// The number of a text; nil where a `Decimal` would round it.
    init?(exactly text: String) {
        guard let value = Decimal(string: text) else { return nil }
        let digits = text.utf8.filter { (0x30...0x39).contains($0) }.drop { $0 == 0x30 }
        guard digits.count <= 38 else { return nil }
        self = value
    }
}
