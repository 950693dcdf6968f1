import ODataProtocol
import ODataTables
import OfflineStore

/// What is sent together: a batch, or single requests where they cannot stand in one.
struct UploadRound: Sendable {
    var units: [OutgoingUnit]
    /// Whether it was chosen while another round was at the service, and the file says that it has not been sent.
    let isHeldBack: Bool
    /// The batch, where it could be made before its time.
    var encoded: EncodedBatch?

    var requestIDs: [Int64] { units.flatMap { $0.requests.map(\.entry.id) } }

    var hasStaleETag: Bool { units.contains { $0.requests.contains(where: \.hasStaleETag) } }

    /// Streams are too large for batches and go by themselves.
    var hasStreams: Bool { units.contains(where: \.hasStream) }

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

/// How the next round is chosen.
struct RoundChoice: Sendable {
    /// At most so many requests.
    var limit: Int
    /// Only requests of these categories; nil for all.
    var categories: Set<String>?
    /// Whether the service takes batches.
    var isBatching: Bool
    /// Whether another round is still at the service.
    var isHeldBack: Bool

    /// Chooses the next round and writes down that it is being sent, before a byte leaves; nil where nothing can be sent.
    func next(_ connection: SQLiteConnection, _ schema: TableSchema) throws -> UploadRound? {
        let plan = try UploadPlan(connection, schema)
        var units = try plan.nextUnits(
            limit: limit,
            categories: categories,
            grouping: isBatching
        )
        // Streams go when nothing else does.
        let others = units.filter { !$0.hasStream }
        if isBatching, !others.isEmpty { units = others }
        guard !units.isEmpty else { return nil }
        let now = Timestamp.now
        for index in units.indices { try mark(&units[index], now, connection) }
        let round = UploadRound(units: units, isHeldBack: isHeldBack)
        if isHeldBack { try UnsentRound.hold(round.requestIDs, connection) }
        return round
    }

    /// Gives the unit its identity, or leaves it the one that it was sent under before.
    private func mark(
        _ unit: inout OutgoingUnit,
        _ now: String,
        _ connection: SQLiteConnection
    ) throws {
        let name = unit.requests.lazy.compactMap(\.entry.unit).first ?? LocalID().uuidText
        try RequestQueue(connection).markSending(
            unit.requests.map(\.entry.id),
            unit: name,
            firstSent: now
        )
        for index in unit.requests.indices {
            unit.requests[index].entry.status = .sending
            unit.requests[index].entry.unit = name
            unit.requests[index].entry.firstSent =
                unit.requests[index].entry.firstSent ?? now
        }
    }
}
