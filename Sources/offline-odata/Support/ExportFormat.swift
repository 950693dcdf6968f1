import CommandSupport

/// How `export` writes entities.
enum ExportFormat: String, CaseIterable, Sendable {
    /// OData JSON with links, contained entities and streams: what `import` reads.
    case json
    /// RFC 4180, for spreadsheets.
    case csv
    /// A JSON object for each line.
    case ndjson

    static let syntax = OptionSyntax.value(
        "format",
        placeholder: "json|csv|ndjson",
        help:
            "OData JSON (default), which import reads; CSV by RFC 4180; or one JSON object for each line"
    )

    static func read(_ arguments: Arguments) throws(CommandFailure) -> ExportFormat {
        let choices = allCases.map { (name: $0.rawValue, value: $0) }
        return try arguments.choice("format", of: choices) ?? .json
    }
}
