import ODataModel

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
    package static let labels = allCases.filter { $0.declaration.label != nil }

    /// What a label is for, in one line; empty for other columns.
    package var help: String { declaration.label ?? "" }

    /// Name of the column.
    package var name: String { declaration.name }

    /// Name of the property that shows the column.
    package var propertyName: String? { declaration.shown?.name }

    var declaration: RecordDeclaration {
        switch self {
        case .id:
            .init("id", type: "INTEGER PRIMARY KEY", shown: .init(name: "RequestID", type: .int64))
        case .position: .init("position", type: "INTEGER NOT NULL")
        case .status:
            .init("status", type: "TEXT NOT NULL", shown: .init(name: "Status", type: .string))
        case .method:
            .init(
                "method",
                type: "TEXT NOT NULL",
                shown: .init(name: "RequestMethod", type: .string)
            )
        case .url:
            .init("url", type: "TEXT NOT NULL", shown: .init(name: "RequestURL", type: .string))
        case .body: .init("body", type: "TEXT", shown: .init(name: "RequestBody", type: .string))
        case .source: .init("source", type: "TEXT")
        case .row: .init("row", type: "INTEGER")
        case .etag: .init("etag", type: "TEXT")
        case .tag:
            .init(label: "tag", help: "a label of your own, shown in queue and error archive")
        case .category:
            .init("category", type: "TEXT", shown: .init(name: "UploadCategory", type: .string))
        case .transaction:
            .init("transaction", type: "TEXT", shown: .init(name: "TransactionID", type: .string))
        case .headers:
            .init("headers", type: "TEXT", shown: .init(name: "CustomHeaders", type: .string))
        case .affected:
            .init("affected", type: "TEXT", shown: .init(name: "AffectedEntity", type: .string))
        case .flags: .init("flags", type: "INTEGER NOT NULL DEFAULT 0")
        case .created: .init("created", type: "TEXT NOT NULL")
        case .unit: .init("unit", type: "TEXT")
        case .firstSent: .init("firstSent", type: "TEXT")
        case .httpStatus:
            .init(
                "httpStatus",
                type: "INTEGER",
                shown: .init(name: "HTTPStatusCode", type: .int32, isOfFailure: true)
            )
        case .code:
            .init(
                "code",
                type: "TEXT",
                shown: .init(name: "Code", type: .string, isOfFailure: true)
            )
        case .message:
            .init(
                "message",
                type: "TEXT",
                shown: .init(name: "Message", type: .string, isOfFailure: true)
            )
        case .innerError:
            .init(
                "innerError",
                type: "TEXT",
                shown: .init(name: "InnerError", type: .string, isOfFailure: true)
            )
        case .answer: .init("answer", type: "TEXT")
        case .stream: .init("stream", type: "INTEGER")
        case .streamProperty: .init("streamProperty", type: "TEXT")
        }
    }
}
