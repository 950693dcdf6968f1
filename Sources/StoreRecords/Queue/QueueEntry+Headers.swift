extension QueueEntry {
    /// A header field of a request's own.
    package struct HeaderField: Sendable {
        package var name: String
        /// The value, or the text with placeholders that it is made of.
        package var value: String
        package var isTemplate: Bool
    }

    /// The header fields that `headers` keeps, a line each; a line that begins with a space is a template.
    package var headerFields: [HeaderField] {
        (headers ?? "").split(separator: "\n").compactMap { line in
            guard let colon = line.firstIndex(of: ":") else { return nil }
            return HeaderField(
                name: String(line[..<colon].drop { $0 == " " }),
                value: String(line[line.index(after: colon)...].drop { $0 == " " }),
                isTemplate: line.hasPrefix(" ")
            )
        }
    }
}
