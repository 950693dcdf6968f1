import CommandSupport
import ODataProtocol
import OfflineOData
import OfflineResources

/// `policy refresh`: fetches reads that the store keeps anew.
struct PolicyRefreshCommand: Command {
    static let name = "policy refresh"
    static let syntax = CommandSyntax(
        name: name,
        summary: "Fetches reads that the store keeps anew: those named, or those that are stale.",
        forms: ["STORE [URL]... [--json]"],
        operands: 1...1_000,
        options: [.json] + PolicyOptions.common + NetworkOptions.syntax,
        notes: [
            "Without a URL every stale read is fetched, pinned ones first. An entity that the service has no more goes from the store,"
                + " too. A read that fails keeps its copy and does not stop the others: each failure is named, and the status is that"
                + " of the first: 4 where the service was not reached, 6 where it has no such resource.",
            "--json: refreshed, removed (URLs of entities), failed (url, error), seconds.",
        ],
        examples: [
            .init("whatever is stale", line: "policy refresh field.store"),
            .init("one read", line: "policy refresh field.store 'Parts?$top=20'"),
        ]
    )

    private let options: PolicyOptions
    private let settings: SyncSettings
    private let urls: [String]
    private let isJSON: Bool

    init(_ arguments: Arguments) throws(CommandFailure) {
        settings = try SyncSettings(arguments)
        options = try PolicyOptions(arguments, settings: settings)
        isJSON = arguments.has("json")
        urls = Array(arguments.operands.dropFirst())
    }

    func run(_ terminal: Terminal) async throws -> ExitStatus {
        let session = try settings.session(terminal, policies: .byCommand)
        let engine = options.engine(session.provider)
        let (start, urls) = (ContinuousClock.now, urls)
        let report = try await session.run { _ in
            try await urls.isEmpty ? engine.refreshExpired() : engine.refresh(urls)
        }
        PolicyOptions.remark(on: engine, store: settings.store, terminal)
        let time = ContinuousClock.now - start
        if isJSON {
            try terminal.answer(Self.json(report, time: time))
        } else {
            try terminal.answer(Self.sentence(report))
        }
        guard let first = report.failures.first else { return .done }
        var failure = CommandFailure(first.error)
        let all = report.failures.count + report.removed.count + report.refreshed.count
        failure.message =
            "\(report.failures.count) of \(Words.amount(all, of: "read")) not refreshed"
        failure.details = report.failures.map { "\($0.url): \($0.error.message)" }
        throw failure
    }

    private static func sentence(_ report: RefreshReport) -> String {
        let refreshed = "\(Words.amount(report.refreshed.count, of: "read")) refreshed"
        guard !report.removed.isEmpty else { return refreshed }
        return refreshed + ", \(Words.amount(report.removed.count, of: "entity")) gone: "
            + report.removed.joined(separator: ", ")
    }

    private static func json(_ report: RefreshReport, time: Duration) -> [UInt8] {
        var writer = JSONWriter()
        writer.beginObject()
        writer.member("refreshed", value: report.refreshed.count)
        writer.member("removed", values: report.removed)
        writer.name("failed")
        writer.beginArray()
        for failure in report.failures {
            writer.beginObject()
            writer.member("url", value: failure.url)
            writer.member("error", value: failure.error.message)
            writer.endObject()
        }
        writer.endArray()
        writer.member("seconds", seconds: time)
        writer.endObject()
        return writer.bytes + [0x0A]
    }
}
