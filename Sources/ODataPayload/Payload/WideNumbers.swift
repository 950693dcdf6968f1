package import ODataModel
import ODataText
import ODataValues

/// Int64 and Decimal inside values that are kept as JSON: numbers in the tables, so that queries find them, and strings where
/// a client asks for `IEEE754Compatible=true` (OData JSON 4.01 §§ 3.2, 7.1).
package final class WideNumbers: Sendable {
    private let model: EdmModel
    private let type: NamedType

    /// Makes a converter for values of a type and collections of them; nil where no such number can be in them.
    package init?(_ reference: TypeReference, in model: EdmModel) {
        var seen: Set<StructuredTypeID> = []
        guard model.version.isV4, Self.mayHold(reference.type, in: model, seen: &seen) else {
            return nil
        }
        self.model = model
        type = reference.type
    }

    private static func mayHold(
        _ type: NamedType,
        in model: EdmModel,
        seen: inout Set<StructuredTypeID>
    ) -> Bool {
        guard case .structured(let id) = type else {
            return WideNumberPlaces.isWide(type, in: model)
        }
        guard seen.insert(id).inserted else { return false }
        let heirs = model.structuredTypes.indices.map { StructuredTypeID($0) }
            .filter { model.type($0, isOrExtends: id) }
        return heirs.contains { heir in
            // A dynamic member may state any type.
            model.lineage(of: heir).contains { model[$0].isOpen }
                || model.properties(of: heir).contains {
                    mayHold($0.type.type, in: model, seen: &seen)
                }
        }
    }

    /// Returns a value with numbers in the place of strings; nil where it has none of these.
    package func numbers(_ json: Span<UInt8>) -> [UInt8]? {
        guard Self.hasQuotedDigits(json), let tree = JSONTree(json.copied()) else { return nil }
        let plain = values(in: tree).compactMap { node -> (Range<Int>, [UInt8])? in
            guard let text = node.text, JSONTree.isNumber(text) else { return nil }
            return (node.range, Array(text.utf8))
        }
        return plain.isEmpty ? nil : replaced(plain, in: tree)
    }

    /// Returns a value with strings in the place of numbers.
    package func strings(_ json: [UInt8]) -> [UInt8] {
        guard let tree = JSONTree(json) else { return json }
        let quote = UInt8(ascii: "\"")
        let quoted = values(in: tree).compactMap { node -> (Range<Int>, [UInt8])? in
            guard case .number = node.value else { return nil }
            return (node.range, [quote] + tree.text(node) + [quote])
        }
        return quoted.isEmpty ? json : replaced(quoted, in: tree)
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
