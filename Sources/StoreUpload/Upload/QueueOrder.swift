import StoreRecords

/// The order of what waits or is at the service, a transaction as a whole where its first member stands, as far as calls keep it.
struct QueueOrder {
    /// Place of each request.
    private var places: [Int64: Int] = [:]
    /// Places of calls, in order.
    private var calls: [Int] = []
    private var chosen: Set<Int> = []
    /// The first place that is not chosen.
    private var firstOpen = 0
    /// Index of the first call that is not chosen.
    private var firstOpenCall = 0
    private var hasChosenCall = false
    /// Streams go when nothing else does.
    private var hasChosenStream = false
    /// Whether anything is at the service.
    private(set) var hasSent = false

    var hasCalls: Bool { !calls.isEmpty }

    mutating func append(_ id: Int64, isCall: Bool, isSent: Bool) {
        if isCall { calls.append(places.count) }
        places[id] = places.count
        hasSent = hasSent || isSent
    }

    /// Whether a unit may be sent beside what is chosen.
    ///
    /// - Parameter isKept: Whether the service carries out in order what comes in one message.
    func allows(_ members: [QueueEntry], isKept: Bool) -> Bool {
        guard let first = members.compactMap({ places[$0.id] }).min() else { return true }
        guard isKept || !hasChosenCall else { return false }
        guard hasCall(members) else {
            return firstOpenCall == calls.count || calls[firstOpenCall] > first
        }
        return firstOpen >= first && !hasChosenStream && (isKept || chosen.isEmpty)
    }

    mutating func choose(_ members: [QueueEntry]) {
        hasChosenCall = hasChosenCall || hasCall(members)
        hasChosenStream = hasChosenStream || members.contains { $0.stream != nil }
        chosen.formUnion(members.compactMap { places[$0.id] })
        while chosen.contains(firstOpen) { firstOpen += 1 }
        while firstOpenCall < calls.count, chosen.contains(calls[firstOpenCall]) {
            firstOpenCall += 1
        }
    }

    private func hasCall(_ members: [QueueEntry]) -> Bool {
        members.contains { $0.isUnboundCall }
    }
}
