import CommandSupport
import ODataProtocol
import OfflineOData

/// `run`: the same work on many stores.
struct RunCommand: Command {
    static let name = "run"
    static let syntax = CommandSyntax(
        name: name,
        summary: "Opens, uploads, downloads, checks and exports many stores as a job file says.",
        forms: [
            "JOB.json [--shard I/N] [--report FILE] [--again] [--har FILE] [--progress plain|none] [--json]",
            "JOB.json --dry-run [--shard I/N] [--report FILE] [--again] [--json]",
            "--merge REPORT... [--json]",
        ],
        operands: 0...100_000,
        options: [
            .value(
                "shard",
                placeholder: "I/N",
                help: "work on part I of N only; parts may be counted from 0 or 1"
            ),
            .value(
                "report",
                placeholder: "FILE",
                help: "report of the outcomes (JOB.report.json beside the job)"
            ),
            .flag("again", help: "begin anew: also do the stores that the report has as done"),
            .flag("dry-run", help: "list the stores and steps that are due; nothing is done"),
            .flag("merge", help: "merge the reports of several parts into one answer"),
            HARFile.syntax, ProgressDisplay.syntax, .json,
        ],
        notes: [
            "The job is a JSON object: stores (paths, or objects with path, service and variables), storesFrom (a file with a path in"
                + " each line), service, queries (NAME: URL), steps (open, upload, download, check, export; or an object whose do is one of"
                + " these names, with every, categories, full, againstService, directory: {\"do\": \"upload\", \"every\": \"15m\"}),"
                + " credentials (bearer or user), headers, storeKey, options (timeout,"
                + " wait, pageSize, batchSize, queryOptions, ca), concurrency (4), retries (2, or count and delay), every,"
                + " afterUpload (keep or clear), hooks (before, after, failed: a program and its arguments).",
            "Secrets are written as references, @FILE or env:NAME. Times are written 90s, 15m, 12h or 7d. Paths are relative to the job's"
                + " directory. {name} in service, queries, references, directories and hooks is the store's file name without"
                + " extension; other names are the store's own variables.",
            "The report is written after every store. Calling again does what is not done: stores that were not reached or failed, and"
                + " those whose last time is longer ago than every. A run that is killed goes on in the same way.",
            "afterUpload clear removes a store after its last step, unless a change waits in it or was refused. A hook runs in the directory"
                + " that `run` was called in, from which OFFLINE_ODATA_STORE leads to the store, and gets"
                + " OFFLINE_ODATA_JOB, OFFLINE_ODATA_STORE, OFFLINE_ODATA_HOOK, OFFLINE_ODATA_STATUS and OFFLINE_ODATA_MESSAGE.",
            "Exit status: 0 all stores done, 5 some with refused changes, 4 some not reached, 1 some failed or a part's report is missing, 2 the job is invalid, 7 another"
                + " run writes the report.",
            "--json: job, shards, stores, outcomes (store, status done|refused|unreachable|failed, attempts, started, seconds, steps,"
                + " refusedIDs where changes were refused, error), done, refused, unreachable, failed, remaining, error where the run was cancelled; of --merge also repeated and missingShards, where there are some;"
                + " of --dry-run job, shards, stores, plan (store, steps, isMissing where no step makes the store).",
        ],
        examples: [
            .init("what would be done", line: "run nightly.json --dry-run"),
            .init("all stores", line: "run nightly.json"),
            .init(
                "the third of eight parts",
                line: "run nightly.json --shard 3/8 --report third.json"
            ),
            .init("one report of all parts", line: "run --merge reports/*.json --json"),
        ]
    )

    private let paths: [String]
    private let shard: OfflineODataJobShard
    private let reportFile: String?
    private let isMerging: Bool
    private let isDryRun: Bool
    private let startsAnew: Bool
    private let isJSON: Bool
    private let recording: String?
    private let progress: ProgressDisplay.Mode?

    init(_ arguments: Arguments) throws(CommandFailure) {
        paths = arguments.operands
        isMerging = arguments.has("merge")
        isDryRun = arguments.has("dry-run")
        startsAnew = arguments.has("again")
        isJSON = arguments.has("json")
        reportFile = arguments.value("report")
        recording = arguments.value("har")
        progress = try arguments.choice("progress", of: ProgressDisplay.modes)
        shard = try Self.shard(arguments.value("shard"))
        guard !paths.isEmpty else {
            throw .usage("missing argument: " + (isMerging ? "REPORT" : "JOB.json"))
        }
        guard isMerging || paths.count == 1 else {
            throw .usage("unexpected '\(paths[1])'", advice: "`run` takes one job.")
        }
        guard !isMerging || !(isDryRun || startsAnew || reportFile != nil || shard != .whole) else {
            throw .usage("--merge goes with reports and --json only")
        }
    }

    private static func shard(_ text: String?) throws(CommandFailure) -> OfflineODataJobShard {
        guard let text else { return .whole }
        guard let shard = OfflineODataJobShard(text) else {
            throw .usage("--shard takes I/N, such as 3/8, not '\(text)'")
        }
        return shard
    }

