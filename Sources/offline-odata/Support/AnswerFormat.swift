import CommandSupport
import ODataModel
import ODataProtocol
import OfflineOData

/// How `get` writes the entities of an answer.
enum AnswerFormat: Sendable {
    /// OData JSON, as answered.
    case json
    /// Aligned columns for people.
    case table
    /// RFC 4180, for spreadsheets.
    case csv
    /// A JSON object for each line.
    case ndjson

    static let syntax = OptionSyntax.value(
        "format",
        placeholder: "json|table|csv|ndjson",
        help:
            "OData JSON (default), aligned columns, CSV by RFC 4180, or one JSON object for each line"
    )

    static func read(_ arguments: Arguments) throws(CommandFailure) -> AnswerFormat {
        let choices: [(name: String, value: AnswerFormat)] = [
            ("json", .json), ("table", .table), ("csv", .csv), ("ndjson", .ndjson),
        ]
        return try arguments.choice("format", of: choices) ?? .json
    }

    /// Returns the answer in this format; what is no JSON, such as a count, is returned as it is.
    func bytes(of answer: LocalAnswer, model: EdmModel, _ terminal: Terminal) throws -> [UInt8] {
        let body = try answer.body()
        let type = answer.response.headers["Content-Type"].flatMap { MediaType($0) }
        guard self != .json, let type, type.isType("application/json") else { return body }
        let table = try OfflineODataTable(json: body, model: model)
        if let link = table.nextLink {
            terminal.remark("This is one page; the next one: get STORE \(ShellText.quoted(link))")
        }
        return switch self {
        case .csv: table.csv()
        case .ndjson: table.ndjson()
        default: Array((Self.lines(table).joined(separator: "\n") + "\n").utf8)
        }
    }

    // MARK: Table

    /// One entity stands upright: a line for each property.
    static func lines(
        _ table: OfflineODataTable,
        style: TableStyle = .standardOutput
    ) -> [String] {
        if table.kind == .entity, let row = table.rows.first {
            var text = TextTable([("property", .left), ("value", .left)])
            for (name, value) in zip(table.columns, row) { text.add([name, Self.text(value)]) }
            return text.lines(style: style)
        }
        guard !table.rows.isEmpty else { return ["no entities"] }
        var text = TextTable(
            table.columns.indices.map { column in
                (table.columns[column], table.isNumeric(column: column) ? .right : .left)
            }
        )
        for row in table.rows { text.add(row.map(Self.text)) }
        return text.lines(style: style) + Self.remark(table)
    }

    private static func remark(_ table: OfflineODataTable) -> [String] {
        guard let total = table.totalCount, total > table.rows.count else { return [] }
        return ["", "\(Words.number(table.rows.count)) of \(Words.number(total))"]
    }

    /// Related entities are counted, since they are rows of another table; values stand side by side.
    private static func text(_ value: ODataValue?) -> String {
        guard case .collection(let items) = value else { return OfflineODataTable.text(of: value) }
        let hasEntities = items.contains { if case .object = $0 { true } else { false } }
        return hasEntities
            ? Words.amount(items.count, of: "entry", plural: "entries")
            : items.map { OfflineODataTable.text(of: $0) }.joined(separator: ", ")
    }
}
