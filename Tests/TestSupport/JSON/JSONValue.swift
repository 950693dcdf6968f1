/// A JSON value as a test reads it, by a reader of its own: strings by bytes, numbers as written.
public indirect enum JSONValue: Sendable {
    case object([(name: String, value: JSONValue)])
    case array([JSONValue])
    case string([UInt8])
    case number(String)
    case word(String)

    /// Why a text is no JSON.
    public struct Malformed: Error {
        /// Where.
        public var offset: Int
    }

    /// Reads a text.
    public init(_ text: [UInt8]) throws {
        var scanner = JSONValueScanner(bytes: text)
        self = try scanner.whole()
    }

    /// Reads a text.
    public init(_ text: String) throws { try self.init(Array(text.utf8)) }

    /// The members of an object; none for other values.
    public var members: [(name: String, value: JSONValue)] {
        if case .object(let members) = self { members } else { [] }
    }

    /// The member of this name.
    public subscript(name: String) -> JSONValue? {
        members.first { $0.name.utf8.elementsEqual(name.utf8) }?.value
    }

    /// The items of an array; none for other values.
    public var items: [JSONValue] {
        if case .array(let items) = self { items } else { [] }
    }
}

extension JSONValue {
    /// Returns the first difference to another value as a path and what stands there; nil for none.
    ///
    /// Members may come in any order. Numbers are equal where their digits are, written in any way.
    public func difference(to other: JSONValue, at path: String = "") -> String? {
        switch (self, other) {
        case (.object(let left), .object): return objectDifference(left, other, path)
        case (.array(let left), .array(let right)):
            guard left.count == right.count else {
                return "\(path): \(left.count) and \(right.count) items"
            }
            for (index, pair) in zip(left, right).enumerated() {
                if let found = pair.0.difference(to: pair.1, at: "\(path)[\(index)]") {
                    return found
                }
            }
            return nil
        case (.string(let left), .string(let right)) where left == right: return nil
        case (.number(let left), .number(let right)) where JSONNumber(left) == JSONNumber(right):
            return nil
        case (.word(let left), .word(let right)) where left == right: return nil
        default: return "\(path): \(text) and \(other.text)"
        }
    }

    private func objectDifference(
        _ left: [(name: String, value: JSONValue)],
        _ other: JSONValue,
        _ path: String
    ) -> String? {
        for (name, value) in left {
            guard let there = other[name] else {
                return "\(path)/\(name): \(value.text) is missing"
            }
            if let found = value.difference(to: there, at: "\(path)/\(name)") { return found }
        }
        let names = Set(left.map { Array($0.name.utf8) })
        let more = other.members.first { !names.contains(Array($0.name.utf8)) }
        return more.map { "\(path)/\($0.name): \($0.value.text) is too much" }
    }

    /// A short text for messages.
    public var text: String {
        switch self {
        case .object(let members): "{\(members.map(\.name).joined(separator: ", "))}"
        case .array(let items): "[\(items.map(\.text).joined(separator: ", "))]"
        case .string(let bytes): "'\(String(decoding: bytes, as: UTF8.self))'"
        case .number(let text), .word(let text): text
        }
    }
}

/// A number as sign, digits without zeros at either end, and exponent.
struct JSONNumber: Equatable {
    var isNegative = false
    var digits: [UInt8] = []
    var exponent = 0

    init(_ text: String) {
        var rest = Substring(text)
        if rest.first == "-" {
            isNegative = true
            rest.removeFirst()
        }
        if let mark = rest.firstIndex(where: { $0 == "e" || $0 == "E" }) {
            exponent = Int(rest[rest.index(after: mark)...]) ?? 0
            rest = rest[..<mark]
        }
        let parts = rest.split(separator: ".", omittingEmptySubsequences: false)
        digits = parts.flatMap { Array($0.utf8) }
        exponent -= parts.count > 1 ? parts[1].utf8.count : 0
        while digits.last == 0x30 {
            digits.removeLast()
            exponent += 1
        }
        digits = Array(digits.drop { $0 == 0x30 })
        if digits.isEmpty { exponent = 0 }
    }
}
