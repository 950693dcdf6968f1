import ODataSQLite
import ODataValues
import Synchronization

/// Carries out changes that wait at the same time in one transaction: they share its sync, which costs more than all the rest.
///
/// Each change stands in a savepoint of its own, so one that fails takes nothing from its neighbours. Success is reported after
/// the commit only.
final class WriteGroup: Sendable {
    private let queue: DatabaseQueue
    private let waiting = Mutex<[Job]>([])

    /// Changes of one transaction, at most: more would let the first ones wait for nothing.
    static let limit = 256

    /// A change, and its completion handler.
    private struct Job: Sendable {
        /// Makes the change; returns the function that reports its success.
        var run: @Sendable (SQLiteConnection) throws -> @Sendable () -> Void
        var fail: @Sendable (any Error) -> Void
    }

    init(_ queue: DatabaseQueue) {
        self.queue = queue
    }

    /// Runs a change together with those that wait.
    func run<R: Sendable>(
        _ body: @escaping @Sendable (SQLiteConnection) throws -> R
    ) async throws -> R {
        try await withCheckedThrowingContinuation { continuation in
            let job = Job(
                run: { connection in
                    let result = try body(connection)
                    return { continuation.resume(returning: result) }
                },
                fail: { continuation.resume(throwing: $0) }
            )
            let isFirst = waiting.guarded { waiting in
                waiting.append(job)
                return waiting.count == 1
            }
            // Whoever finds the list empty sees to it that it is emptied.
            if isFirst { queue.enqueue { [self] in drain($0) } }
        }
    }

    private func drain(_ connection: SQLiteConnection) {
        // They stay in the list until they are done, so that no other thread begins to empty it.
        let jobs = waiting.guarded { Array($0.prefix(Self.limit)) }
        carryOut(jobs, on: connection)
        let isEmpty = waiting.guarded { waiting in
            waiting.removeFirst(jobs.count)
            return waiting.isEmpty
        }
        // Behind whatever else waits for the connection by now.
        if !isEmpty { queue.enqueue { [self] in drain($0) } }
    }

    private func carryOut(_ jobs: [Job], on connection: SQLiteConnection) {
        guard jobs.count > 1 else {
            if let job = jobs.first { alone(job, on: connection) }
            return
        }
        var outcomes: [Result<@Sendable () -> Void, any Error>] = []
        do {
            try connection.write {
                for job in jobs {
                    let outcome = Result { try connection.savepoint { try job.run(connection) } }
                    // Some errors, a full disk among them, have rolled back everybody's changes.
                    guard connection.isInTransaction else { throw RolledBack() }
                    outcomes.append(outcome)
                }
            }
        } catch {
            // Nothing has been done: each gets its own chance, and its own error.
            for job in jobs { alone(job, on: connection) }
            return
        }
        for (job, outcome) in zip(jobs, outcomes) {
            switch outcome {
            case .success(let complete): complete()
            case .failure(let error): job.fail(error)
            }
        }
    }

    private func alone(_ job: Job, on connection: SQLiteConnection) {
        do {
            let complete = try connection.write { try job.run(connection) }
            complete()
        } catch {
            job.fail(error)
        }
    }

    private struct RolledBack: Error {}
}
