import OfflineOData
import OfflineStore

/// `sync`: upload, then download.
struct SyncCommand: Command {
    static let syntax = CommandSyntax(
        name: "sync",
        summary: "Uploads the waiting changes, then downloads what has changed.",
        forms: ["STORE"],
        operands: 1...1,
        options: SyncSettings.uploadOptions + SyncSettings.downloadOptions + NetworkOptions.syntax,
        notes: ["The download runs also where requests were refused; the status is then 5."],
        examples: [
            .init("once a minute, beside other work", "sync field.store --wait 30 --progress none")
        ]
    )

    private let settings: SyncSettings

    init(_ arguments: Arguments) throws(CommandFailure) {
        settings = try SyncSettings(arguments)
    }

    func run(_ terminal: Terminal) async throws -> ExitStatus {
        let session = try settings.session(terminal)
        let start = ContinuousClock.now
        let result = try await session.run { try await $0.upload(categories: nil) }
        let report = UploadReport(result: result, store: settings.store)
        try terminal.answer(report.sentence)
        try await session.run { try await $0.download() }
        let event = try await session.provider.eventLog().first { $0.type == "Download" }
        try terminal.answer(
            "downloaded: \(event?.details ?? "nothing"), \(Words.time(ContinuousClock.now - start))"
        )
        report.advise(terminal)
        return report.status
    }
}
