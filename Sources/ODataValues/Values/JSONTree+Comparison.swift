package import ODataText

extension JSONTree {
    /// Whether two JSON texts have one value; false where one of them is no JSON.
    ///
    /// White space, escapes, the order of members and how a number is written say nothing, nor do members that are null or empty
    /// collections, which clients and services may leave out.
    package static func isSame(_ one: String, _ other: String) -> Bool {
        guard let left = JSONTree(Array(one.utf8)), let right = JSONTree(Array(other.utf8)) else {
            return false
        }
        return left.root.isSame(as: right.root)
    }
}

extension JSONNode {
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
            guard text != other else { return true }
            let number = DecimalText(Array(text.utf8).span)
            return number != nil && number == DecimalText(Array(other.utf8).span)
        default: return word != nil && word == other.word
        }
    }

    /// The members that say more than their absence, by their names as they are written: Swift takes some texts for one.
    private static func table(_ members: [Member]) -> [[UInt8]: JSONNode] {
        Dictionary(
            members.filter { !$0.value.isNothing }.map { (Array($0.name.utf8), $0.value) },
            uniquingKeysWith: { $1 }
        )
    }

    private var isNothing: Bool {
        switch value {
        case .null: true
        case .array(let items): items.isEmpty
        default: false
        }
    }
}
