#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif
import ODataProtocol
import OfflineResources

/// `policy show`: prints the effective policies of a path and the level that each comes from.
struct PolicyShowCommand: Command {
    static let syntax = CommandSyntax(
        name: "policy show",
        summary:
            "Prints the effective policies of a resource path and the level that each comes from.",
        forms: ["FILE PATH [--backend NAME] [--json]"],
        operands: 2...2,
        options: [
            .value("backend", "NAME", "the service in a file of several: myBackend/1.0"), .json,
        ],
        notes: [
            "FILE is JSON, a property list (OMC.plist) or XML (oracle_mobile_cloud_config.xml). PATH is relative to the"
                + " service root: incidents/7 or WorkOrders(7). An exact path comes before path/*, that before path/**."
        ],
        examples: [
            .init("where is this resource read from?", "policy show policies.json incidents/7"),
            .init(
                "of one service of several",
                "policy show OMC.plist incidents --backend HR/1.0 --json"
            ),
        ]
    )

    private let file: PolicyFile
    private let path: String
    private let backend: String?
    private let isJSON: Bool

    init(_ arguments: Arguments) {
        file = PolicyFile(path: arguments.operands[0])
        path = arguments.operands[1]
        backend = arguments.value("backend")
        isJSON = arguments.has("json")
    }

    func run(_ terminal: Terminal) throws -> ExitStatus {
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
}
