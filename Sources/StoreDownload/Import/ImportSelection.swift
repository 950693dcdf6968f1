/// The properties that a file says it has, by the select list of its context URL (OData JSON 4.01 § 10.7): of others it knows nothing.
struct ImportSelection {
    /// Names separated by commas, as `$select` takes them.
    let names: String

    /// Reads the context of a file; nil where there is none, or where it has no select list.
    init?(_ json: [UInt8]) {
        guard let context = FileContext(json)?.url, let fragment = context.firstIndex(of: "#"),
            let open = context[fragment...].firstIndex(of: "("),
            let close = context[open...].lastIndex(of: ")"), open < close
        else { return nil }
        let list = context[context.index(after: open)..<close]
        // Nested lists are of expanded entities, which files do not have.
        guard !list.isEmpty, !list.contains("("), !list.contains("*") else { return nil }
        names = String(list)
    }
}
