import OfflineProvider
import OfflineValues

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// The work on one store of a job.
struct JobStoreRun {
    private let runner: OfflineODataJobRunner
    private let store: OfflineODataJob.Store
    private let former: OfflineODataJobOutcome?
    private var outcome: OfflineODataJobOutcome
    /// Steps that are carried out, or were not due; a later attempt goes on behind them.
    private var doneCount = 0
    /// Whether there was no store before this run.
    private var isNew = false

    private var job: OfflineODataJob { runner.job }
    private var file: String { job.resolved(store.path) }

    /// How long the service has asked to be left alone.
    private var askedPause = Duration.zero

    /// The longest pause between two attempts: a store whose service asks for more is left to the next run.
    private static let longestPause = Duration.seconds(300)

    init(
        runner: OfflineODataJobRunner,
        store: OfflineODataJob.Store,
        former: OfflineODataJobOutcome?
    ) {
        self.runner = runner
        self.store = store
        self.former = former
        outcome = OfflineODataJobOutcome(
            store: store.path,
            status: .done,
            attempts: 0,
            started: runner.clock.now(),
            duration: .zero,
            steps: []
        )
    }

    /// Whether a step was carried out so recently that it is not due.
    static func isFresh(
        _ step: OfflineODataJobStep,
        _ former: OfflineODataJobOutcome?,
        _ now: Date
    ) -> Bool {
        guard let every = step.every,
            let last = former?.steps.first(where: { $0.name == step.name })
        else { return false }
        return last.finished.addingTimeInterval(every / .seconds(1)) > now
    }

    /// Works on the store and returns what became of it.
    ///
    /// - Throws: `CancellationError`.
    mutating func run() async throws -> OfflineODataJobOutcome {
        let start = ContinuousClock.now
        var pause = job.retries.delay
        while true {
            outcome.attempts += 1
            try await attempt()
            guard outcome.status == .unreachable, outcome.attempts <= job.retries.count,
                askedPause <= Self.longestPause
            else { break }
            try await runner.clock.pause(max(askedPause, min(pause, Self.longestPause)))
            pause = min(pause * 2, Self.longestPause)
        }
        if isNew, !outcome.isFinished { await removeEmptyStore() }
        outcome.duration = .now - start
        try await callLastHook()
        outcome.duration = .now - start
        return outcome
    }

    private mutating func attempt() async throws {
        outcome.failure = nil
        var step = "prepare"
        do {
            if outcome.attempts == 1 {
                step = "before"
                try await call(.before, job.hooks.before)
                step = "prepare"
            }
            let provider = try provider()
            do {
                try await work(provider, &step)
            } catch {
                try? await provider.close(force: true)
                throw error
            }
            try await end(provider)
        } catch {
            if OfflineODataError.isCancellation(error) { throw CancellationError() }
            note(error, step)
        }
    }

    private mutating func work(
        _ provider: OfflineODataProvider,
        _ current: inout String
    ) async throws {
        for step in job.steps.dropFirst(doneCount) {
            current = step.name
            if Self.isFresh(step, former, outcome.started), var last = formerStep(step.name) {
                last.isSkipped = true
                outcome.steps.append(last)
            } else {
                try await carryOut(step, provider)
            }
            if case .upload = step.action { try await noteRefusals(provider) }
            doneCount += 1
        }
    }

    private func formerStep(_ name: String) -> OfflineODataJobOutcome.Step? {
        former?.steps.first { $0.name == name }
    }

    private mutating func carryOut(
        _ step: OfflineODataJobStep,
        _ provider: OfflineODataProvider
    ) async throws {
        let start = ContinuousClock.now
        let counts = try await JobStepRun(runner: runner, store: store, provider: provider)
            .run(step.action)
        outcome.steps.append(
            OfflineODataJobOutcome.Step(
                name: step.name,
                finished: runner.clock.now(),
                duration: .now - start,
                counts: counts
            )
        )
    }

    private mutating func provider() throws -> OfflineODataProvider {
        let parameters = try JobParameters(job: job, store: store).make()
        try runner.handlers.prepare(file, parameters)
        isNew = isNew || !FileManager.default.fileExists(atPath: file)
        let root = (store.service ?? job.service).map { JobVariables(store).filled($0) }
        return try OfflineODataProvider(
            storeFile: file,
            isCreating: job.steps.contains { $0.action == .open } && root != nil,
            serviceRoot: root,
            parameters: parameters
        )
    }

