import OfflineOData
import OfflineResources

/// `policy refresh`: fetches reads that the store keeps anew.
struct PolicyRefreshCommand: Command {
    static let syntax = CommandSyntax(
        name: "policy refresh",
        summary: "Fetches reads that the store keeps anew: those named, or those that are stale.",
        forms: ["STORE [URL]..."],
        operands: 1...1_000,
        options: PolicyOptions.common + NetworkOptions.syntax,
        notes: ["Without a URL every stale read is fetched, pinned ones first."],
        examples: [
            .init("whatever is stale", "policy refresh field.store"),
            .init("one read", "policy refresh field.store 'Parts?$top=20'"),
        ]
    )

    private let options: PolicyOptions
    private let settings: SyncSettings
    private let urls: [String]

    init(_ arguments: Arguments) throws(CommandFailure) {
        options = try PolicyOptions(arguments)
        settings = try SyncSettings(arguments)
        urls = Array(arguments.operands.dropFirst())
    }

    func run(_ terminal: Terminal) async throws -> ExitStatus {
        let session = try settings.session(terminal)
        let (options, urls) = (options, urls)
        let count = try await session.run { provider in
            let engine = try options.engine(provider)
            for url in urls { try await engine.refresh(url) }
            guard urls.isEmpty else { return urls.count }
            let count = try await engine.scheduleRefreshOfExpired()
            await engine.finishRefreshes()
            return count
        }
        try terminal.answer("\(Words.amount(count, "read")) refreshed")
        return .done
    }
}
