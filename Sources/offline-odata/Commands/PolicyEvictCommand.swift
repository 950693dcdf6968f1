import CommandSupport
import ODataProtocol
import OfflineOData
import OfflineResources

/// `policy evict`: deletes copies that fetch policies have made.
struct PolicyEvictCommand: Command {
    static let name = "policy evict"
    static let syntax = CommandSyntax(
        name: name,
        summary: "Deletes copies that fetch policies have made; changes that wait stay.",
        forms: [
            "STORE URL...",
            "STORE --expired | --all | --set NAME | --entity URL | --startup [--json]",
        ],
        operands: 1...1_000,
        options: [
            .flag("expired", help: "the copies that are stale"),
            .flag("all", help: "every copy"),
            .value("set", placeholder: "NAME", help: "the copies of an entity set"),
            .value("entity", placeholder: "URL", help: "one entity, out of every copy"),
            .flag(
                "startup",
                help:
                    "begin a session as an application does when it starts: EXPIRE_ON_RESTART and EVICT_ON_EXPIRY_AT_STARTUP act"
            ), .json,
        ],
        notes: ["What defining queries bring is not touched. No network is needed."],
        examples: [
            .init("one read", line: "policy evict field.store 'Parts?$top=20'"),
            .init("what is stale", line: "policy evict field.store --expired"),
        ]
    )

    private enum Choice: Sendable {
        case reads([String])
        case expired, all, startup
        case set(String)
        case entity(String)
    }

    private let store: String
    private let choice: Choice
    private let isJSON: Bool

    init(_ arguments: Arguments) throws(CommandFailure) {
        store = arguments.operands[0]
        isJSON = arguments.has("json")
        var choices: [Choice] = []
        let urls = Array(arguments.operands.dropFirst())
        if !urls.isEmpty { choices.append(.reads(urls)) }
        if arguments.has("expired") { choices.append(.expired) }
        if arguments.has("all") { choices.append(.all) }
        if arguments.has("startup") { choices.append(.startup) }
        if let set = arguments.value("set") { choices.append(.set(set)) }
        if let entity = arguments.value("entity") { choices.append(.entity(entity)) }
        guard let only = choices.first, choices.count == 1 else {
            throw .usage(
                "name reads by their URLs, or one of --expired, --all, --set, --entity, --startup"
            )
        }
        choice = only
    }

    func run(_ terminal: Terminal) async throws -> ExitStatus {
        // Nothing is refreshed on the way: no network is needed.
        var options = PolicyEngineOptions()
        options.reachability = ManualReachability(isReachable: false)
        let engine = PolicyEngine(
            provider: try StoreSession.local(store, on: terminal, policies: .byCommand).provider,
            options: options
        )
        let before = try await Self.copies(engine)
        var count = 0
        switch choice {
        case .reads(let urls):
            for url in urls where try await engine.storedResource(url)?.fetched == nil {
                throw CommandFailure(
                    .notFound,
                    "no read of '\(url)' is kept",
                    advice: "`policy show \(ShellText.quoted(store))` lists the reads that are."
                )
            }
            for url in urls { count += try await engine.evict(url) }
        case .expired: count = try await engine.evictExpired()
        case .all: count = try await engine.evictAll()
        case .set(let name):
            guard try await engine.hasEntitySet(name) else {
                throw CommandFailure(
                    .notFound,
                    "there is no entity set '\(name)'",
                    advice: "`sets \(ShellText.quoted(store))` lists them."
                )
            }
            count = try await engine.evict(entitySet: name)
        case .entity(let url):
            guard try await !engine.provider.executeQuery(url).isEmpty else {
                throw CommandFailure(
                    .notFound,
                    "the store does not have '\(url)'",
                    advice: "`get \(ShellText.quoted(store)) SET` shows which entities it has."
                )
            }
            count = try await engine.evict(entity: url) ? 1 : 0
        case .startup: count = try await engine.start()
        }
        await engine.stop()
        let copies = before - (try await Self.copies(engine))
        guard !isJSON else {
            try terminal.answer(Self.json(reads: copies, entities: count))
            return .done
        }
        try terminal.answer(
            "\(Words.amount(copies, of: "read")) and \(Words.amount(count, of: "entity", plural: "entities")) deleted"
        )
        return .done
    }

    private static func json(reads: Int, entities: Int) -> [UInt8] {
        var writer = JSONWriter()
        writer.beginObject()
        writer.member("reads", value: reads)
        writer.member("entities", value: entities)
        writer.endObject()
        return writer.bytes + [0x0A]
    }

    private static func copies(_ engine: PolicyEngine) async throws -> Int {
        try await engine.storedResources().count { $0.fetched != nil }
    }
}
