import ODataSQLite
import ODataValues
import ODataSQL

/// Where requests stand, and their order.
extension RequestQueue {
    /// Sets where a request stands.
    package func set(_ status: QueueEntry.Status, of id: Int64) throws {
        try connection.run(
            "UPDATE \"$queue\" SET \"status\" = ?2 WHERE \"id\" = ?1",
            [.integer(id), .text(status.rawValue)]
        )
    }

    /// Lets a request wait again that the service has not carried out.
    ///
    /// - Parameter isForgotten: Whether the service must not recognise it when it is sent again.
    package func setPending(_ id: Int64, isForgotten: Bool) throws {
        try connection.run(
            "UPDATE \"$queue\" SET \"status\" = 'pending', \"message\" = NULL WHERE \"id\" = ?1",
            [.integer(id)]
        )
        guard isForgotten else { return }
        try connection.run(
            "UPDATE \"$queue\" SET \"unit\" = NULL, \"firstSent\" = NULL WHERE \"id\" = ?1",
            [.integer(id)]
        )
    }

    /// Writes down that requests are being sent as one unit, before any byte leaves; answers them so.
    ///
    /// - Parameter form: How they are sent: some of `QueueEntry.Flags.sending`.
    package func markSending(
        _ entries: [QueueEntry],
        as form: QueueEntry.Flags,
        now: String
    ) throws -> [QueueEntry] {
        let keeps = try keepsIdentity(entries, as: form)
        let unit = keeps ? entries.first?.unit : nil
        let name = unit ?? LocalID().uuidText
        // Where an earlier sending was to be asked for says nothing about this one.
        try AcceptedRequests(connection).forget(entries.map(\.id))
        return try entries.map { entry in
            var entry = entry
            entry.status = .sending
            entry.unit = name
            entry.firstSent = keeps ? entry.firstSent ?? now : now
            entry.flags = entry.flags.subtracting(.sending).union(form)
            try connection.run(
                """
                UPDATE "$queue" SET "status" = 'sending', "unit" = ?2, "firstSent" = ?3, "flags" = ?4
                WHERE "id" = ?1
                """,
                [
                    .integer(entry.id), .text(name), .init(entry.firstSent),
                    .integer(entry.flags.rawValue),
                ]
            )
            return entry
        }
    }

    /// Whether a unit is what was sent under its identity before: the same requests in the same form
    /// (Repeatable Requests 1.0 § 4).
    private func keepsIdentity(_ entries: [QueueEntry], as form: QueueEntry.Flags) throws -> Bool {
        guard let unit = entries.first?.unit,
            entries.allSatisfy({
                $0.unit == unit && $0.flags.intersection(.sending) == form
            })
        else { return false }
        let count = try connection.integer(
            "SELECT count(*) FROM \"$queue\" WHERE \"unit\" = ?1",
            [.text(unit)]
        )
        return count == Int64(entries.count)
    }

    /// Returns the requests that were sent as one with this one.
    package func entries(ofUnit unit: String) throws -> [QueueEntry] {
        try entries([.sending, .unknownOutcome]).filter { $0.unit == unit }
    }

    /// Takes a request out, and the contents of streams that nothing else names.
    package func remove(_ id: Int64) throws {
        try StoreStreams(connection).sweep(withdraw(id))
    }

    /// Takes a request out and returns the contents of streams that it named: the caller sweeps them when it has used them.
    package func withdraw(_ id: Int64) throws -> [Int64] {
        let journal = EffectJournal(connection)
        let contents = try journal.contents(of: id)
        try endIdentity(ofFellowsOf: id)
        try connection.run(
            """
            UPDATE "$meta" SET "value" = max("value", ?1) WHERE "key" = 'request' AND "value" < ?1
            """,
            [.integer(id)]
        )
        try connection.run("DELETE FROM \"$queue\" WHERE \"id\" = ?1", [.integer(id)])
        try connection.run(
            "DELETE FROM \"$depends\" WHERE \"request\" = ?1 OR \"on\" = ?1",
            [.integer(id)]
        )
        try connection.run("DELETE FROM \"$refers\" WHERE \"request\" = ?1", [.integer(id)])
        try journal.remove(id)
        return contents
    }

    /// What is left of a change set is another request than the one that was sent: it gets an identity of its own
    /// (Repeatable Requests 1.0 § 4).
    private func endIdentity(ofFellowsOf id: Int64) throws {
        try connection.run(
            """
            UPDATE "$queue" SET "flags" = "flags" & ~\(QueueEntry.Flags.sending.rawValue)
            WHERE "transaction" = (SELECT "transaction" FROM "$queue" WHERE "id" = ?1) AND "id" <> ?1
                AND "unit" = (SELECT "unit" FROM "$queue" WHERE "id" = ?1)
                AND "flags" & \(QueueEntry.Flags.identified.rawValue) <> 0
            """,
            [.integer(id)]
        )
    }

