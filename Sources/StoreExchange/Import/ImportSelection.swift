/// The properties that a file says it has, by the select list of its context URL (OData JSON 4.01 § 10.7): of others it knows nothing.
struct ImportSelection {
    /// The options of a query that asks for what is in the file: `$select=ID&$expand=Lines($select=Number)`.
    let options: String

    /// Reads the context of a file; nil where there is none, or where it has no select list.
    init?(_ json: [UInt8]) {
        guard let context = FileContext(json)?.url, let fragment = context.firstIndex(of: "#"),
            let open = context[fragment...].firstIndex(of: "("),
            let close = context[open...].lastIndex(of: ")"), open < close,
            let options = Self.options(context[context.index(after: open)..<close], depth: 0)
        else { return nil }
        self.options = options.joined(separator: "&")
    }

    /// Lists are nested as deep as entities contain each other.
    static let maximumDepth = 128

    /// The options of a list; nil where nothing is left out, or where it is none.
    private static func options(_ list: Substring, depth: Int) -> [String]? {
        guard depth < maximumDepth, let items = ContextSelectList(list)?.items,
            // A query has no option for a level that repeats itself.
            !items.contains(where: { $0.name.contains("+") })
        else { return nil }
        let names = items.filter { $0.nested == nil }.map(\.name)
        let expands = items.compactMap { item -> String? in
            guard let nested = item.nested, let inner = options(nested, depth: depth + 1) else {
                return nil
            }
            return "\(item.name)(\(inner.joined(separator: ";")))"
        }
        guard !names.contains("*"), !(names.isEmpty && expands.isEmpty) else { return nil }
        return (names.isEmpty ? [] : ["$select=" + names.joined(separator: ",")])
            + (expands.isEmpty ? [] : ["$expand=" + expands.joined(separator: ",")])
    }
}
