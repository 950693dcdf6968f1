import OfflinePolicies
import ODataValues
import OfflineOData
import Synchronization

/// Fetches of resources: one at a time for each of them, those in the background a few at a time.
///
///     run ──────────┐
///                   ├─> running: name → task   (a second reader of the name waits for the same task)
///     schedule ─> waiting, by priority
final class FetchQueue: Sendable {
    typealias Work = @Sendable () async throws -> ReadSource

    private let maximumConcurrency: Int
    private let state = Mutex(State())

    private struct Job {
        var name: String
        var priority: PinPriority
        var work: Work
    }

    private struct State {
        var running: [String: Task<ReadSource, any Error>] = [:]
        var waiters: [String: Int] = [:]
        var waiting: [Job] = []
        /// Refreshes that run in the background, by name.
        var refreshing: [String: Task<Void, Never>] = [:]
        var idle: [CheckedContinuation<Void, Never>] = []
        var isStopped = false
        /// The failures of refreshes that were not reported yet, the oldest first.
        var failures: [(name: String, error: OfflineODataError)] = []
        /// The most refreshes that ever ran at the same time.
        var peak = 0

        var isIdle: Bool { waiting.isEmpty && refreshing.isEmpty }

        mutating func takeIdle() -> [CheckedContinuation<Void, Never>] {
            guard isIdle else { return [] }
            defer { idle = [] }
            return idle
        }
    }

    init(maximumConcurrency: Int) {
        self.maximumConcurrency = max(1, maximumConcurrency)
    }

    /// The most refreshes that ever ran at the same time.
    var peak: Int { state.guarded { $0.peak } }

    /// How many readers wait for a fetch.
    func readerCount(of name: String) -> Int { state.guarded { $0.waiters[name] ?? 0 } }

    // MARK: For a reader

    /// Runs a fetch, or waits for the one of the same name that runs already.
    func run(_ name: String, work: @escaping Work) async throws -> ReadSource {
        let task = state.guarded { state -> Task<ReadSource, any Error> in
            state.waiters[name, default: 0] += 1
            if let running = state.running[name] { return running }
            let task = Task { [self] in
                defer { ended(name) }
                return try await work()
            }
            state.running[name] = task
            return task
        }
        return try await withTaskCancellationHandler {
            try await task.value
        } onCancel: {
            leave(name, task: task)
        }
    }

    private func ended(_ name: String) {
        state.guarded { state in
            state.running[name] = nil
            state.waiters[name] = nil
        }
    }

    /// The last reader that gives up cancels the fetch.
    private func leave(_ name: String, task: Task<ReadSource, any Error>) {
        let isLast = state.guarded { state in
            guard state.running[name] == task else { return false }
            state.waiters[name, default: 1] -= 1
            return state.waiters[name] == 0 && state.refreshing[name] == nil
        }
        if isLast { task.cancel() }
    }

    // MARK: In the background

    /// Lets a refresh run when its turn comes; one that waits or runs already for the name does.
    func schedule(_ name: String, priority: PinPriority, work: @escaping Work) {
        state.guarded { state in
            guard !state.isStopped, state.refreshing[name] == nil, state.running[name] == nil,
                !state.waiting.contains(where: { $0.name == name })
            else { return }
            let place = state.waiting.firstIndex { $0.priority > priority } ?? state.waiting.count
            state.waiting.insert(Job(name: name, priority: priority, work: work), at: place)
        }
        startNext()
    }

    private func startNext() {
        state.guarded { state in
            while !state.isStopped, state.refreshing.count < maximumConcurrency,
                !state.waiting.isEmpty
            {
                let job = state.waiting.removeFirst()
                state.refreshing[job.name] = Task { [self] in await refresh(job) }
                state.peak = max(state.peak, state.refreshing.count)
            }
        }
    }

    private func refresh(_ job: Job) async {
        // A refresh that fails leaves the copy as it is; the next one may succeed.
        do {
            _ = try await run(job.name, work: job.work)
        } catch let error as OfflineODataError {
            note(error, of: job.name)
        } catch {}
        let idle = state.guarded { state -> [CheckedContinuation<Void, Never>] in
            state.refreshing[job.name] = nil
            return state.takeIdle()
        }
        for continuation in idle { continuation.resume() }
        startNext()
    }

    /// Failures that are kept at most: an application may never ask for them.
    private static let maximumFailures = 100

    private func note(_ error: OfflineODataError, of name: String) {
        state.guarded { state in
            state.failures.removeAll { $0.name == name }
            state.failures.append((name, error))
            if state.failures.count > Self.maximumFailures { state.failures.removeFirst() }
        }
    }

    /// Returns why refreshes have failed since the last call.
    func takeFailures() -> [(name: String, error: OfflineODataError)] {
        state.guarded { state in
            defer { state.failures = [] }
            return state.failures
        }
    }

    /// Waits until no refresh waits or runs.
    func finish() async {
        await withCheckedContinuation { continuation in
            let isIdle = state.guarded { state in
                guard !state.isIdle else { return true }
                state.idle.append(continuation)
                return false
            }
            if isIdle { continuation.resume() }
        }
    }

    /// Forgets refreshes that wait, cancels those that run, and waits for their end.
    func stop() async {
        let tasks = state.guarded { state in
            state.isStopped = true
            state.waiting = []
            return Array(state.refreshing.values)
        }
        for task in tasks { task.cancel() }
        for task in tasks { await task.value }
    }

    /// Lets refreshes run again.
    func resume() {
        state.guarded { $0.isStopped = false }
    }
}