    /// Puts a refused request into the error archive and parks what depends on it.
    package func fail(_ id: Int64, failure: QueueEntry.Failure) throws {
        try connection.run(
            """
            UPDATE "$queue" SET "status" = 'failed', "httpStatus" = ?2, "code" = ?3, "message" = ?4,
                "innerError" = ?5, "answer" = ?6 WHERE "id" = ?1
            """,
            [
                .integer(id), .integer(Int64(failure.httpStatus)), .text(failure.code),
                .text(failure.message), .init(failure.innerError), .init(failure.answer),
            ]
        )
        try park(behind: [id])
    }

    /// Parks what waits for some requests, and the other members of the transactions of both.
    ///
    /// What is at the service just now has an answer of its own.
    package func park(behind ids: [Int64]) throws {
        for id in ids {
            try connection.run(
                """
                WITH RECURSIVE "blocked"("id") AS (
                    SELECT ?1 UNION SELECT d."request" FROM "blocked" b JOIN "$depends" d ON d."on" = b."id"
                    UNION \(Self.fellows))
                UPDATE "$queue" SET "status" = 'parked', ("code", "message") = (
                    SELECT ?3, ?2 FROM "$queue" q
                    WHERE q."id" = ?1 AND q."transaction" = "$queue"."transaction")
                WHERE "status" = 'pending' AND "id" IN (SELECT "id" FROM "blocked") AND "id" <> ?1
                """,
                [
                    .integer(id), .text("request \(id) of its transaction was refused"),
                    .text(UnsendableRequest.failedDependency),
                ]
            )
        }
    }

    /// The other members of the transactions of what is blocked.
    private static let fellows = """
        SELECT m."id" FROM "blocked" b JOIN "$queue" q ON q."id" = b."id"
        JOIN "$queue" m ON m."transaction" = q."transaction"
        """

    /// Forgets the refusal of a request and the identity that it was sent under: it waits again.
    package func reset(_ id: Int64) throws {
        try connection.run(
            """
            UPDATE "$queue" SET "status" = 'pending', "unit" = NULL, "firstSent" = NULL,
                "flags" = "flags" & ~\(QueueEntry.Flags.sending.rawValue),
                "httpStatus" = NULL, "code" = NULL, "message" = NULL, "innerError" = NULL,
                "answer" = NULL WHERE "id" = ?1
            """,
            [.integer(id)]
        )
    }

    /// Parks requests that cannot be sent as they are, with the reason and with what depends on them.
    package func park(_ ids: [Int64], because reason: UnsendableRequest) throws {
        for id in ids {
            try connection.run(
                """
                UPDATE "$queue" SET "status" = 'parked', "httpStatus" = NULL, "code" = ?2, "message" = ?3
                WHERE "id" = ?1
                """,
                [
                    .integer(id), .text(reason.code),
                    .text(
                        id == reason.request
                            ? reason.message
                            : "waits for request \(reason.request): \(reason.message)"
                    ),
                ]
            )
        }
        for id in ids {
            for dependent in try behind(id) where !ids.contains(dependent) {
                try set(.parked, of: dependent)
            }
        }
    }

    /// Leaves requests to a decision whose answer was lost and that cannot be said again.
    package func leaveUnknown(_ ids: [Int64], because reason: UnsendableRequest) throws {
        for id in ids {
            try leaveUnknown(id, code: reason.code, message: reason.message)
        }
    }

    /// Leaves a request to a decision whose answer was lost, and says what can be done.
    package func leaveUnknown(_ id: Int64) throws {
        try leaveUnknown(id, code: "LostAnswer", message: loss(of: id) + Self.lostAnswer)
    }

    /// Notes what the service has said instead of answering a request, until it is known what became of that.
    package func noteLoss(of id: Int64, _ text: String) throws {
        try connection.run(
            "UPDATE \"$queue\" SET \"message\" = ?2 WHERE \"id\" = ?1",
            [.integer(id), .text(text)]
        )
    }

    private func loss(of id: Int64) throws -> String {
        let noted = try connection.firstRow(
            "SELECT \"message\" FROM \"$queue\" WHERE \"id\" = ?1 AND \"status\" = 'sending'",
            [.integer(id)]
        ) { $0.optionalString(0) }
        return (noted ?? nil) ?? "the answer was lost"
    }

    /// Lets a request be sent again whose answer was lost and whose effect the service does not show.
    package func sendAgain(_ id: Int64) throws {
        try setPending(id, isForgotten: false)
        try connection.run(
            "UPDATE \"$queue\" SET \"flags\" = \"flags\" | ?2 WHERE \"id\" = ?1",
            [.integer(id), .integer(QueueEntry.Flags.hasLostAnswer.rawValue)]
        )
    }

