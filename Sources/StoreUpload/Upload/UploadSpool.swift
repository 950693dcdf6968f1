import ODataSQL
package import ODataSQLite
import ODataValues
import ODataHTTP

/// Answers of the service that are not yet carried into the store, and requests that something beside this process carries.
///
/// An answer that has come is written here with the next transaction, before the round behind it leaves: a process that ends then has
/// nothing to ask for. A background session of the system goes on when this process has ended; what it is given is written down first,
/// and what it brings is put here by whichever process hears of it. The table is made when the first row needs it.
package struct UploadSpool {
    /// The form in which the answer states the outcomes of the requests.
    package enum Form: Int64, Sendable {
        /// It is the answer to the only request.
        case single = 0
        /// It is the answer to a batch of all of them.
        case batch = 1
        /// Each request has its own, all of them successes.
        case each = 2
    }

    /// What was sent as one.
    package struct Item: Sendable {
        /// Names it, for the session that carries it too.
        package var id: String
        package var form: Form
        /// The Content-IDs under which the requests were sent, by their numbers.
        package var contentIDs: [Int64: Int]
        /// The answers as HTTP messages, by the numbers of the requests; that to a batch stands with the first of them.
        package var answers: [Int64: [UInt8]] = [:]

        package init(
            id: String = LocalID().uuidText,
            form: Form,
            contentIDs: [Int64: Int],
            answers: [Int64: [UInt8]] = [:]
        ) {
            (self.id, self.form, self.contentIDs) = (id, form, contentIDs)
            self.answers = answers
        }

        /// The answer to all requests together.
        package var answer: [UInt8]? { contentIDs.keys.min().flatMap { answers[$0] } }
    }

    private static let table = "$spool"
    private let connection: SQLiteConnection

    package init(_ connection: SQLiteConnection) {
        self.connection = connection
    }

    private func isUsed() throws -> Bool { try connection.tableNames().contains(Self.table) }

    /// Writes down what is given to a session, or what has come; in the place of what was known of these requests.
    package func put(_ item: Item) throws {
        try connection.execute(
            """
            CREATE TABLE IF NOT EXISTS "$spool" ("request" INTEGER PRIMARY KEY, "item" TEXT NOT NULL,
                "form" INTEGER NOT NULL, "contentID" INTEGER NOT NULL, "answer" BLOB)
            """
        )
        for (request, contentID) in item.contentIDs {
            try connection.run(
                "INSERT OR REPLACE INTO \"$spool\" VALUES (?1, ?2, ?3, ?4, ?5)",
                [
                    .integer(request), .text(item.id), .integer(item.form.rawValue),
                    .integer(Int64(contentID)), item.answers[request].map(Scalar.blob) ?? .null,
                ]
            )
        }
    }

    /// Puts down the answer to an item that a session has carried; answers whether the item is known.
    @discardableResult
    package func answer(_ id: String, message: [UInt8]) throws -> Bool {
        guard try isUsed() else { return false }
        try connection.run(
            """
            UPDATE "$spool" SET "answer" = ?2
            WHERE "request" = (SELECT min("request") FROM "$spool" WHERE "item" = ?1)
            """,
            [.text(id), .blob(message)]
        )
        return connection.changedRowCount > 0
    }

    /// Forgets what is known of requests: part of the transaction that takes their answers into the store.
    package func remove(requests: [Int64]) throws {
        guard try !requests.isEmpty && isUsed() else { return }
        for request in requests {
            try connection.run("DELETE FROM \"$spool\" WHERE \"request\" = ?1", [.integer(request)])
        }
    }

    /// Everything that belongs to requests whose outcome is not known.
    ///
    /// What was left of others is forgotten: a process without the session that carried them has asked the service for them.
    package func items() throws -> [Item] {
        guard try isUsed() else { return [] }
        try connection.run(
            """
            DELETE FROM "$spool" WHERE "request" NOT IN (SELECT "id" FROM "$queue" WHERE "status" = 'sending')
            """
        )
        var items: [Item] = []
        try connection.forEachRow(
            "SELECT \"request\", \"item\", \"form\", \"contentID\", \"answer\" FROM \"$spool\" ORDER BY \"request\""
        ) { row in
            let (request, id) = (row.integer(0), row.string(1))
            guard let form = Form(rawValue: row.integer(2)) else { return }
            let index = items.firstIndex { $0.id == id } ?? items.endIndex
            if index == items.endIndex { items.append(Item(id: id, form: form, contentIDs: [:])) }
            items[index].contentIDs[request] = Int(row.integer(3))
            guard !row.isNull(4), case .blob(let answer) = row.scalar(4) else { return }
            items[index].answers[request] = answer
        }
        return items
    }

    /// Forgets an item.
    package func remove(_ id: String) throws {
        guard try isUsed() else { return }
        try connection.run("DELETE FROM \"$spool\" WHERE \"item\" = ?1", [.text(id)])
    }
}
