import CommandSupport
import OfflineOData
import OfflineResources
import OfflinePolicies

/// What commands say about policies.
struct PolicyOptions: Sendable {
    /// The reader's own policies.
    let policy: ResourcePolicy
    private let isOffline: Bool
    private let countsStandardHeaders: Bool
    private let configuration: BackendConfiguration?

    /// Options of every command for which policies decide.
    static let common: [OptionSyntax] =
        SyncSettings.configurationOptions + [
            .flag("offline", help: "work as if there were no network"),
            .flag(
                "standard-cache-headers",
                help:
                    "let Cache-Control and Expires count where Oracle-Mobile-Sync-… headers are absent"
            ),
        ]

    static let reading: [OptionSyntax] =
        [
            .value(
                "fetch-policy",
                placeholder: "P",
                help:
                    "answer from store or service: FETCH_FROM_CACHE, FETCH_FROM_SERVICE_IF_ONLINE, …"
            ).offering(FetchPolicy.allCases.map(\.rawValue)),
            .list(
                "policy",
                placeholder: "NAME=VALUE",
                help: "another policy of this read, such as expireAfter=60"
            ),
        ] + common

    static let note =
        "Without --fetch-policy, --policy, --config and --offline the store alone answers, whatever policies it keeps. With one of"
        + " them the answer comes from the store or the service as these say, and what the service"
        + " answers is kept. Standard error names its source. Exit status 6: it was never fetched; 4: the service was not"
        + " reached, and there is no copy."

    /// Reads the options of a read; nil where none of them is given.
    ///
    /// - Throws: ``CommandFailure`` (invalid) for a policy that is none.
    init?(reading arguments: Arguments, _ settings: SyncSettings) throws(CommandFailure) {
        let names = ["fetch-policy", "config"]
        let flags = ["offline", "standard-cache-headers"]
        let isGiven =
            names.contains { arguments.value($0) != nil } || flags.contains(where: arguments.has)
            || !arguments.all("policy").isEmpty
        guard isGiven else { return nil }
        var policies = arguments.all("policy")
        if let fetch = arguments.value("fetch-policy") { policies.append("fetchPolicy=" + fetch) }
        try self.init(arguments, settings: settings, policies: policies)
    }

    init(
        _ arguments: Arguments,
        settings: SyncSettings,
        policies: [String] = []
    ) throws(CommandFailure) {
        policy = try PolicySettings.read(policies)
        isOffline = arguments.has("offline")
        countsStandardHeaders = arguments.has("standard-cache-headers")
        configuration = settings.configuration
    }

    /// Plugs an engine into a provider.
    func engine(_ provider: OfflineODataProvider) -> PolicyEngine {
        var options = PolicyEngineOptions()
        options.configuration = configuration
        options.usesStandardCacheHeaders = countsStandardHeaders
        options.ordersChangesByKind = true
        if isOffline { options.reachability = ManualReachability(isReachable: false) }
        return PolicyEngine(provider: provider, options: options)
    }

    /// Says what became of changes that were sent before a read, and of refreshes beside it.
    static func remark(on engine: PolicyEngine, store: String, _ terminal: Terminal) {
        if let report = engine.takeFlushReport() {
            let upload = UploadReport(
                result: report.outcome,
                store: store,
                takenBackCount: report.takenBackCount
            )
            terminal.remark(upload.sentence)
            upload.advise(terminal)
        }
        for failure in engine.takeRefreshFailures() {
            terminal.remark("\(failure.url) was not refreshed: \(failure.error.message)")
        }
    }
}
