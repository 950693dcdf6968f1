/// Adds outcomes to a report and to its file, one after the other.
actor JobReportWriter {
    private(set) var report: OfflineODataJobReport
    private let file: JobReportFile?
    /// Where the next line goes.
    private var offset = 0
    /// Whether the file has two outcomes of a store.
    private var hasSuperseded = false

    /// Begins with the outcomes that a report has.
    init(_ report: OfflineODataJobReport, _ file: JobReportFile?) throws {
        self.report = report
        self.file = file
        guard let file else { return }
        let bytes = report.json()
        try file.replace(with: bytes)
        offset = bytes.count - report.tail.count
    }

    /// Adds an outcome; of a store done again the later line counts until ``finish()``.
    func add(_ outcome: OfflineODataJobOutcome) throws {
        hasSuperseded = hasSuperseded || report.outcome(of: outcome.store) != nil
        let line = OfflineODataJobReport.line(outcome, isFirst: report.outcomes.isEmpty)
        report.add(outcome)
        guard let file else { return }
        try file.write(line + report.tail, at: offset)
        offset += line.count
    }

    /// Leaves one outcome of each store in the file.
    func finish() throws {
        guard hasSuperseded, let file else { return }
        try file.replace(with: report.json())
        hasSuperseded = false
    }
}
