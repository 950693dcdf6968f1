import ODataHTTP
import ODataSQLite
import ODataValues

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

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
                return known.answer.isEmpty ? .begun : .answered(try Self.parts(known.answer))
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
        let answer = [UInt8](try JSONEncoder().encode(parts.map(KeptPart.init)))
        try await queue.run { connection in
            try connection.write {
                try connection.run(
                    "UPDATE \"$repeated\" SET \"answer\" = ?2 WHERE \"id\" = ?1",
                    [.text(id), .blob(answer)]
                )
            }
        }
    }

    private static func parts(_ answer: [UInt8]) throws -> [BatchResponsePart] {
        try JSONDecoder().decode([KeptPart].self, from: Data(answer)).map(\.part)
    }

    /// A part as it is kept.
    private struct KeptPart: Codable {
        var contentID: String?
        var atomicityGroup: String?
        var status: Int
        var headers: HTTPHeaders
        var body: Data

        init(_ part: BatchResponsePart) {
            contentID = part.contentID
            atomicityGroup = part.atomicityGroup
            status = part.response.status
            headers = part.response.headers
            body = Data(part.response.body)
        }

        var part: BatchResponsePart {
            BatchResponsePart(
                contentID: contentID,
                atomicityGroup: atomicityGroup,
                response: HTTPResponse(status: status, headers: headers, body: [UInt8](body))
            )
        }
    }
}
