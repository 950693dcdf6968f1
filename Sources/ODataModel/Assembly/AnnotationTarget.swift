/// The target of annotations: `NS.Type`, `NS.Type/Member`, `NS.Operation(NS.Type)/Parameter`.
struct AnnotationTarget {
    /// Qualified name as written.
    var name: String
    /// Parameter types in parentheses, with them; empty without.
    var parameters = ""
    /// What follows the first slash behind the name.
    var member: String?
    /// Whether the model has no value for the target.
    var isDeep = false

    init(_ text: String) {
        let bytes = text.utf8
        guard
            let stop = bytes.firstIndex(where: {
                $0 == UInt8(ascii: "/") || $0 == UInt8(ascii: "(")
            })
        else {
            name = text
            return
        }
        name = String(text[..<stop])
        var rest = text[stop...]
        if bytes[stop] == UInt8(ascii: "(") {
            let closing = rest.utf8.firstIndex { $0 == UInt8(ascii: "/") } ?? rest.endIndex
            parameters = String(rest[..<closing])
            rest = rest[closing...]
        }
        guard let slash = rest.utf8.first, slash == UInt8(ascii: "/") else { return }
        let inner = rest.dropFirst()
        member = String(inner)
        // Deeper paths, annotated annotations, and overloads of function imports, which are no single import.
        isDeep = inner.utf8.contains {
            $0 == UInt8(ascii: "/") || $0 == UInt8(ascii: "@") || $0 == UInt8(ascii: "(")
        }
    }
}
