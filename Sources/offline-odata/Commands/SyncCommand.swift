import CommandSupport
import ODataProtocol
import OfflineOData

/// `sync`: upload, then download.
struct SyncCommand: Command {
    static let name = "sync"
    static let syntax = CommandSyntax(
        name: name,
        summary: "Uploads the waiting changes, then downloads what has changed.",
        forms: ["STORE [--json]"],
        operands: 1...1,
        options: [.json] + SyncSettings.uploadOptions + SyncSettings.downloadOptions
            + NetworkOptions.syntax,
        notes: [
            "The download runs also where requests were refused; the status is then 5.",
            "--json: upload and download, each as its own command writes it; download is null where it brought nothing.",
        ],
        examples: [
            .init(
                "once a minute, beside other work",
                line: "sync field.store --wait 30 --progress none"
            )
        ]
    )

    private let settings: SyncSettings
    private let isJSON: Bool

    init(_ arguments: Arguments) throws(CommandFailure) {
        settings = try SyncSettings(arguments)
        isJSON = arguments.has("json")
    }

    func run(_ terminal: Terminal) async throws -> ExitStatus {
        let session = try settings.session(terminal)
        let report = try await UploadReport.attempt(session, store: settings.store)
        if !isJSON { try terminal.answer(report.sentence) }
        if let failure = report.failure {
            if isJSON { try terminal.answer(Self.json(report, download: nil, failure)) }
            throw failure
        }
        let download: DownloadReport
        do {
            download = try await DownloadReport.run(session) { try await $0.download() }
        } catch {
            if isJSON {
                try terminal.answer(Self.json(report, download: nil, CommandFailure(error)))
            }
            report.advise(terminal)
            throw error
        }
        if isJSON {
            let json = Self.json(report, download: download, download.commandFailure)
            try terminal.answer(json)
        } else {
            try terminal.answer(download.sentence)
        }
        report.advise(terminal)
        download.advise(terminal)
        _ = try download.end()
        return report.status
    }

    /// The result as a JSON document.
    ///
    /// - Parameter download: Nil where it has brought nothing.
    private static func json(
        _ upload: UploadReport,
        download: DownloadReport?,
        _ failure: CommandFailure? = nil
    ) -> [UInt8] {
        var writer = JSONWriter()
        writer.beginObject()
        writer.name("upload")
        upload.write(to: &writer)
        writer.name("download")
        if let download { download.write(to: &writer) } else { writer.null() }
        failure?.write(to: &writer)
        writer.endObject()
        return writer.bytes + [0x0A]
    }
}
