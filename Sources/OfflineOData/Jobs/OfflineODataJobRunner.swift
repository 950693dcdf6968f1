import OfflineProvider
import OfflineValues

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// Carries out a job: some stores at the same time, each with an outcome of its own.
///
/// With a report in a file the job can be restarted: a store that is done is not done again, also where the process was killed.
public struct OfflineODataJobRunner: Sendable {
    /// What the application does of a job.
    public struct Handlers: Sendable {
        /// Completes the parameters of a store before it is opened.
        public var prepare: @Sendable (String, OfflineODataParameters) throws -> Void = { _, _ in }
        /// Uploads the changes of a store, or those of some upload categories.
        public var upload:
            @Sendable (OfflineODataProvider, [String]?) async throws -> OfflineODataUploadResult = {
                try await $0.upload(categories: $1)
            }
        /// Writes the entities of a store into a directory and returns amounts by their names; nil where jobs cannot export.
        public var export: (@Sendable (OfflineODataProvider, String) async throws -> [String: Int])?
        /// Runs a program; nil where jobs cannot have hooks.
        public var hook: (@Sendable (OfflineODataJobHook) async throws -> Void)?
        /// Hears of each outcome, from any thread.
        public var outcome: @Sendable (OfflineODataJobOutcome) -> Void = { _ in }

        /// Creates handlers that do no more than the engine does.
        public init() {}
    }

    /// A store that is due, and the names of its steps that are.
    public struct PlannedStore: Sendable, Hashable {
        /// The store.
        public var store: OfflineODataJob.Store
        /// The steps that would be carried out.
        public var steps: [String]
    }

    /// What is carried out.
    public let job: OfflineODataJob
    /// The job's name in reports.
    public let name: String
    /// Which of its stores.
    public let shard: OfflineODataJobShard
    let handlers: Handlers
    let clock: JobClock

    /// Creates a runner.
    ///
    /// - Parameters:
    ///   - job: What is carried out.
    ///   - name: The job's name in reports, the same for all parts.
    ///   - shard: Which of its stores.
    ///   - handlers: What the application does of it.
    public init(
        job: OfflineODataJob,
        name: String,
        shard: OfflineODataJobShard = .whole,
        handlers: Handlers = Handlers()
    ) {
        self.init(job: job, name: name, shard: shard, handlers: handlers, clock: JobClock())
    }

    package init(
        job: OfflineODataJob,
        name: String,
        shard: OfflineODataJobShard,
        handlers: Handlers,
        clock: JobClock
    ) {
        self.job = job
        self.name = name
        self.shard = shard
        self.handlers = handlers
        self.clock = clock
    }

    /// Returns the stores that are due, without doing anything.
    ///
    /// - Parameter former: The report of an earlier run; nil to begin anew.
    /// - Throws: ``OfflineODataError`` (invalid input) where a credential cannot be read.
    public func plan(
        after former: OfflineODataJobReport?
    ) throws(OfflineODataError) -> [PlannedStore] {
        let now = clock.now()
        let due = shard.stores(of: job.stores).filter { isDue($0, former, now) }
        for store in due { _ = try JobParameters(job: job, store: store).make() }
        return due.map { store in
            let old = former?.outcome(of: store.path)
            let steps = job.steps.filter { !JobStoreRun.isFresh($0, old, now) }
            return PlannedStore(store: store, steps: steps.map(\.name))
        }
    }

    private func isDue(
        _ store: OfflineODataJob.Store,
        _ former: OfflineODataJobReport?,
        _ now: Date
    ) -> Bool {
        guard let old = former?.outcome(of: store.path), old.isFinished else { return true }
        guard let every = job.every else { return false }
        return old.finished.addingTimeInterval(every / .seconds(1)) <= now
    }

    /// Carries out the job.
    ///
    /// - Parameters:
    ///   - reportFile: File of the report: what it holds is not done again, and each outcome is added at once. nil for none.
    ///   - startsAnew: Whether an earlier report in the file is left aside.
    /// - Returns: The outcomes of all stores of this part, earlier ones included.
    /// - Throws: ``OfflineODataError`` where the job cannot begin; `CancellationError`, after which calling again goes on.
    public func run(
        reportFile: String? = nil,
        startsAnew: Bool = false
    ) async throws -> OfflineODataJobReport {
        let file = try reportFile.map { path throws(OfflineODataError) in try JobReportFile(path) }
        let former = startsAnew ? nil : try former(file, reportFile ?? "")
        let planned: [PlannedStore]
        do {
            planned = try plan(after: former)
        } catch {
            // A report is a whole document at every moment, also of what could not begin.
            if try file?.former() == nil { _ = try JobReportWriter(emptyReport(nil), file) }
            throw error
        }
        let writer = try JobReportWriter(emptyReport(former), file)
        do {
            try await work(on: planned.map(\.store), former, writer)
        } catch {
            try await writer.finish()
            throw error
        }
        try await writer.finish()
        return await writer.report
    }

    /// Returns the report of an earlier run of this job in a file.
    ///
    /// - Throws: ``OfflineODataError`` where it is the report of another job or part.
    public func formerReport(in path: String) throws(OfflineODataError) -> OfflineODataJobReport? {
        guard let bytes = try? OfflineODataJob.contents(of: path), !bytes.isEmpty else {
            return nil
        }
        let report = try OfflineODataJobReport(contentsOf: path)
        try check(report, path)
        return report
    }

    private func former(
        _ file: JobReportFile?,
        _ path: String
    ) throws(OfflineODataError) -> OfflineODataJobReport? {
        guard let report = try file?.former() else { return nil }
        try check(report, path)
        return report
    }

    private func check(
        _ report: OfflineODataJobReport,
        _ path: String
    ) throws(OfflineODataError) {
        guard report.job == name, report.shards == shardNames else {
            let part =
                report.shards.isEmpty ? "" : ", shard " + report.shards.joined(separator: ", ")
            throw OfflineODataError(
                .invalidInput,
                "\(path) is the report of \(report.job)\(part); name another file"
            )
        }
    }

    private var shardNames: [String] { shard == .whole ? [] : [shard.description] }

    /// A report with the former outcomes of stores that the job still has.
    private func emptyReport(_ former: OfflineODataJobReport?) -> OfflineODataJobReport {
        let stores = shard.stores(of: job.stores)
        var report = OfflineODataJobReport(
            job: name,
            shards: shardNames,
            storeCount: stores.count
        )
        for store in stores {
            if let outcome = former?.outcome(of: store.path) { report.add(outcome) }
        }
        return report
    }

    private func work(
        on stores: [OfflineODataJob.Store],
        _ former: OfflineODataJobReport?,
        _ writer: JobReportWriter
    ) async throws {
        var rest = stores[...]
        try await withThrowingTaskGroup { group in
            for _ in 0..<job.concurrency {
                guard let store = rest.popFirst() else { break }
                group.addTask { try await work(on: store, former, writer) }
            }
            while try await group.next() != nil {
                guard let store = rest.popFirst() else { continue }
                group.addTask { try await work(on: store, former, writer) }
            }
        }
    }

    private func work(
        on store: OfflineODataJob.Store,
        _ former: OfflineODataJobReport?,
        _ writer: JobReportWriter
    ) async throws {
        try Task.checkCancellation()
        var run = JobStoreRun(runner: self, store: store, former: former?.outcome(of: store.path))
        let outcome = try await run.run()
        try await writer.add(outcome)
        handlers.outcome(outcome)
    }
}
