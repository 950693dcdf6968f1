import CommandSupport
import OfflineOData

/// `upload`: sends the waiting changes.
struct UploadCommand: Command {
    static let name = "upload"
    static let syntax = CommandSyntax(
        name: name,
        summary: "Sends the waiting changes; what the service refuses goes to the error archive.",
        forms: [
            "STORE [--category C]... [--batch-size N] [--json]",
            "STORE --dry-run [--output DIR] [--category C]... [--json]",
        ],
        operands: 1...1,
        options: [
            .list("category", placeholder: "C", help: "only changes of this upload category"),
            .json,
            .flag(
                "dry-run",
                help: "show the requests that would leave; nothing is sent or changed"
            ),
            .value(
                "output",
                placeholder: "DIR",
                help: "with --dry-run: write each request into a file, 001.http"
            ),
        ]
            + SyncSettings.uploadOptions
            + NetworkOptions.syntax,
        notes: [
            "Exit status 5: uploaded, but some requests were refused; `errors STORE` lists them. Status 4: the connection"
                + " failed; calling again goes on, and nothing is sent twice.",
            "A transaction that cannot be sent as one, such as to a service without batches, is refused before anything of it is"
                + " sent: `errors split` lets its members go each by itself.",
            "--json: carriedOut, refused, unknownOutcome, parked (behind a refused request), waiting, requests, seconds,"
                + " refusedIDs; error where it was cancelled or the connection failed half-way.",
            "--dry-run shows the messages that go without waiting for an answer, credentials left out; requests that need a key or an"
                + " ETag from an answer are listed. --json: requests (method, url, headers, body, bytes, requestIDs), waiting,"
                + " unsettled, refused.",
        ],
        examples: [
            .init("all changes", line: "upload field.store"),
            .init("look first", line: "upload field.store --dry-run"),
            .init("the urgent ones first", line: "upload field.store --category urgent"),
            .init(
                "batches in JSON, with a session's cookie",
                line: "upload field.store --batch-format json --cookie @session.txt"
            ),
            .init(
                "through a gateway that knows GET and POST only",
                line: "upload field.store --tunnel-methods"
            ),
        ]
    )

    private let settings: SyncSettings
    private let categories: [String]?
    private let isJSON: Bool
    private let isDryRun: Bool
    private let output: String?

    init(_ arguments: Arguments) throws(CommandFailure) {
        settings = try SyncSettings(arguments)
        let categories = arguments.all("category")
        self.categories = categories.isEmpty ? nil : categories
        isJSON = arguments.has("json")
        isDryRun = arguments.has("dry-run")
        output = arguments.value("output")
        guard isDryRun || output == nil else { throw .usage("--output goes with --dry-run only") }
    }

    func run(_ terminal: Terminal) async throws -> ExitStatus {
        let session = try settings.session(terminal)
        let categories = categories
        guard !isDryRun else { return try await preview(session, on: terminal) }
        let report = try await UploadReport.attempt(
            session,
            store: settings.store,
            categories: categories
        )
        try terminal.answer(isJSON ? report.json() : Array((report.sentence + "\n").utf8))
        if let failure = report.failure { throw failure }
        guard !isJSON else { return report.status }
        report.advise(terminal)
        return report.status
    }

    private func preview(_ session: StoreSession, on terminal: Terminal) async throws -> ExitStatus
    {
        let categories = categories
        let preview = try await session.run { try await $0.uploadPreview(categories: categories) }
        var report = UploadPreviewReport(preview: preview)
        if let output { try await report.write(to: output) }
        if isJSON {
            try terminal.answer(report.json() + [0x0A])
        } else {
            try terminal.answer(report.lines.joined(separator: "\n"))
        }
        return .done
    }
}
