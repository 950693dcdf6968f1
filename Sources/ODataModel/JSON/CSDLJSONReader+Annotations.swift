import ODataText

// Annotations and their expressions (OData CSDL JSON 4.01 § 14).

extension CSDLJSONReader {
    /// Returns the annotations among the members of an object.
    func annotations(of node: JSONNode) -> [Annotation] {
        annotations(among: node.members ?? [], beside: "")
    }

    /// Returns the annotations that stand beside a member, or are of the object itself.
    func annotations(among members: [JSONNode.Member], beside name: String) -> [Annotation] {
        let prefix = name + "@"
        return members.compactMap { member in
            guard member.name.hasPrefix(prefix) else { return nil }
            let rest = member.name.dropFirst(prefix.count)
            // An annotation of an annotation keeps both terms: `Outer@Inner`.
            let inner = rest.split(separator: "@", maxSplits: 1)
            guard let first = inner.first else { return nil }
            let outer = termAndQualifier(first)
            guard inner.count == 2 else {
                return Annotation(
                    term: outer.term,
                    qualifier: outer.qualifier,
                    value: expression(member.value)
                )
            }
            let whole = outer.term + (outer.qualifier.map { "#" + $0 } ?? "") + "@"
            let nested = assembly.expanded(String(inner[1]))
            return Annotation(term: whole + nested, value: expression(member.value))
        }
    }

    private func termAndQualifier(_ text: Substring) -> (term: String, qualifier: String?) {
        let parts = text.split(separator: "#", maxSplits: 1)
        let term = assembly.expanded(String(parts.first ?? ""))
        return (term, parts.count == 2 ? String(parts[1]) : nil)
    }

    private func expression(_ node: JSONNode) -> AnnotationExpression {
        switch node.value {
        case .bool(let flag): .constant(kind: "Bool", text: flag ? "true" : "false")
        case .string(let text): .constant(kind: "String", text: text)
        case .number(let text):
            .constant(kind: Int64(text) == nil ? "Decimal" : "Int", text: text)
        case .null: .constant(kind: "Null", text: "")
        case .array(let items): .collection(items.map(expression))
        case .object(let members): expression(members)
        }
    }

    private func expression(_ members: [JSONNode.Member]) -> AnnotationExpression {
        if let path = members.first(where: { $0.name == "$Path" })?.value.text {
            return .path(kind: "Path", text: path)
        }
        if members.contains(where: { $0.name == "$Null" }) {
            return .constant(kind: "Null", text: "")
        }
        let operators = members.filter { $0.name.hasPrefix("$") }
        guard let main = operators.first(where: { isOperator($0.name) }) else {
            return record(members)
        }
        let attributes = operators.filter { $0.name != main.name }.compactMap { member in
            member.value.text.map { (String(member.name.dropFirst()), $0) }
        }
        let operands = main.value.items?.map(expression) ?? [expression(main.value)]
        return .dynamic(
            element: String(main.name.dropFirst()),
            attributes: attributes,
            operands
        )
    }

    /// Whether the member is the operation itself and not a part like `$Type` or `$Name`.
    private func isOperator(_ name: String) -> Bool {
        CSDLJSONReader.operators.contains(name)
    }

    private static let operators: Set<String> = [
        "$And", "$Or", "$Not", "$Eq", "$Ne", "$Gt", "$Ge", "$Lt", "$Le", "$Has", "$In", "$Add",
        "$Sub", "$Neg", "$Mul", "$Div", "$DivBy", "$Mod", "$Apply", "$Cast", "$If", "$IsOf",
        "$LabeledElement", "$LabeledElementReference", "$UrlRef",
    ]

    private func record(_ members: [JSONNode.Member]) -> AnnotationExpression {
        var type: String?
        var values: [(String, AnnotationExpression)] = []
        for member in members {
            if member.name == "@type" || member.name == "@odata.type" {
                type = member.value.text
            } else {
                values.append((member.name, expression(member.value)))
            }
        }
        return .record(type: type, values)
    }
}