    /// Removes the store that this run has made where the service has answered nothing: the next run makes it again.
    private mutating func removeEmptyStore() async {
        guard let provider = try? provider() else { return }
        // Metadata come first: without them nothing was loaded or changed.
        guard let status = try? await provider.status(), status.odataVersion == nil,
            status.queueCount == 0, status.errorCount == 0
        else {
            try? await provider.close(force: true)
            return
        }
        try? await provider.clear(force: true)
    }

    /// The steps are done: what was refused, and whether the store stays.
    private mutating func end(_ provider: OfflineODataProvider) async throws {
        let status = try await provider.status()
        // What an earlier upload left in the archive waits for a person still, also where this one was not due.
        let uploads = outcome.steps.filter { $0.name == "upload" }
        let isRefused = !uploads.isEmpty && status.errorCount > 0
        outcome.status = isRefused ? .refused : .done
        noteUnknownOutcomes(uploads.filter { !$0.isSkipped })
        if job.afterUpload == .clear, !uploads.isEmpty, status.errorCount == 0,
            status.queueCount == 0
        {
            do {
                try await provider.clear()
                outcome.isCleared = true
                return
            } catch let error as OfflineODataError where error.category == .preconditionFailed {
                // A change has come meanwhile: the store stays with it.
            }
        }
        try await provider.close(force: true)
    }

    private mutating func noteRefusals(_ provider: OfflineODataProvider) async throws {
        outcome.refusedRequestIDs = []
        for try await request in provider.refusedRequests {
            outcome.refusedRequestIDs.append(request.id)
        }
    }

    /// Requests without a known outcome stop what waits behind them until a person decides.
    private mutating func noteUnknownOutcomes(_ uploads: [OfflineODataJobOutcome.Step]) {
        let count = uploads.compactMap { $0.counts["unknownOutcome"] }.reduce(0, +)
        guard count > 0 else { return }
        outcome.status = .failed
        outcome.failure = OfflineODataJobOutcome.Failure(
            step: "upload",
            category: OfflineODataError.Category.preconditionFailed.description,
            message:
                "\(count) \(count == 1 ? "request has" : "requests have") an unknown outcome; `queue` lists them"
        )
    }

    // MARK: Failures

    private mutating func note(_ error: any Error, _ step: String) {
        let known = error as? OfflineODataError
        outcome.status = known.map(Self.isPassing) == true ? .unreachable : .failed
        askedPause = known?.retryAfter ?? .zero
        let hint =
            askedPause > Self.longestPause
            ? "; the service asks to be left alone for \(askedPause.components.seconds) s" : ""
        outcome.failure = OfflineODataJobOutcome.Failure(
            step: step,
            category: known?.category.description ?? "other",
            message: (known?.description ?? "\(error)") + hint
        )
    }

    /// Whether another attempt may help.
    private static func isPassing(_ error: OfflineODataError) -> Bool {
        switch error.category {
        case .communication, .inUse: true
        case .server: [408, 429].contains(error.httpStatus) || (error.httpStatus ?? 0) >= 500
        default: error.code == "offline"
        }
    }

    // MARK: Hooks

    private mutating func callLastHook() async throws {
        let (moment, words): (OfflineODataJobHook.Moment, [String]) =
            outcome.isFinished ? (.after, job.hooks.after) : (.failed, job.hooks.failed)
        do {
            try await call(moment, words)
        } catch {
            if OfflineODataError.isCancellation(error) { throw CancellationError() }
            // What the store lacked before says more than a hook that failed because of it.
            guard outcome.isFinished else { return }
            note(error, moment.rawValue)
        }
    }

    private func call(_ moment: OfflineODataJobHook.Moment, _ words: [String]) async throws {
        guard !words.isEmpty else { return }
        guard let hook = runner.handlers.hook else {
            throw OfflineODataError(.notSupported, "this application runs no hooks")
        }
        let variables = JobVariables(store)
        var filled = words.map { variables.filled($0) }
        // A program without a slash is looked for where the system looks.
        if filled[0].contains("/") { filled[0] = job.resolved(filled[0]) }
        let isBefore = moment == .before
        try await hook(
            OfflineODataJobHook(
                moment: moment,
                words: filled,
                job: runner.name,
                storeFile: file,
                outcome: isBefore ? nil : outcome
            )
        )
    }
}
