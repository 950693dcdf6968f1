import ODataModel
import ODataTables

/// The columns of `$queue`: requests that wait, and refused ones (status `failed`, the error archive).
package enum QueueColumn: Int, RecordColumn {
    case id, position, status, method, url, body, source, row, etag
    case tag, category, transaction, headers, affected
    case flags, created, unit, firstSent
    case httpStatus, code, message, innerError, answer
    case stream, streamProperty

    static let tableName = "$queue"
    static let statements = RecordStatements<Self>()

    /// Columns of texts that the application gives to a request, and nothing in the engine reads.
    package static let texts = allCases.filter(\.declaration.isText)

    /// Name of the property that shows the column.
    package var propertyName: String? { declaration.shown?.name }

    var declaration: RecordDeclaration {
        switch self {
        case .id:
            .init("id", "INTEGER PRIMARY KEY", shown: .init(name: "RequestID", type: .int64))
        case .position: .init("position", "INTEGER NOT NULL")
        case .status: .init("status", "TEXT NOT NULL", shown: .init(name: "Status", type: .string))
        case .method:
            .init("method", "TEXT NOT NULL", shown: .init(name: "RequestMethod", type: .string))
        case .url: .init("url", "TEXT NOT NULL", shown: .init(name: "RequestURL", type: .string))
        case .body: .init("body", "TEXT", shown: .init(name: "RequestBody", type: .string))
        case .source: .init("source", "TEXT")
        case .row: .init("row", "INTEGER")
        case .etag: .init("etag", "TEXT")
        case .tag: .init(text: "tag", shownAs: "CustomTag")
        case .category:
            .init("category", "TEXT", shown: .init(name: "UploadCategory", type: .string))
        case .transaction:
            .init("transaction", "TEXT", shown: .init(name: "TransactionID", type: .string))
        case .headers: .init("headers", "TEXT", shown: .init(name: "CustomHeaders", type: .string))
        case .affected:
            .init("affected", "TEXT", shown: .init(name: "AffectedEntity", type: .string))
        case .flags: .init("flags", "INTEGER NOT NULL DEFAULT 0")
        case .created: .init("created", "TEXT NOT NULL")
        case .unit: .init("unit", "TEXT")
        case .firstSent: .init("firstSent", "TEXT")
        case .httpStatus:
            .init(
                "httpStatus",
                "INTEGER",
                shown: .init(name: "HTTPStatusCode", type: .int32, isOfFailure: true)
            )
        case .code:
            .init("code", "TEXT", shown: .init(name: "Code", type: .string, isOfFailure: true))
        case .message:
            .init(
                "message",
                "TEXT",
                shown: .init(name: "Message", type: .string, isOfFailure: true)
            )
        case .innerError:
            .init(
                "innerError",
                "TEXT",
                shown: .init(name: "InnerError", type: .string, isOfFailure: true)
            )
        case .answer: .init("answer", "TEXT")
        case .stream: .init("stream", "INTEGER")
        case .streamProperty: .init("streamProperty", "TEXT")
        }
    }
}
