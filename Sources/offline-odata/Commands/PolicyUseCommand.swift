import CommandSupport
import MetadataCommands
import ODataProtocol
import OfflineResources

/// `policy use`: keeps a configuration of policies with a store.
struct PolicyUseCommand: Command {
    static let name = "policy use"
    static let syntax = CommandSyntax(
        name: name,
        summary: "Keeps a configuration of policies with a store, in force from then on.",
        forms: ["STORE FILE [--backend NAME] [--json]"],
        operands: 2...2,
        options: [
            .value(
                "backend",
                placeholder: "NAME",
                help: "the service in a file of several: myBackend/1.0"
            ), .json,
        ],
        notes: [
            "Only the synchronization settings of one service are kept. Every command that opens the store obeys them: reads with a"
                + " fetch policy, changes (maxStoreSize, updatePolicy, noCache), uploads and downloads (conflictResolutionPolicy, pins)."
                + " The path templates of syncExpress take the place of those that the store has."
        ],
        examples: [.init("from now on", line: "policy use field.store OMC.plist --backend HR/1.0")]
    )

    private let store: String
    private let file: PolicyFile
    private let backend: String?
    private let isJSON: Bool

    init(_ arguments: Arguments) {
        store = arguments.operands[0]
        file = PolicyFile(path: arguments.operands[1])
        backend = arguments.value("backend")
        isJSON = arguments.has("json")
    }

    func run(_ terminal: Terminal) async throws -> ExitStatus {
        let (configuration, warnings) = try file.read()
        for warning in warnings { terminal.remark("warning: \(warning)") }
        let chosen = try configuration.backend(named: backend)
        let provider = try StoreSession.local(store, on: terminal, policies: .byCommand).provider
        try await PolicyEngine(provider: provider).keep(configuration: chosen)
        guard !isJSON else {
            try terminal.answer(Self.json(chosen))
            return .done
        }
        let kept =
            chosen.express.map { Words.amount($0.templates.count, of: "path template") }
            ?? Words.amount(chosen.policies.count, of: "path")
        try terminal.answer("kept: \(kept)")
        return .done
    }

    private static func json(_ configuration: BackendConfiguration) -> [UInt8] {
        var writer = JSONWriter()
        writer.beginObject()
        writer.member("paths", value: configuration.policies.count)
        writer.member("templates", value: configuration.express?.templates.count ?? 0)
        writer.endObject()
        return writer.bytes + [0x0A]
    }
}
