import OfflineOData

/// `upload`: sends the waiting changes.
struct UploadCommand: Command {
    static let syntax = CommandSyntax(
        name: "upload",
        summary: "Sends the waiting changes; what the service refuses goes to the error archive.",
        forms: ["STORE [--category C]... [--batch-size N] [--json]"],
        operands: 1...1,
        options: [.list("category", "C", "only changes of this upload category"), .json]
            + SyncSettings.uploadOptions
            + NetworkOptions.syntax,
        notes: [
            "Exit status 5: uploaded, but some requests were refused; `errors STORE` lists them. Status 4: the connection"
                + " failed; calling again goes on, and nothing is sent twice.",
            "A transaction that cannot be sent as one, such as to a service without batches, is refused before anything of it is"
                + " sent: `errors split` lets its members go each by itself.",
            "--json: carriedOut, refused, unknownOutcome, parked (behind a refused request), waiting, requests, seconds,"
                + " refusedIDs.",
        ],
        examples: [
            .init("all changes", "upload field.store"),
            .init("the urgent ones first", "upload field.store --category urgent"),
            .init(
                "batches in JSON, with a session's cookie",
                "upload field.store --batch-format json --cookie @session.txt"
            ),
            .init(
                "through a gateway that knows GET and POST only",
                "upload field.store --tunnel-methods"
            ),
        ]
    )

    private let settings: SyncSettings
    private let categories: [String]?
    private let isJSON: Bool

    init(_ arguments: Arguments) throws(CommandFailure) {
        settings = try SyncSettings(arguments)
        let categories = arguments.all("category")
        self.categories = categories.isEmpty ? nil : categories
        isJSON = arguments.has("json")
    }

    func run(_ terminal: Terminal) async throws -> ExitStatus {
        let session = try settings.session(terminal)
        let categories = categories
        let report = try await UploadReport.run(session, settings.store, categories: categories)
        guard !isJSON else {
            try terminal.answer(report.json())
            return report.status
        }
        try terminal.answer("\(report.sentence), \(Words.time(report.result.duration))")
        report.advise(terminal)
        return report.status
    }
}
