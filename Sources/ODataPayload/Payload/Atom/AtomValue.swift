import ODataText
import ODataValues

/// A property value that is being read.
struct AtomValue {
    /// What the value has turned out to be.
    enum Shape {
        /// Nothing inside so far but text.
        case open
        case object
        case array
        case null
    }

    var shape = Shape.open
    /// The type that the element names (`m:type`).
    var type: String?
    var text: [UInt8] = []
    var childCount = 0
    /// Whether there was an element inside that is no part of the value.
    var hasForeignChild = false

    /// Whether text stands beside an element: mixed content, which has no defined meaning.
    var isMixed: Bool {
        guard hasForeignChild, case .open = shape else { return false }
        return type?.hasPrefix("Edm.") == true || !trimmed.isEmpty
    }

    /// The type of the items where the value is a collection.
    var itemType: String? {
        let name = type.map { CollectionTypeName($0) }
        return name.flatMap { $0.isCollection ? String($0.item) : nil }
    }

    /// Appends a value without elements inside as JSON.
    func appendLeaf(to output: inout [UInt8]) {
        if itemType != nil { return output.append(literal: "[]") }
        guard let type, type != "Edm.String" else {
            return JSONString.append(text.span, to: &output)
        }
        guard type.hasPrefix("Edm.") else {
            // A complex value without properties, or the member of an enumeration.
            let name = Array(trimmed)
            guard !name.isEmpty else { return output.append(literal: "{}") }
            return JSONString.append(name.span, to: &output)
        }
        appendPrimitive(type, to: &output)
    }

    private var trimmed: ArraySlice<UInt8> {
        let start = text.firstIndex { $0 > 0x20 } ?? text.endIndex
        let end = text.lastIndex { $0 > 0x20 }.map { $0 + 1 } ?? start
        return text[start..<end]
    }

    /// Appends a value of a type that is no text; where the text is none of it, the reader of the JSON says so.
    private func appendPrimitive(_ type: String, to output: inout [UInt8]) {
        let text = Array(trimmed)
        switch type {
        case "Edm.Boolean":
            guard let flag = ScalarForm.boolean(text.span) else {
                return JSONString.append(text.span, to: &output)
            }
            output.append(literal: flag ? "true" : "false")
        case "Edm.Byte", "Edm.SByte", "Edm.Int16", "Edm.Int32", "Edm.Int64", "Edm.Decimal",
            "Edm.Single", "Edm.Double":
            if Self.isNumber(text) {
                output.append(contentsOf: text)
            } else {
                JSONString.append(text.span, to: &output)
            }
        case "Edm.Binary":
            // Base64 of XML may be broken into lines (XML Schema Part 2 § 3.2.16).
            let digits = text.filter { $0 > 0x20 }
            JSONString.append(digits.span, to: &output)
        default: JSONString.append(text.span, to: &output)
        }
    }

    /// Whether a text is a number of JSON (RFC 8259 § 6).
    private static func isNumber(_ text: [UInt8]) -> Bool {
        var rest = text[...]
        if rest.first == UInt8(ascii: "-") { rest.removeFirst() }
        let startsWithZero = rest.first == UInt8(ascii: "0")
        let whole = takeDigits(&rest)
        guard whole == 1 || whole > 1 && !startsWithZero else { return false }
        if rest.first == UInt8(ascii: ".") {
            rest.removeFirst()
            guard takeDigits(&rest) > 0 else { return false }
        }
        guard let exponent = rest.first else { return true }
        guard exponent | 0x20 == UInt8(ascii: "e") else { return false }
        rest.removeFirst()
        if rest.first == UInt8(ascii: "-") || rest.first == UInt8(ascii: "+") { rest.removeFirst() }
        return takeDigits(&rest) > 0 && rest.isEmpty
    }

    private static func takeDigits(_ rest: inout ArraySlice<UInt8>) -> Int {
        let digits = rest.prefix { ASCII.digit($0) != nil }
        rest = rest[digits.endIndex...]
        return digits.count
    }
}