    func run(_ terminal: Terminal) async throws -> ExitStatus {
        guard !isMerging else { return try answer(merged(), terminal) }
        let job = try job()
        let display = JobDisplay(terminal, mode: progress)
        guard !isDryRun || recording == nil else {
            throw CommandFailure.usage("--dry-run sends nothing that --har could record")
        }
        if let recording { terminal.recording = try HARFile(recording) }
        let runner = OfflineODataJobRunner(
            job: job,
            name: name,
            shard: shard,
            handlers: JobHandlers.make(terminal, display)
        )
        guard !isDryRun else { return try plan(runner, of: job, terminal) }
        let file = reportPath
        try FileBytes.makeDirectories(above: file)
        let anew = startsAnew
        let report = try await SignalWatch.shared.cancellable {
            do {
                return try await runner.run(reportFile: file, startsAnew: anew)
            } catch is CancellationError {
                // What was done before stands in the report.
                if let done = try? OfflineODataJobReport(contentsOf: file) {
                    display.end()
                    _ = try answer(done, failure: CommandFailure(CancellationError()), terminal)
                }
                throw CancellationError()
            } catch let error as OfflineODataError where error.category == .inUse {
                throw CommandFailure(
                    .inUse,
                    error.message,
                    advice: "Wait for the other run to end, or give this one a --report of its own."
                )
            }
        }
        display.end()
        if report.storeCount == 0 {
            terminal.remark("The job has fewer stores than parts: none is in part \(shard).")
        } else if display.count == 0 {
            terminal.remark("Every store was done before; --again does them anew.")
        }
        return try answer(report, terminal)
    }

    private func job() throws(CommandFailure) -> OfflineODataJob {
        do {
            return try OfflineODataJob(contentsOf: paths[0])
        } catch {
            // What cannot be read is named already.
            let place = error.message.contains(paths[0]) ? "" : paths[0] + ": "
            throw CommandFailure(.invalid, place + error.message, details: error.details)
        }
    }

    /// The job's file without its directory.
    private var name: String {
        paths[0].split(separator: "/").last.map(String.init) ?? paths[0]
    }

    private var reportPath: String {
        if let reportFile { return reportFile }
        let stem = paths[0].hasSuffix(".json") ? String(paths[0].dropLast(5)) : paths[0]
        let part = shard.description.replacing("/", with: "-of-")
        return stem + ".report" + (shard == .whole ? "" : "." + part) + ".json"
    }

    private func merged() throws -> OfflineODataJobReport {
        let reports = try paths.map { try OfflineODataJobReport(contentsOf: $0) }
        return try OfflineODataJobReport.merging(reports)
    }

    /// - Parameter failure: Why the run ended before it was through.
    private func answer(
        _ report: OfflineODataJobReport,
        failure: CommandFailure? = nil,
        _ terminal: Terminal
    ) throws -> ExitStatus {
        let text = JobReportText(report)
        if isJSON {
            try terminal.answer(failure.map { Self.json(report, $0) } ?? report.json())
        } else {
            try terminal.answer(text.lines.joined(separator: "\n"))
        }
        if !isMerging, text.status == .communication {
            terminal.remark("Nothing done is lost; calling the command again goes on.")
        }
        return text.status
    }

    /// The report with one more member, behind all others.
    private static func json(
        _ report: OfflineODataJobReport,
        _ failure: CommandFailure
    ) -> [UInt8] {
        var writer = JSONWriter()
        writer.beginObject()
        failure.write(to: &writer)
        writer.endObject()
        // Both are objects: the report ends with a brace and a line feed.
        let open: [UInt8] = report.json().dropLast(2)
        return open + [UInt8(ascii: ",")] + writer.bytes.dropFirst() + [0x0A]
    }

    // MARK: Dry run

    private func plan(
        _ runner: OfflineODataJobRunner,
        of job: OfflineODataJob,
        _ terminal: Terminal
    ) throws -> ExitStatus {
        let former = startsAnew ? nil : try runner.formerReport(in: reportPath)
        let planned = try runner.plan(after: former)
        guard !isJSON else {
            try terminal.answer(json(planned, of: job))
            return .done
        }
        var table = TextTable([("store", .left), ("steps", .left)])
        for plan in planned { table.add([plan.store.path, plan.steps.joined(separator: ", ")]) }
        try terminal.answer("\(name): \(Words.amount(planned.count, of: "store")) due")
        if !table.isEmpty {
            try terminal.answer("\n" + table.lines().joined(separator: "\n"))
        }
        for plan in planned where Self.lacksStore(plan, of: job) {
            terminal.remark(
                "\(plan.store.path) is not there, and no step makes it: it will fail."
                    + " A step open makes a store of the job's service."
            )
        }
        return .done
    }

    private static func lacksStore(
        _ plan: OfflineODataJobRunner.PlannedStore,
        of job: OfflineODataJob
    ) -> Bool {
        let isMade = plan.steps.contains("open") && (plan.store.service ?? job.service) != nil
        return !isMade && !FileBytes.exists(job.resolved(plan.store.path))
    }

    private func json(
        _ planned: [OfflineODataJobRunner.PlannedStore],
        of job: OfflineODataJob
    ) -> [UInt8] {
        var writer = JSONWriter()
        writer.beginObject()
        writer.member("job", value: name)
        writer.member("shards", values: shard == .whole ? [String]() : [shard.description])
        writer.member("stores", value: planned.count)
        writer.objects("plan", items: planned) { writer, plan in
            writer.member("store", value: plan.store.path)
            writer.member("steps", values: plan.steps)
            if Self.lacksStore(plan, of: job) { writer.member("isMissing", value: true) }
        }
        writer.endObject()
        return writer.bytes + [0x0A]
    }
}