    /// Leaves a request undecided until the service shows what became of it: the next upload looks again.
    package func leaveUnseen(_ id: Int64) throws {
        try leaveUnknown(id, code: Self.failedLook, message: loss(of: id) + Self.unseen)
    }

    /// Takes up requests again of which the service failed to show what became of them.
    package func lookAgain() throws {
        try connection.run(
            """
            UPDATE "$queue" SET "status" = 'sending', "code" = NULL, "message" = NULL
                WHERE "status" = 'unknownOutcome' AND "code" = ?1
            """,
            [.text(Self.failedLook)]
        )
    }

    private static let failedLook = "FailedLook"

    private static let unseen =
        ", and the service failed when it was asked whether the request was carried out: the next upload asks again;"
        + " or look for its effect there and retry it, drop it, or name what it created with 'identify'"

    private static let lostAnswer =
        ", and the service does not show whether the request was carried out: look for its effect there;"
        + " then retry it, drop it, or name what it created with 'identify'"

    private func leaveUnknown(_ id: Int64, code: String, message: String) throws {
        try connection.run(
            """
            UPDATE "$queue" SET "status" = 'unknownOutcome', "code" = ?2, "message" = ?3 WHERE "id" = ?1
            """,
            [.integer(id), .text(code), .text(message)]
        )
    }

    /// Lets parked requests wait again whose dependencies are refused no more.
    package func unpark() throws {
        try connection.execute(
            """
            WITH RECURSIVE "blocked"("id") AS (
                SELECT "id" FROM "$queue" WHERE "status" = 'failed'
                UNION SELECT "request" FROM "$depends" JOIN "blocked" ON "on" = "blocked"."id"
                UNION \(Self.fellows))
            UPDATE "$queue" SET "status" = 'pending', "code" = NULL, "message" = NULL
            WHERE "status" = 'parked' AND "id" NOT IN (SELECT "id" FROM "blocked")
            """
        )
    }

    /// Returns the ids of all requests in their order.
    package func order() throws -> [Int64] {
        var order: [Int64] = []
        try connection.forEachRow("SELECT \"id\" FROM \"$queue\" ORDER BY \"position\", \"id\"") {
            order.append($0.integer(0))
        }
        return order
    }

    /// Gives the positions of the queue to its requests in a new order; later requests still come after all of them.
    package func setOrder(_ order: [Int64]) throws {
        let positions = try positions()
        for (id, position) in zip(order, positions) {
            try connection.run(
                "UPDATE \"$queue\" SET \"position\" = ?2 WHERE \"id\" = ?1 AND \"position\" <> ?2",
                [.integer(id), .integer(position)]
            )
        }
    }

    private func positions() throws -> [Int64] {
        var positions: [Int64] = []
        try connection.forEachRow("SELECT \"position\" FROM \"$queue\" ORDER BY \"position\"") {
            positions.append($0.integer(0))
        }
        return positions
    }

    /// Returns the requests that have no object without one, directly or not.
    ///
    /// A deletion that only goes behind a request, since that takes another entity away from what is deleted, has its object without it.
    package func dependents(of id: Int64) throws -> [Int64] {
        try behind(id, where: Self.isAboutTheSame)
    }

    /// The requests that wait for one, directly or not.
    private func behind(_ id: Int64, where condition: String = "1") throws -> [Int64] {
        var found: [Int64] = []
        try connection.forEachRow(
            """
            WITH RECURSIVE "waiting"("id") AS (
                SELECT d."request" FROM "$depends" d WHERE d."on" = ?1 AND \(condition)
                UNION SELECT d."request" FROM "$depends" d JOIN "waiting" ON d."on" = "waiting"."id"
                    AND \(condition))
            SELECT "id" FROM "waiting" ORDER BY "id"
            """,
            [.integer(id)]
        ) { found.append($0.integer(0)) }
        return found
    }

    /// The SQL condition that a dependency `d` is none of a deletion, or that both requests are about one row.
    private static let isAboutTheSame = """
        (NOT EXISTS (SELECT 1 FROM "$effect" e WHERE e."request" = d."request"
            AND e."kind" = \(EffectJournal.Kind.deleted.rawValue))
        OR EXISTS (SELECT 1 FROM (\(rows(of: "d.\"request\""))) WHERE "row" IN (\(rows(of: "d.\"on\"")))))
        """

    /// The SQL for the rows that a request names, changes or is about.
    private static func rows(of request: String) -> String {
        """
        SELECT "row" FROM "$effect" WHERE "request" = \(request) AND "target" IS NULL
        UNION SELECT "row" FROM "$queue" WHERE "id" = \(request) AND "row" IS NOT NULL
        UNION SELECT "row" FROM "$refers" WHERE "request" = \(request)
        """
    }
}
