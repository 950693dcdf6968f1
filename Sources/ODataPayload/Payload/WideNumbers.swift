package import ODataModel
import ODataText
import ODataValues

/// Int64 and Decimal inside values that are kept as JSON: numbers in the tables, so that queries find them, and strings where
/// a client asks for `IEEE754Compatible=true` (OData JSON 4.01 §§ 3.2, 7.1).
package final class WideNumbers: Sendable {
    private let model: EdmModel
    private let type: NamedType
    /// Whether such a number can be in the values at all; a large model is walked through for it when some value may have one.
    private let mayHold: Late<Bool>

    /// Makes a converter for values of a type and collections of them; nil where no such number can be in them.
    package init?(_ reference: TypeReference, in model: EdmModel) {
        let type = reference.type
        var isStructured: Bool { if case .structured = type { true } else { false } }
        guard model.version.isV4, isStructured || WideNumberPlaces.isWide(type, in: model) else {
            return nil
        }
        (self.model, self.type) = (model, type)
        mayHold = Late { Self.mayHold(type, in: model) }
    }

    /// Whether a wide number is among the values that a type reaches, those of types that extend one on the way included.
    private static func mayHold(_ type: NamedType, in model: EdmModel) -> Bool {
        var heirs: [StructuredTypeID: [StructuredTypeID]] = [:]
        for (index, type) in model.structuredTypes.enumerated() {
            if let base = type.baseType { heirs[base, default: []].append(StructuredTypeID(index)) }
        }
        var seen: Set<StructuredTypeID> = []
        var open = [type]
        while let next = open.popLast() {
            guard case .structured(let id) = next else {
                if WideNumberPlaces.isWide(next, in: model) { return true }
                continue
            }
            guard seen.insert(id).inserted else { continue }
            // A dynamic member may state any type.
            if model[id].isOpen { return true }
            open += heirs[id, default: []].map { .structured($0) }
            open += model.properties(of: id).map(\.type.type)
        }
        return false
    }

    /// Returns a value with numbers in the place of strings; nil where it has none of these.
    package func numbers(_ json: Span<UInt8>) -> [UInt8]? {
        guard Self.hasQuotedDigits(json), mayHold.value, let tree = JSONTree(json.copied()) else {
            return nil
        }
        let plain = values(in: tree).compactMap { node -> (Range<Int>, [UInt8])? in
            guard let text = node.text, JSONTree.isNumber(text) else { return nil }
            return (node.range, Array(text.utf8))
        }
        return plain.isEmpty ? nil : replaced(plain, in: tree)
    }

    /// Returns a value with strings in the place of numbers.
    package func strings(_ json: [UInt8]) -> [UInt8] {
        guard mayHold.value, let tree = JSONTree(json) else { return json }
        let quote = UInt8(ascii: "\"")
        let quoted = values(in: tree).compactMap { node -> (Range<Int>, [UInt8])? in
            guard case .number = node.value else { return nil }
            let digits = tree.text(node)
            return (node.range, [quote] + (PlainDecimal.text(digits.span) ?? digits) + [quote])
        }
        return quoted.isEmpty ? json : replaced(quoted, in: tree)
    }

    /// Returns a value whose decimals have no exponents (OData JSON 4.01 § 3.3).
    package func withoutExponents(_ json: [UInt8]) -> [UInt8] {
        guard Self.hasExponent(json.span), mayHold.value, let tree = JSONTree(json) else {
            return json
        }
        let plain = values(in: tree).compactMap { node -> (Range<Int>, [UInt8])? in
            guard case .number = node.value else { return nil }
            return PlainDecimal.text(tree.text(node).span).map { (node.range, $0) }
        }
        return plain.isEmpty ? json : replaced(plain, in: tree)
    }

    /// Whether a digit stands before an `e` somewhere: nearly all values have no such number.
    private static func hasExponent(_ json: Span<UInt8>) -> Bool {
        guard json.count > 2 else { return false }
        for index in 1..<json.count
        where json[index] | 0x20 == UInt8(ascii: "e") && ASCII.digit(json[index - 1]) != nil {
            return true
        }
        return false
    }

    private func values(in tree: JSONTree) -> [JSONNode] {
        var places = WideNumberPlaces(model: model, tree: tree)
        places.visit(tree.root, type)
        return places.found
    }

    /// The text with some of its parts replaced; they come in the order of the text.
    private func replaced(_ parts: [(range: Range<Int>, bytes: [UInt8])], in tree: JSONTree)
        -> [UInt8]
    {
        var result: [UInt8] = []
        result.reserveCapacity(tree.bytes.count + 2 * parts.count)
        var end = 0
        for part in parts {
            result += tree.bytes[end..<part.range.lowerBound]
            result += part.bytes
            end = part.range.upperBound
        }
        return result + tree.bytes[end...]
    }

    /// Whether some string begins as a number does: nearly all values have none, and need no further reading.
    private static func hasQuotedDigits(_ json: Span<UInt8>) -> Bool {
        guard json.count > 2 else { return false }
        for index in 0..<(json.count - 1) where json[index] == UInt8(ascii: "\"") {
            let next = json[index + 1]
            if ASCII.digit(next) != nil || next == UInt8(ascii: "-") || next == UInt8(ascii: "\\") {
                return true
            }
        }
        return false
    }
}
