import ODataText
import ODataValues

/// Values of collections and dynamic properties, which services write as they like.
extension ScalarFunction {
    static let json: [ScalarFunction] = [
        // odata_same(json, json): 1 where two JSON texts have one value, else 0.
        unsafe ScalarFunction("odata_same", argumentCount: 2) { context, count, values in
            let call = unsafe FunctionCall(context, count, values)
            guard call.isText(0), call.isText(1),
                let one = JSONTree(Array(call.text(0).utf8)),
                let other = JSONTree(Array(call.text(1).utf8))
            else { return call.set(Int64(0)) }
            call.set(one.root.isSame(as: other.root) ? Int64(1) : Int64(0))
        }
    ]
}

extension JSONNode {
    /// Whether two values are the same, whatever the white space, the escapes, the digits behind the last that counts and the order
    /// of members; a member that is null may be left out.
    fileprivate func isSame(as other: JSONNode) -> Bool {
        switch (value, other.value) {
        case (.object(let members), .object(let others)):
            let (here, there) = (Self.table(members), Self.table(others))
            return here.count == there.count
                && here.allSatisfy { name, node in there[name]?.isSame(as: node) == true }
        case (.array(let items), .array(let others)):
            return items.count == others.count
                && zip(items, others).allSatisfy { $0.isSame(as: $1) }
        case (.string(let text), .string(let other)):
            return text.utf8.elementsEqual(other.utf8)
        case (.number(let text), .number(let other)):
            return text == other || Self.decimal(text) == Self.decimal(other)
        default: return word != nil && word == other.word
        }
    }

    private static func table(_ members: [Member]) -> [String: JSONNode] {
        Dictionary(
            members.filter { $0.value.word != "null" }.map { ($0.name, $0.value) },
            uniquingKeysWith: { $1 }
        )
    }

    private static func decimal(_ text: String) -> String {
        DecimalText(Array(text.utf8).span)?.text ?? text
    }
}
