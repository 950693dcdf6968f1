public import OfflineOData

/// The report of a job for people.
public struct JobReportText {
    private let report: OfflineODataJobReport

    /// Describes a report.
    public init(_ report: OfflineODataJobReport) { self.report = report }

    /// How the process ends on account of the stores.
    public var status: ExitStatus {
        let isComplete = report.remainingCount == 0 && report.missingShards.isEmpty
        if report.count(of: .failed) > 0 || !isComplete { return .failed }
        if report.count(of: .unreachable) > 0 { return .communication }
        return report.count(of: .refused) > 0 ? .requestsRefused : .done
    }

    /// The amounts in one sentence.
    var sentence: String {
        let counts = [
            (report.count(of: .refused), "with refused changes"),
            (report.count(of: .unreachable), "not reached"), (report.count(of: .failed), "failed"),
            (report.remainingCount, "not worked on"),
        ]
        let parts =
            ["\(Words.number(report.count(of: .done))) done"]
            + counts.filter { $0.0 > 0 }.map { "\(Words.number($0.0)) \($0.1)" }
        let stores = Words.amount(report.storeCount, of: "store")
        return "\(report.job): \(stores): " + parts.joined(separator: ", ")
    }

    /// A line for each store that is not done, and why.
    public var lines: [String] {
        var table = TextTable([
            ("store", .left), ("outcome", .left), ("attempts", .right), ("step", .left),
            ("reason", .left),
        ])
        for outcome in report.outcomes where outcome.status != .done {
            table.add([
                outcome.store, Self.word(outcome.status), String(outcome.attempts),
                outcome.failure?.step ?? "upload", Self.reason(outcome),
            ])
        }
        let repeated = report.repeatedStores.map { "\($0) is done in several reports" }
        return [sentence] + missing + (table.isEmpty ? [] : [""] + table.lines()) + repeated
    }

    /// A line on the parts of which no report was given.
    private var missing: [String] {
        guard !report.missingShards.isEmpty else { return [] }
        let parts = Words.amount(report.missingShards.count, of: "part")
        return ["No report of \(parts) of the job: \(Self.firstOf(report.missingShards))"]
    }

    static func word(_ status: OfflineODataJobOutcome.Status) -> String {
        status == .unreachable ? "not reached" : status.rawValue
    }

    private static func reason(_ outcome: OfflineODataJobOutcome) -> String {
        if let failure = outcome.failure { return failure.message }
        let refused = outcome.steps.compactMap { $0.counts["refused"] }.reduce(0, +)
        let named = firstOf(outcome.refusedRequestIDs.map(String.init))
        let ids = named.isEmpty ? "" : " (\(named))"
        guard refused > 0 else {
            return "requests that were refused before wait\(ids); see `errors`"
        }
        return Words.amount(refused, of: "request") + " refused\(ids); see `errors`"
    }

    /// The first eight names of a list.
    private static func firstOf(_ names: [String]) -> String {
        names.prefix(8).joined(separator: ", ") + (names.count > 8 ? ", …" : "")
    }
}
