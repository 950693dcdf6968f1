package import ODataSQLite
import StoreRecords
import ODataSQL
import ODataValues
import ODataModel
import ODataAnswers
import ODataHTTP
package import ODataTables

/// Chooses what can be sent next: requests that wait for nothing, with their references resolved.
package struct UploadPlan {
    let connection: SQLiteConnection
    let schema: TableSchema
    let form: WireForm
    let identities: RequestIdentities
    let unstated: UnstatedETags
    private let calls: UnboundCalls
    var rows: RowEditor { RowEditor(connection, layout: schema.layout) }

    /// - Parameter calls: The calls that are known from former rounds of one upload.
    package init(
        _ connection: SQLiteConnection,
        schema: TableSchema,
        calls: UnboundCalls = UnboundCalls()
    ) throws {
        self.calls = calls
        self.connection = connection
        self.schema = schema
        form = WireForm(
            schema,
            root: try ServiceRoot.text(connection) ?? "",
            isAtom: try StoreState.answersAtom(connection)
        )
        identities = try RequestIdentities(connection, schema: schema)
        unstated = UnstatedETags(connection, schema: schema)
    }

    /// Returns the next units, at most `limit` requests with about so many bytes of bodies; empty where nothing can be sent.
    ///
    /// A transaction is one unit as soon as nothing outside of it has to be sent before; one that is larger goes by itself.
    ///
    /// - Parameters:
    ///   - renewed: Requests that were refused for their ETags alone: they go behind those that name the same entities.
    ///   - isOrderKept: Whether the service carries out in order what comes in one message.
    ///   - newest: None behind this one.
    package func nextUnits(
        limit: Int,
        categories: Set<String>? = nil,
        newest: Int64 = .max,
        byteLimit: Int = .max,
        renewed: Set<Int64> = [],
        isOrderKept: Bool = true
    ) throws -> [OutgoingUnit] {
        var isFree = false
        // What is parked takes the place of others in the limit; each turn parks one at least, so this ends.
        while true {
            let order = isFree ? nil : try calls.order(connection, categories: categories)
            let (units, hasParked) = try chooseUnits(
                limit,
                categories: categories,
                newest: newest,
                byteLimit: byteLimit,
                renewed: renewed,
                order: order,
                isOrderKept: isOrderKept
            )
            guard units.isEmpty else { return units }
            if hasParked { continue }
            // What is left waits for each other, or for a person.
            guard let order, !order.hasSent else { return [] }
            isFree = true
        }
    }

    private func chooseUnits(
        _ limit: Int,
        categories: Set<String>?,
        newest: Int64,
        byteLimit: Int,
        renewed: Set<Int64>,
        order: QueueOrder?,
        isOrderKept: Bool
    ) throws -> (units: [OutgoingUnit], hasParked: Bool) {
        var order = order
        let queue = RequestQueue(connection)
        var units: [OutgoingUnit] = []
        var (number, byteCount) = (0, 0)
        var started: Set<String> = []
        var hasParked = false
        let calls = CalledRows(connection, schema: schema)
        var called = try calls.beingCalled()
        var deleted = try calls.beingDeleted()
        let ready = try queue.ready(limit: limit, categories: categories, newest: newest)
        for entry in ready where number < limit {
            var members = [entry]
            if let transaction = entry.transaction {
                guard started.insert(transaction).inserted else { continue }
                members = try queue.entries(inTransaction: transaction)
            }
            // A call goes before what was changed after it.
            guard order?.allows(members, isKept: isOrderKept) ?? true,
                !members.contains(where: { called.contains($0.row ?? 0) }),
                try !members.contains(where: { try holdsKey(of: deleted, $0) }),
                try !members.contains(where: {
                    try renewed.contains($0.id) && isBehindOthers($0)
                })
            else { continue }
            do {
                for entry in members { try identities.check(entry) }
                let unit = try self.unit(
                    of: members,
                    firstNumber: number + 1,
                    isChangeSet: entry.transaction != nil
                )
                byteCount += unit.byteCount
                number += unit.requests.count
                guard units.isEmpty || byteCount <= byteLimit && number <= limit else { break }
                units.append(unit)
                order?.choose(members)
                for entry in members { called.formUnion(try calls.rows(namedBy: entry)) }
                deleted.formUnion(members.filter(\.isDeletion).compactMap(\.row))
            } catch let reason as UnsendableRequest {
                try queue.park(members.map(\.id), because: reason)
                hasParked = true
            }
        }
        return (units, hasParked)
    }

    /// Whether requests that go before one name its entity: a link, or an entity below, may change the ETag as well.
    private func isBehindOthers(_ entry: QueueEntry) throws -> Bool {
        guard let row = entry.row else { return false }
        return try connection.integer(
            """
            SELECT 1 FROM (SELECT "request" AS "id" FROM "$refers" WHERE "row" = ?2
                UNION SELECT "id" FROM "$queue" WHERE "row" = ?2) n
            JOIN "$queue" q ON q."id" = n."id"
            WHERE q."position" < (SELECT "position" FROM "$queue" WHERE "id" = ?1)
                AND q."status" IN ('pending', 'sending')
                AND (?3 IS NULL OR q."transaction" IS NOT ?3) LIMIT 1
            """,
            [.integer(entry.id), .integer(row), .init(entry.transaction)]
        ) != nil
    }

    /// Whether a request changes an entity that has the key of one whose deletion goes before it: that may change it too.
    private func holdsKey(of deleted: Set<Int64>, _ entry: QueueEntry) throws -> Bool {
        guard !deleted.isEmpty else { return false }
        return try !deleted.isDisjoint(with: principals(of: entry))
    }

    /// The rows whose keys the entity of a request has at the service; none of an entity that it creates.
    private func principals(of entry: QueueEntry) throws -> [Int64] {
        guard !entry.isCreation, let row = entry.row, let table = schema.table(of: entry) else {
            return []
        }
        return try RelatedRows(RowEditor(connection, layout: schema.layout))
            .principals(of: row, table)
    }

    /// Returns the units whose sending was begun and never answered, with the members and in the form that they had.
    package func sentUnits() throws -> [OutgoingUnit] {
        let queue = RequestQueue(connection)
        let entries = try queue.entries([.sending])
        var units: [OutgoingUnit] = []
        var number = 0
        var seen: Set<String> = []
        for entry in entries {
            guard let unit = entry.unit, seen.insert(unit).inserted else { continue }
            let members = entries.filter { $0.unit == unit }
            do {
                units.append(
                    try self.unit(
                        of: members,
                        firstNumber: number + 1,
                        isChangeSet: members.count > 1 || entry.flags.contains(.inChangeSet)
                    )
                )
                number += members.count
            } catch let reason as UnsendableRequest {
                try queue.leaveUnknown(members.map(\.id), because: reason)
            }
        }
        return units
    }

    private func unit(of members: [QueueEntry], firstNumber: Int, isChangeSet: Bool) throws
        -> OutgoingUnit
    {
        var references = ChangeSetReferences(connection, schema: schema, identities: identities)
        var requests: [OutgoingRequest] = []
        var isUnsayable = false
        let behind = try deletionsOfPrincipals(members)
        for (offset, entry) in Self.ordered(members, besides: behind).enumerated() {
            let naming = try references.naming(entry)
            requests.append(try outgoing(entry, number: firstNumber + offset, naming: naming))
            isUnsayable = isUnsayable || naming.isUnsayable
            if members.count > 1 { try references.add(entry, contentID: firstNumber + offset) }
        }
        // A link has a URL of its own, beside that of its entity.
        let touched = members.filter { !$0.isLinkChange }.compactMap(\.row)
        let isRepeated = members.count > 1 && Set(touched).count != touched.count
        return OutgoingUnit(
            requests: requests,
            isChangeSet: isChangeSet,
            obstacle: isRepeated ? .repeatedEntity : isUnsayable ? .bodyReference : nil
        )
    }

    /// Members of a change set, each behind those that it waits for: it may name only what stands before it
    /// (OData 4.01 Part 1 § 11.7.4).
    ///
    /// What is added below an entity may change its ETag (§ 11.4.2): an update of the entity goes before.
    ///
    /// - Parameter behind: By deletions, what else goes before them.
    private static func ordered(_ members: [QueueEntry], besides behind: [Int64: [Int64]])
        -> [QueueEntry]
    {
        let ids = Set(members.map(\.id))
        let above = updatesAbove(members).merging(behind, uniquingKeysWith: +)
        guard !above.isEmpty || members.contains(where: { !ids.isDisjoint(with: $0.dependsOn) })
        else { return members }
        var left = members
        var placed: Set<Int64> = []
        var result: [QueueEntry] = []
        while let index = left.firstIndex(where: { entry in
            (entry.dependsOn + (above[entry.id] ?? []))
                .allSatisfy { placed.contains($0) || !ids.contains($0) }
        }) {
            let next = left.remove(at: index)
            placed.insert(next.id)
            result.append(next)
        }
        return result + left
    }

    /// The changes of entities that have the key of one that is deleted beside them, by its deletion.
    ///
    /// The service may take the key away with the deletion (OData 4.01 Part 1 § 11.4.5), and the entity has another ETag then.
    private func deletionsOfPrincipals(_ members: [QueueEntry]) throws -> [Int64: [Int64]] {
        let deletions = members.filter(\.isDeletion)
        guard members.count > 1, !deletions.isEmpty else { return [:] }
        var behind: [Int64: [Int64]] = [:]
        for member in members where !member.isLinkChange {
            let principals = try principals(of: member)
            for deletion in deletions
            where principals.contains(deletion.row ?? 0) && deletion.row != member.row {
                behind[deletion.id, default: []].append(member.id)
            }
        }
        return behind
    }

    /// The updates of entities below which other members stand, by these.
    private static func updatesAbove(_ members: [QueueEntry]) -> [Int64: [Int64]] {
        let updates = members.filter { ["PATCH", "PUT"].contains($0.method) }
        let byURL = Dictionary(grouping: updates, by: \.url)
        guard !byURL.isEmpty else { return [:] }
        var above: [Int64: [Int64]] = [:]
        for member in members {
            for slash in member.url.indices where member.url[slash] == "/" {
                let owners = byURL[String(member.url[..<slash])] ?? []
                above[member.id, default: []] +=
                    owners
                    .filter { !$0.dependsOn.contains(member.id) }.map(\.id)
            }
        }
        return above.filter { !$0.value.isEmpty }
    }
}
