import StoreRecords

/// What became of requests that were not to wait.
package struct UnwaitingRequests: Sendable {
    /// Taken back, with their effect on the store.
    package var takenBack: Set<Int64> = []
    /// Not sent, and left in the queue: changes of others were made on theirs and wait for them, or they are an earlier one's part.
    package var needed: Set<Int64> = []
    /// On their way, or their answer was lost.
    package var undecided: Set<Int64> = []
    /// In the error archive.
    package var refused: Set<Int64> = []
    /// Neither in the queue nor in the archive any more: the service has carried them out.
    package var carriedOut: Set<Int64> = []

    init() {}
}

extension QueueEditor {
    /// Takes requests back as far as none of them was sent and nothing else depends on them.
    package func takeBackUnsent(_ made: MadeRequests) throws -> UnwaitingRequests {
        var found = UnwaitingRequests()
        let ids = made.own
        for id in ids.union(made.joined).sorted() {
            switch try queue.entry(id)?.status {
            case nil: found.carriedOut.insert(id)
            case .failed: found.refused.insert(id)
            case .sending, .unknownOutcome: found.undecided.insert(id)
            case .pending, .parked:
                let isNeeded =
                    try !ids.contains(id) || !queue.dependents(of: id).allSatisfy(ids.contains)
                if isNeeded { found.needed.insert(id) } else { found.takenBack.insert(id) }
            }
        }
        _ = try noting("taken back") { try $0.dropAlone(found.takenBack) }
        return found
    }
}
