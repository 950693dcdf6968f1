public import ODataModel
import OfflineValues
import ODataAnswers

/// The entities of an OData answer as rows and columns, for spreadsheets, pipelines and people.
///
/// Complex values and single related entities become columns of their own, `Address/City`; control information is left out.
public struct OfflineODataTable: Sendable, Hashable {
    /// What kind of answer the rows are from.
    public enum Kind: Sendable, Hashable {
        /// A collection of entities or values: any number of rows.
        case collection
        /// One entity: one row.
        case entity
        /// One value: one row with the column `value`.
        case value
    }

    /// What kind of answer the rows are from.
    public let kind: Kind
    /// Paths of the properties, in the order in which they first occur; where there are no rows, those that the answer would have by its
    /// context URL and the model.
    public let columns: [String]
    /// A value for each column; nil where the entity does not have the property.
    public let rows: [[ODataValue?]]
    /// The entities or values as they were answered, control information included.
    public let items: [ODataValue]
    /// Number of all entities where `$count` asked for it; the answer may be a page of them.
    public let totalCount: Int?
    /// URL of the next page; nil where the answer is complete.
    public let nextLink: String?

    /// Reads the JSON of an answer, of any version of OData.
    ///
    /// - Parameters:
    ///   - json: The body of the answer.
    ///   - model: The model of the service; with it the dates of versions 1 to 3 become ISO 8601, as in version 4, and their entities
    ///     are without `__metadata` and `__deferred`; and an answer of version 4 without rows has its columns.
    /// - Throws: ``OfflineODataError`` (invalid input) where the text is no JSON.
    public init(json: [UInt8], model: EdmModel? = nil) throws(OfflineODataError) {
        guard let answer = ODataValue(json: String(decoding: json, as: UTF8.self)) else {
            throw OfflineODataError(
                .invalidInput,
                "the answer is no JSON: it cannot be shown as a table",
                code: .invalidPayload
            )
        }
        var content = AnswerContent(answer)
        if let model, !model.version.isV4 {
            content.items = content.items.map { OldAnswer(model: model).readable($0) }
        }
        self.init(content, columns: Self.columns(of: content, in: model))
    }

    /// The columns of an answer without rows.
    private static func columns(of content: AnswerContent, in model: EdmModel?) -> [String] {
        guard let model, let context = content.contextURL, content.items.isEmpty else { return [] }
        return ContextColumns(context, in: model).names
    }

    private init(_ content: AnswerContent, columns stated: [String]) {
        kind = content.kind
        items = content.items
        totalCount = content.totalCount
        nextLink = content.nextLink
        let cells = content.items.map { TableCells(of: $0) }
        var columns = stated
        var seen: Set<String> = []
        for name in cells.lazy.flatMap(\.names) where seen.insert(name).inserted {
            columns.append(name)
        }
        let shown = columns.filter { !Self.isEmptyParent($0, among: columns, cells: cells) }
        self.columns = shown
        rows = cells.map { row in shown.map { row.values[$0] } }
    }

    /// Whether a column is always null, and other columns hold the parts of the value.
    private static func isEmptyParent(
        _ name: String,
        among columns: [String],
        cells: [TableCells]
    ) -> Bool {
        columns.contains { $0.hasPrefix(name + "/") }
            && cells.allSatisfy { $0.values[name]?.isNull ?? true }
    }

    /// Whether every value of a column is a number or null.
    public func isNumeric(column: Int) -> Bool {
        rows.allSatisfy { row in
            switch row[column] {
            case .integer, .double, .number, .null, nil: true
            default: false
            }
        }
    }

    /// Returns a value as a person reads it: texts without quotes, collections as JSON; empty for null.
    public static func text(of value: ODataValue?) -> String {
        switch value {
        case nil, .null: ""
        case .boolean(let value): value ? "true" : "false"
        case .integer(let value): String(value)
        case .number(let text): text
        case .string(let text): text
        case .double, .collection, .object: value?.withoutControlInformation.json ?? ""
        }
    }

    /// Returns the table as CSV (RFC 4180): a line of column names, then one for each row, each with CR LF at its end.
    ///
    /// Null and missing values are empty fields, the empty text is `""`.
    public func csv() -> [UInt8] {
        var text = columns.map { Self.field($0) }.joined(separator: ",") + "\r\n"
        for row in rows {
            text += row.map { Self.field($0) }.joined(separator: ",") + "\r\n"
        }
        return Array(text.utf8)
    }

    /// Returns the entities as JSON objects, one for each line, as they were answered.
    public func ndjson() -> [UInt8] {
        Array(items.map { $0.json + "\n" }.joined().utf8)
    }

    private static func field(_ value: ODataValue?) -> String {
        if case .string("") = value { return "\"\"" }
        return field(text(of: value))
    }

    private static func field(_ text: String) -> String {
        let isPlain = text.utf8.allSatisfy { byte in
            byte != UInt8(ascii: "\"") && byte != UInt8(ascii: ",") && byte != 0x0A && byte != 0x0D
        }
        return isPlain ? text : "\"" + text.replacing("\"", with: "\"\"") + "\""
    }
}
