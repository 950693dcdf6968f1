#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif
import CommandSupport
import MetadataCommands
import ODataProtocol
import OfflineOData
import OfflineResources

/// `policy show`: prints the effective policies of a path and the level that each comes from.
struct PolicyShowCommand: Command {
    static let name = "policy show"
    static let syntax = CommandSyntax(
        name: name,
        summary:
            "Prints the effective policies of a resource path and the level that each comes from.",
        forms: ["STORE|FILE PATH [--backend NAME] [--json]", "STORE [--json]"],
        operands: 1...2,
        options: [
            .value(
                "backend",
                placeholder: "NAME",
                help: "the service in a file of several: myBackend/1.0"
            ), .json,
        ],
        notes: [
            "FILE is JSON, a property list (OMC.plist) or XML (oracle_mobile_cloud_config.xml). PATH is relative to the"
                + " service root: incidents/7 or WorkOrders(7). An exact path comes before path/*, that before path/**.",
            "Of a STORE these are the policies that are stored with the resource; an entity without any of its own has those of"
                + " the last collection that brought it, anything else those of the configuration that the store keeps"
                + " (`policy use`). Without PATH the stored reads are listed.",
        ],
        examples: [
            .init(
                "where is this resource read from?",
                line: "policy show policies.json incidents/7"
            ),
            .init("what does the store keep of reads?", line: "policy show field.store"),
            .init(
                "of one service of several",
                line: "policy show OMC.plist incidents --backend HR/1.0 --json"
            ),
        ]
    )

    private let file: PolicyFile
    private let path: String?
    private let backend: String?
    private let isJSON: Bool

    init(_ arguments: Arguments) throws(CommandFailure) {
        file = PolicyFile(path: arguments.operands[0])
        path = arguments.operands.count > 1 ? arguments.operands[1] : nil
        backend = arguments.value("backend")
        isJSON = arguments.has("json")
        guard backend == nil || path != nil else {
            throw .usage("--backend goes with a configuration file")
        }
    }

    func run(_ terminal: Terminal) async throws -> ExitStatus {
        if try terminal.storeKey != nil || file.isStore() { return try await runStore(terminal) }
        guard let path else {
            throw CommandFailure.usage("a configuration file needs a PATH of a resource behind it")
        }
        let (configuration, warnings) = try file.read()
        for warning in warnings where !isJSON { terminal.remark("warning: \(warning)") }
        let backend = try configuration.backend(named: backend)
        let listing = PolicyListing(
            path: path,
            policy: PolicyResolver(configuration: backend).policy(for: path, now: Date()),
            backend: backend
        )
        try terminal.answer(isJSON ? listing.json() : listing.text())
        return .done
    }

    private func runStore(_ terminal: Terminal) async throws -> ExitStatus {
        let provider = try StoreSession.local(file.path, on: terminal, policies: .byCommand)
            .provider
        let engine = PolicyEngine(provider: provider)
        guard let path else {
            let listing = StoredResourceListing(resources: try await engine.storedResources())
            try terminal.answer(isJSON ? listing.json() : listing.text())
            return .done
        }
        let listing = PolicyListing(
            path: path,
            policy: try await engine.policy(for: path),
            backend: try await engine.configuration()
        )
        try terminal.answer(isJSON ? listing.json() : listing.text())
        return .done
    }
}
