package import ODataModel
import ODataText
import ODataValues

/// Numbers inside values that are kept as JSON: whole ones as plain digits, Int64 and Decimal as numbers in the tables, so that
/// queries find them, and as strings where a client asks for `IEEE754Compatible=true` (OData JSON 4.01 §§ 3.2, 7.1).
package final class WideNumbers: Sendable {
    private let model: EdmModel
    private let type: NamedType
    /// What can be in the values at all; a large model is walked through for it when some value may have it.
    private let reach: Late<Reach>

    private struct Reach: OptionSet {
        let rawValue: Int

        static let wide = Reach(rawValue: 1)
        static let whole = Reach(rawValue: 2)
        static let relations = Reach(rawValue: 4)
        static let all: Reach = [.wide, .whole, .relations]
    }

    /// Makes a converter for values of a type and collections of them; nil where nothing in them may have another form.
    package init?(_ reference: TypeReference, in model: EdmModel) {
        let type = reference.type
        var isStructured: Bool { if case .structured = type { true } else { false } }
        guard model.version.isV4,
            isStructured || WideNumberPlaces.isWide(type, in: model)
                || WideNumberPlaces.isWhole(type, in: model)
        else { return nil }
        (self.model, self.type) = (model, type)
        reach = Late { Self.reach(type, in: model) }
    }

    /// What is among the values that a type reaches, those of types that extend one on the way included.
    private static func reach(_ type: NamedType, in model: EdmModel) -> Reach {
        var heirs: [StructuredTypeID: [StructuredTypeID]] = [:]
        for (index, type) in model.structuredTypes.enumerated() {
            if let base = type.baseType { heirs[base, default: []].append(StructuredTypeID(index)) }
        }
        var seen: Set<StructuredTypeID> = []
        var open = [type]
        var reach: Reach = []
        while let next = open.popLast(), reach != .all {
            guard case .structured(let id) = next else {
                if WideNumberPlaces.isWide(next, in: model) { reach.insert(.wide) }
                if WideNumberPlaces.isWhole(next, in: model) { reach.insert(.whole) }
                continue
            }
            guard seen.insert(id).inserted else { continue }
            // A dynamic member may state any type.
            if model[id].isOpen { return .all }
            if !model.navigationProperties(of: id).isEmpty { reach.insert(.relations) }
            open += heirs[id, default: []].map { .structured($0) }
            open += model.properties(of: id).map(\.type.type)
        }
        return reach
    }

    /// Returns a value as it is kept: with plain numbers in the place of strings and of other forms; nil where it is so already.
    ///
    /// - Parameter leavesOutRelations: Whether members that relate complex values to entities go: the tables have no place for them.
    package func numbers(_ json: Span<UInt8>, leavesOutRelations: Bool = false) -> [UInt8]? {
        var wanted: Reach = leavesOutRelations ? .relations : []
        if Self.hasQuotedDigits(json) { wanted.insert(.wide) }
        if Self.hasFraction(json) { wanted.insert(.whole) }
        guard !wanted.isEmpty, !wanted.isDisjoint(with: reach.value),
            let tree = JSONTree(json.copied())
        else { return nil }
        let parts = places(in: tree, findsRelations: leavesOutRelations).compactMap {
            place -> (Range<Int>, [UInt8])? in
            switch place {
            case .relation(let range): (range, [])
            case .number(let node, let isWide, let isWhole):
                Self.plain(node, isWide: isWide, isWhole: isWhole).map {
                    (node.range, Array($0.utf8))
                }
            }
        }
        return parts.isEmpty ? nil : replaced(parts, in: tree)
    }

    /// The plain form of a number; nil where it has that already, or is none.
    private static func plain(_ node: JSONNode, isWide: Bool, isWhole: Bool) -> String? {
        switch node.value {
        case .string(let text) where isWide && JSONTree.isNumber(text):
            isWhole ? WholeNumberText.plain(text) ?? text : text
        case .number(let text) where isWhole: WholeNumberText.plain(text)
        default: nil
        }
    }

    /// Returns a value with strings in the place of numbers.
    package func strings(_ json: [UInt8]) -> [UInt8] {
        guard reach.value.contains(.wide), let tree = JSONTree(json) else { return json }
        let quote = UInt8(ascii: "\"")
        let quoted = places(in: tree).compactMap { place -> (Range<Int>, [UInt8])? in
            guard case .number(let node, isWide: true, _) = place, case .number = node.value else {
                return nil
            }
            let digits = tree.text(node)
            return (node.range, [quote] + (PlainDecimal.text(digits.span) ?? digits) + [quote])
        }
        return quoted.isEmpty ? json : replaced(quoted, in: tree)
    }

    /// Returns a value whose decimals have no exponents (OData JSON 4.01 § 3.3).
    package func withoutExponents(_ json: [UInt8]) -> [UInt8] {
        guard Self.hasExponent(json.span), reach.value.contains(.wide), let tree = JSONTree(json)
        else {
            return json
        }
        let plain = places(in: tree).compactMap { place -> (Range<Int>, [UInt8])? in
            guard case .number(let node, isWide: true, _) = place, case .number = node.value else {
                return nil
            }
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

    private func places(in tree: JSONTree, findsRelations: Bool = false)
        -> [WideNumberPlaces.Place]
    {
        var places = WideNumberPlaces(model: model, tree: tree, findsRelations: findsRelations)
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

    /// Whether some digit is followed by a point or an exponent, in a number or in a string.
    private static func hasFraction(_ json: Span<UInt8>) -> Bool {
        guard json.count > 2 else { return false }
        for index in 1..<json.count where ASCII.digit(json[index - 1]) != nil {
            if json[index] == UInt8(ascii: ".") || json[index] | 0x20 == UInt8(ascii: "e") {
                return true
            }
        }
        return false
    }
}
