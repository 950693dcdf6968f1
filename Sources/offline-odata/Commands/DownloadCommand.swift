import OfflineOData
import OfflineStore

/// `download`: brings what has changed at the service.
struct DownloadCommand: Command {
    static let syntax = CommandSyntax(
        name: "download",
        summary: "Brings what has changed at the service; local changes stay.",
        forms: ["STORE [--query NAME]..."],
        operands: 1...1,
        options: [.list("query", "NAME", "only this defining query")] + SyncSettings.downloadOptions
            + NetworkOptions.syntax,
        notes: [
            "Readers of the store see it before or after, never between. Schema changes of the service that add are taken"
                + " over first; others end with status 3, the store untouched."
        ],
        examples: [
            .init("everything", "download field.store"),
            .init("one query, in a script", "download field.store --query Orders --progress none"),
        ]
    )

    private let settings: SyncSettings
    private let names: [String]?

    init(_ arguments: Arguments) throws(CommandFailure) {
        settings = try SyncSettings(arguments)
        let names = arguments.all("query")
        self.names = names.isEmpty ? nil : names
    }

    func run(_ terminal: Terminal) async throws -> ExitStatus {
        let session = try settings.session(terminal)
        let names = names
        let start = ContinuousClock.now
        try await session.run { try await $0.download(withSubset: names) }
        let event = try await session.provider.eventLog().first { $0.type == "Download" }
        try terminal.answer(
            "downloaded: \(event?.details ?? "nothing"), \(Words.time(ContinuousClock.now - start))"
        )
        return .done
    }
}
