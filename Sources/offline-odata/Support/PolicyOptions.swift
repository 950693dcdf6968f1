import OfflineOData
import OfflineResources

/// What commands say about policies.
struct PolicyOptions: Sendable {
    /// The reader's own policies.
    let policy: ResourcePolicy
    private let isOffline: Bool
    private let file: PolicyFile?
    private let backend: String?

    /// Options of every command for which policies decide.
    static let common: [OptionSyntax] = [
        .value("config", "FILE", "configuration of policies; else the one that the store keeps"),
        .value("backend", "NAME", "the service in a configuration of several"),
        .flag("offline", "work as if there were no network"),
    ]

    static let reading: [OptionSyntax] =
        [
            .value(
                "fetch-policy",
                "P",
                "answer from store or service: FETCH_FROM_CACHE, FETCH_FROM_SERVICE_IF_ONLINE, …"
            ),
            .list("policy", "NAME=VALUE", "another policy of this read, such as expireAfter=60"),
        ] + common

    static let note =
        "With a policy or a configuration the answer comes from the store or the service as these say, and what the service"
        + " answers is kept. Standard error tells where it comes from. Exit status 6: it was never fetched; 4: the service was not"
        + " reached, and there is no copy."

    /// Reads the options of a read; nil where none of them is given.
    ///
    /// - Throws: ``CommandFailure`` (invalid) for a policy that is none.
    init?(reading arguments: Arguments) throws(CommandFailure) {
        let names = ["fetch-policy", "config"]
        let isGiven =
            names.contains { arguments.value($0) != nil } || arguments.has("offline")
            || !arguments.all("policy").isEmpty
        guard isGiven else { return nil }
        var settings = arguments.all("policy")
        if let fetch = arguments.value("fetch-policy") { settings.append("fetchPolicy=" + fetch) }
        try self.init(arguments, settings)
    }

    init(_ arguments: Arguments, _ settings: [String] = []) throws(CommandFailure) {
        policy = try PolicySettings.read(settings)
        isOffline = arguments.has("offline")
        file = arguments.value("config").map(PolicyFile.init)
        backend = arguments.value("backend")
    }

    /// Plugs an engine into a provider.
    func engine(_ provider: OfflineODataProvider) throws -> PolicyEngine {
        var options = PolicyEngineOptions()
        options.configuration = try file?.read().configuration.backend(named: backend)
        if isOffline { options.reachability = ManualReachability(isReachable: false) }
        return PolicyEngine(provider: provider, options: options)
    }
}
