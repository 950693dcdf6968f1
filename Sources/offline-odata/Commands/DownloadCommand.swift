import CommandSupport
import ODataProtocol
import OfflineOData

/// `download`: brings what has changed at the service.
struct DownloadCommand: Command {
    static let name = "download"
    static let syntax = CommandSyntax(
        name: name,
        summary: "Fetches what has changed on the service; local changes stay.",
        forms: ["STORE [--query NAME]... [--full] [--json]"],
        operands: 1...1,
        options: [
            .list("query", placeholder: "NAME", help: "only this defining query"),
            .flag("full", help: "read every query in full; delta links are replaced"), .json,
        ] + SyncSettings.downloadOptions + NetworkOptions.syntax,
        notes: [
            "A query that fails does not stop the others: each failure is named, and the status is 1, or 4 where the"
                + " connection failed.",
            "Readers of the store see it before or after, never between. Schema changes of the service that add are taken"
                + " over first; others end with status 3, the store untouched.",
            "--json: inserted, updated, removed, links, conflicts, queries (each with name, url, the same counts, remarks and error), requests,"
                + " seconds.",
        ],
        examples: [
            .init("everything", line: "download field.store"),
            .init(
                "everything anew, whatever the service said of changes",
                line: "download field.store --full"
            ),
            .init(
                "one query, in a script",
                line: "download field.store --query Orders --progress none"
            ),
            .init("one request after the other", line: "download field.store --parallel 1"),
            .init(
                "a query option with every request",
                line: "download field.store --query-option sap-client=100"
            ),
        ]
    )

    private let settings: SyncSettings
    private let names: [String]?
    private let isFull: Bool
    private let isJSON: Bool

    init(_ arguments: Arguments) throws(CommandFailure) {
        settings = try SyncSettings(arguments)
        let names = arguments.all("query")
        self.names = names.isEmpty ? nil : names
        isFull = arguments.has("full")
        isJSON = arguments.has("json")
    }

    func run(_ terminal: Terminal) async throws -> ExitStatus {
        let session = try settings.session(terminal)
        let (names, isFull) = (names, isFull)
        let report = try await DownloadReport.run(session) {
            try await $0.download(withSubset: names, isFull: isFull)
        }
        if isJSON {
            var writer = JSONWriter()
            report.write(to: &writer, saysFailure: true)
            try terminal.answer(writer.bytes + [0x0A])
        } else {
            try terminal.answer(report.sentence)
        }
        report.advise(terminal)
        return try report.end()
    }
}
