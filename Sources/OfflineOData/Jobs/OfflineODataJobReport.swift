import OfflineValues

/// The outcome of each store of a job, of one part of it or of several that are merged.
public struct OfflineODataJobReport: Sendable, Hashable {
    /// The job's name.
    public var job: String
    /// The shards that it covers, as `I/N`; empty where a report covers all stores.
    public var shards: [String]
    /// How many stores there are to work on.
    public var storeCount: Int
    /// One outcome of each store that was worked on, by the store's path.
    public private(set) var outcomes: [OfflineODataJobOutcome]
    /// Stores that several merged reports have as done, which must not be.
    public private(set) var repeatedStores: [String] = []
    /// Shards, as `I/N`, that none of several merged reports covers: the stores in them are not counted.
    public private(set) var missingShards: [String] = []

    private var places: [String: Int] = [:]

    /// Creates a report without outcomes.
    public init(job: String, shards: [String] = [], storeCount: Int) {
        self.job = job
        self.shards = shards
        self.storeCount = storeCount
        outcomes = []
    }

    /// Returns the outcome of a store; nil where it was not worked on.
    public func outcome(of store: String) -> OfflineODataJobOutcome? {
        places[store].map { outcomes[$0] }
    }

    /// Adds an outcome in the place of an earlier one of the same store.
    public mutating func add(_ outcome: OfflineODataJobOutcome) {
        guard let place = places[outcome.store] else {
            places[outcome.store] = outcomes.count
            return outcomes.append(outcome)
        }
        outcomes[place] = outcome
    }

    /// Returns how many stores ended in one way.
    public func count(of status: OfflineODataJobOutcome.Status) -> Int {
        outcomes.count { $0.status == status }
    }

    /// Stores that were not worked on yet.
    public var remainingCount: Int { max(0, storeCount - outcomes.count) }
}

// MARK: - Merging

extension OfflineODataJobReport {
    /// Merges the reports of the parts of one job; of a store that stands in several the newest outcome is kept, one that is finished first.
    ///
    /// - Throws: ``OfflineODataError`` (invalid input) where there is no report, or they are of different jobs.
    public static func merging(
        _ reports: [OfflineODataJobReport]
    ) throws(OfflineODataError) -> OfflineODataJobReport {
        guard let first = reports.first else {
            throw OfflineODataError(.invalidInput, "there is no report to merge")
        }
        for report in reports where report.job != first.job {
            throw OfflineODataError(
                .invalidInput,
                "the reports are of different jobs, \(first.job) and \(report.job); merge those of one"
            )
        }
        var merged = OfflineODataJobReport(job: first.job, storeCount: 0)
        for report in reports {
            merged.merge(coverage: report)
            merged.repeatedStores += report.repeatedStores
            for outcome in report.outcomes { merged.merge(outcome) }
        }
        // A report of all stores says how many there are, whatever parts stand beside it.
        if let whole = reports.filter({ $0.shards.isEmpty }).map(\.storeCount).max() {
            merged.shards = []
            merged.storeCount = whole
        }
        merged.missingShards = OfflineODataJobShard.missing(in: merged.shards)
        merged.storeCount = max(merged.storeCount, merged.outcomes.count)
        merged.sort()
        return merged
    }

    /// Counts the stores of a part; one that was merged twice has its stores once.
    private mutating func merge(coverage report: OfflineODataJobReport) {
        let new = report.shards.filter { !shards.contains($0) }
        if !new.isEmpty { storeCount += report.storeCount }
        shards += new
    }

    private mutating func merge(_ new: OfflineODataJobOutcome) {
        guard let old = outcome(of: new.store) else { return add(new) }
        if old.isFinished, new.isFinished, old != new { repeatedStores.append(new.store) }
        let isBetter =
            old.isFinished == new.isFinished ? new.started > old.started : new.isFinished
        if isBetter { add(new) }
    }

    private mutating func sort() {
        outcomes.sort { $0.store < $1.store }
        places = Dictionary(
            outcomes.enumerated().map { ($0.element.store, $0.offset) },
            uniquingKeysWith: { $1 }
        )
        repeatedStores = Array(Set(repeatedStores)).sorted()
    }
}
