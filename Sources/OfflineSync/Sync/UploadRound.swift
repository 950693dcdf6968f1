package import StoreUpload
import StoreRecords
package import ODataSQLite
package import OfflineValues
package import ODataHTTP
package import ODataTables
import OfflineStore

/// What is sent together: a batch, or one request where it cannot stand in one.
package struct UploadRound: Sendable {
    package var units: [OutgoingUnit]
    /// Whether it goes as one batch.
    package let isBatch: Bool
    /// Whether it was chosen while another round was at the service, and the file says that it has not been sent.
    package let isHeldBack: Bool
    /// The batch, where it could be made before its time.
    package var encoded: EncodedBatch?

    package init(
        units: [OutgoingUnit],
        isBatch: Bool,
        isHeldBack: Bool,
        encoded: EncodedBatch? = nil
    ) {
        self.units = units
        self.isBatch = isBatch
        self.isHeldBack = isHeldBack
        self.encoded = encoded
    }

    package var requestIDs: [Int64] { units.flatMap { $0.requests.map(\.entry.id) } }

    package var hasStaleETag: Bool {
        units.contains { $0.requests.contains(where: \.hasStaleETag) }
    }

    /// Lets its requests wait again, which the service has not looked at.
    func giveBack(_ connection: SQLiteConnection) throws {
        let queue = RequestQueue(connection)
        for id in requestIDs where try queue.entry(id)?.status == .sending {
            try queue.setPending(id, isForgotten: false)
        }
        if isHeldBack { try UnsentRound.release(connection) }
    }
}

extension OutgoingUnit {
    var hasStream: Bool { requests.contains { $0.entry.stream != nil } }
}

/// That a service takes no batches.
struct NoBatch: Sendable {
    /// Status of the answer that said so; nil where the metadata does.
    var status: Int?
}

/// How the next round is chosen.
package struct RoundChoice: Sendable {
    /// At most so many requests.
    var limit: Int
    /// At most so many bytes of bodies.
    var byteLimit: Int
    /// Only requests of these categories; nil for all.
    var categories: Set<String>?
    /// Only requests up to this one.
    var newest = Int64.max
    /// Whether several requests go as one batch; else only transactions do.
    var isBatching: Bool
    /// Whether the service takes no batches.
    var noBatch: NoBatch?
    /// Whether requests are sent with their identities.
    var isRepeatable: Bool
    /// Whether another round is still at the service.
    var isHeldBack: Bool
    /// Whether the service carries out in order what comes in one message.
    var isOrderKept = true
    /// The calls that keep their place in the order.
    var calls = UnboundCalls()
    /// Requests that were refused for their ETags alone, and wait for others that may change these again.
    var renewed: Set<Int64> = []

    /// What was chosen.
    package struct Chosen: Sendable {
        /// What is sent; nil where nothing can be.
        package var round: UploadRound?
        /// Requests that were refused here, before anything of their transactions was sent.
        package var refused: [OfflineODataFailedRequest] = []
    }

    /// Chooses the next round and writes down that it is being sent, before a byte leaves.
    package func next(_ connection: SQLiteConnection, schema: TableSchema) throws -> Chosen {
        var chosen = Chosen()
        // Every turn but the last takes requests out of the queue, or makes transactions one.
        while true {
            let plan = try UploadPlan(connection, schema: schema, calls: calls)
            let units = try units(of: plan)
            let recorder = UploadRecorder(connection, schema: schema)
            guard !units.isEmpty else {
                let crossing = try CrossingTransactions(connection, schema: schema)
                    .settle(categories: categories)
                for (members, obstacle) in crossing.refused {
                    chosen.refused += try refuse(members, obstacle: obstacle, recorder: recorder)
                }
                guard crossing.hasMerged else { return chosen }
                continue
            }
            let torn = units.filter { obstacle(to: $0) != nil }
            for unit in torn {
                guard let obstacle = obstacle(to: unit) else { continue }
                chosen.refused += try refuse(
                    unit.requests.map(\.entry),
                    obstacle: obstacle,
                    recorder: recorder
                )
            }
            guard torn.isEmpty else { continue }
            chosen.round = try round(units, on: connection)
            return chosen
        }
    }

    private func units(of plan: UploadPlan) throws -> [OutgoingUnit] {
        func units(renewed: Set<Int64>) throws -> [OutgoingUnit] {
            try plan.nextUnits(
                limit: limit,
                categories: categories,
                newest: newest,
                byteLimit: byteLimit,
                renewed: renewed,
                isOrderKept: isOrderKept
            )
        }
        let first = try units(renewed: renewed)
        // What they would wait for may never go: where nothing else is left, they do.
        guard first.isEmpty, !renewed.isEmpty, !isHeldBack else { return first }
        return try units(renewed: [])
    }

    /// Why a transaction cannot be sent as what it is.
    private func obstacle(to unit: OutgoingUnit) -> AtomicityObstacle? {
        guard unit.requests.count > 1 else { return nil }
        if let obstacle = unit.obstacle { return obstacle }
        if unit.hasStream { return .stream }
        return noBatch.map { .noBatch(status: $0.status) }
    }

    private func refuse(
        _ members: [QueueEntry],
        obstacle: AtomicityObstacle,
        recorder: UploadRecorder
    ) throws -> [OfflineODataFailedRequest] {
        let name = members.lazy.compactMap(\.transaction).first ?? ""
        let failure = obstacle.failure(transaction: name, count: members.count)
        return try members.map { entry in
            try recorder.fail(entry, failure: failure)
            return OfflineODataFailedRequest(entry, failure: failure)
        }
    }

    private func round(_ units: [OutgoingUnit], on connection: SQLiteConnection) throws
        -> UploadRound
    {
        // Streams are too large for batches: they go one by one, when nothing else does. What goes by itself is a round by itself:
        // a request that is marked as being sent may have reached the service or not.
        let others = units.filter { !$0.hasStream }
        var units = others.isEmpty ? Array(units.prefix(1)) : others
        let isBatch =
            !others.isEmpty && noBatch == nil
            && (isBatching || units.contains { $0.requests.count > 1 })
        let now = Timestamp.now
        for index in units.indices {
            try mark(&units[index], isBatch: isBatch, now: now, on: connection)
        }
        let round = UploadRound(units: units, isBatch: isBatch, isHeldBack: isHeldBack)
        if isHeldBack { try UnsentRound.hold(round.requestIDs, on: connection) }
        return round
    }

    /// Gives the unit its identity, or leaves it the one that it was sent under before.
    private func mark(
        _ unit: inout OutgoingUnit,
        isBatch: Bool,
        now: String,
        on connection: SQLiteConnection
    ) throws {
        var form: QueueEntry.Flags = []
        if isRepeatable { form.insert(.identified) }
        if isBatch { form.insert(.inBatch) }
        if isBatch && unit.isChangeSet { form.insert(.inChangeSet) }
        let marked = try RequestQueue(connection)
            .markSending(unit.requests.map(\.entry), as: form, now: now)
        for index in unit.requests.indices { unit.requests[index].entry = marked[index] }
    }
}
