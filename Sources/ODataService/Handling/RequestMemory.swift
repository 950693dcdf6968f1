import ODataAnswers
import ODataHTTP
import ODataSQLite
import ODataValues

/// The requests that a service has carried out, with their answers, in the file of its data: a client may repeat one after the service
/// has been started again.
struct RequestMemory: Sendable {
    let queue: DatabaseQueue

    static let createStatement = """
        CREATE TABLE IF NOT EXISTS "$repeated" (
            "number" INTEGER PRIMARY KEY AUTOINCREMENT, "id" TEXT NOT NULL UNIQUE,
            "fingerprint" INTEGER NOT NULL, "answer" BLOB
        )
        """
    /// Requests that are remembered; the oldest are forgotten first.
    private static let maximumEntries = 10_000

    /// What is known of a request.
    enum Former: Sendable {
        /// Nothing; from now on it counts as begun.
        case new
        /// It was begun, and the service ended before its answer was known.
        case begun
        case answered([BatchResponsePart])
        /// The id belongs to another request.
        case other
    }

    /// Notes that a request is going to be carried out, unless it is known already.
    func begin(_ id: String, fingerprint: UInt64) async throws -> Former {
        let print = Int64(bitPattern: fingerprint)
        return try await queue.run { connection in
            try connection.write {
                let known = try connection.firstRow(
                    "SELECT \"fingerprint\", \"answer\" FROM \"$repeated\" WHERE \"id\" = ?1",
                    [.text(id)]
                ) { (print: $0.integer(0), answer: $0.bytes(1)) }
                guard let known else {
                    try Self.add(id, print, connection)
                    return .new
                }
                guard known.print == print else { return .other }
                return Self.parts(known.answer, to: id).map { .answered($0) } ?? .begun
            }
        }
    }

    private static func add(_ id: String, _ print: Int64, _ connection: SQLiteConnection) throws {
        try connection.run(
            "INSERT INTO \"$repeated\" (\"id\", \"fingerprint\") VALUES (?1, ?2)",
            [.text(id), .integer(print)]
        )
        try connection.run(
            "DELETE FROM \"$repeated\" WHERE \"number\" <= (SELECT max(\"number\") FROM \"$repeated\") - ?1",
            [.integer(Int64(maximumEntries))]
        )
    }

    /// Keeps the answer of a request that was begun.
    func finish(_ id: String, _ parts: [BatchResponsePart]) async throws {
        let answer = Array(Self.text(of: parts, to: id).utf8)
        try await queue.run { connection in
            try connection.write {
                try connection.run(
                    "UPDATE \"$repeated\" SET \"answer\" = ?2 WHERE \"id\" = ?1",
                    [.text(id), .blob(answer)]
                )
            }
        }
    }

    // MARK: Answers as they are kept

    private static func text(of parts: [BatchResponsePart], to id: String) -> String {
        var writer = TokenWriter()
        for part in parts {
            let names: [Scalar] = [part.contentID, part.atomicityGroup].map {
                $0.map { .text($0) } ?? .null
            }
            let fields = part.response.headers.fields.flatMap { field -> [Scalar] in
                [.text(field.name), .text(field.value)]
            }
            let head: [Scalar] = [.integer(Int64(part.response.status)), .blob(part.response.body)]
            writer.write(names + head + fields)
        }
        return writer.text(sealedFor: id)
    }

    /// Reads an answer; nil where there is none.
    private static func parts(_ answer: [UInt8], to id: String) -> [BatchResponsePart]? {
        guard !answer.isEmpty,
            var reader = TokenReader(String(decoding: answer, as: UTF8.self), sealedFor: id)
        else { return nil }
        var parts: [BatchResponsePart] = []
        while !reader.isAtEnd {
            guard let part = reader.scalars().flatMap(part) else { return nil }
            parts.append(part)
        }
        return parts
    }

    private static func part(_ values: [Scalar]) -> BatchResponsePart? {
        guard values.count >= 4, case .integer(let status) = values[2],
            case .blob(let body) = values[3]
        else { return nil }
        let texts = values.dropFirst(4).map(\.textValue)
        let fields = stride(from: 0, to: texts.count - 1, by: 2).map {
            HTTPHeaders.Field(name: texts[$0] ?? "", value: texts[$0 + 1] ?? "")
        }
        return BatchResponsePart(
            contentID: values[0].textValue,
            atomicityGroup: values[1].textValue,
            response: HTTPResponse(
                status: Int(status),
                headers: HTTPHeaders(fields),
                body: body
            )
        )
    }
}

extension Scalar {
    fileprivate var textValue: String? {
        if case .text(let text) = self { text } else { nil }
    }
}
