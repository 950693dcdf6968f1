import CommandSupport
import MetadataCommands
import ODataProtocol
import OfflineOData
import OfflineResources

/// What `open`, `download`, `upload` and `sync` know of the service and of how to go about it.
struct SyncSettings: Sendable {
    let store: String
    private let network: NetworkOptions
    private let mode: ProgressDisplay.Mode?
    private let batchSize: Int?
    private let takesUnavailableAsUnprocessed: Bool
    private let pageSize: Int?
    private let clientPageSize: Int?
    private let isRepeatable: Bool
    private let appliesResponses: Bool
    private let parallelQueryCount: Int?
    private let parallelBatchCount: Int?
    private let batchFormat: BatchFormat?
    private let tunnelsMethods: Bool
    private let currentUser: String?
    private let forcesUpload: Bool
    private let templates: [RESTTemplate]
    /// The configuration of policies that is given; nil for the one that the store keeps.
    let configuration: BackendConfiguration?

    /// Where policies come from.
    static let configurationOptions: [OptionSyntax] = [
        .value(
            "config",
            placeholder: "FILE",
            help: "configuration of policies; else the one that the store keeps"
        ),
        .value("backend", placeholder: "NAME", help: "the service in a configuration of several"),
    ]

    static let downloadOptions: [OptionSyntax] = [
        .value("page-size", placeholder: "N", help: "page size to ask the service for"),
        .value(
            "client-page-size",
            placeholder: "N",
            help: "cut pages by key, for services that do not page"
        ),
        .value(
            "parallel",
            placeholder: "N",
            help: "queries at the same time (32), streams up to 6; with 1 one after the other"
        ),
    ]

    static let uploadOptions: [OptionSyntax] =
        [
            .value("batch-size", placeholder: "N", help: "most requests in a batch (100)"),
            .value(
                "parallel-batches",
                placeholder: "N",
                help:
                    "batches at the same time (6); with 1 one after the other, in the order of the changes but for those that wait for others"
            ),
            .flag(
                "repeatable",
                help: "the service recognises requests that are sent again under their id"
            ),
            .flag(
                "unavailable-is-unprocessed",
                help:
                    "wait and send again in the same upload after 503 with Retry-After; else such changes wait for the next one"
            ),
            uploadResponse,
        ] + formOptions

    /// In which form changes are sent.
    static let formOptions: [OptionSyntax] = [
        .value(
            "batch-format",
            placeholder: "multipart|json",
            help:
                "how several requests are sent as one; JSON needs a service of version 4.01 (multipart)"
        ),
        .flag(
            "tunnel-methods",
            help:
                "send PATCH, PUT and DELETE as POST with X-HTTP-Method, for gateways that know only GET and POST"
        ),
    ]

    /// Who uses the store.
    static let userOptions: [OptionSyntax] = [
        .value(
            "current-user",
            placeholder: "NAME",
            help: "who uses the store from now on; it remembers the name"
        ),
        .flag(
            "force-upload-on-user-switch",
            help: "upload what the user before has changed first; without it those changes wait on"
        ),
    ]

    static let uploadResponse = OptionSyntax.value(
        "upload-response",
        placeholder: "identity|apply",
        help: "take keys and ETags from the answers of uploads (default), or all values"
    )

    /// - Parameter isServing: Whether `--page-size` is about the answers to others and not about those of the service.
    init(_ arguments: Arguments, isServing: Bool = false) throws(CommandFailure) {
        store = arguments.operands[0]
        network = try NetworkOptions(arguments)
        do {
            templates = try arguments.all("template").map { try RESTTemplate($0) }
        } catch {
            throw .usage("the template is refused: \(error)")
        }
        configuration = try Self.configuration(arguments)
        mode = try arguments.choice("progress", of: ProgressDisplay.modes)
        batchSize = try arguments.number("batch-size", in: 1...10_000)
        pageSize = isServing ? nil : try arguments.number("page-size", in: 1...1_000_000)
        clientPageSize = try arguments.number("client-page-size", in: 1...1_000_000)
        parallelQueryCount = try arguments.number("parallel", in: 1...64)
        parallelBatchCount = try arguments.number("parallel-batches", in: 1...64)
        batchFormat = try arguments.choice(
            "batch-format",
            of: [("multipart", .multipart), ("json", .json)]
        )
        tunnelsMethods = arguments.has("tunnel-methods")
        currentUser = arguments.value("current-user")
        forcesUpload = arguments.has("force-upload-on-user-switch")
        guard currentUser != nil || !forcesUpload else {
            throw .usage("--force-upload-on-user-switch needs --current-user NAME")
        }
        isRepeatable = arguments.has("repeatable")
        takesUnavailableAsUnprocessed = arguments.has("unavailable-is-unprocessed")
        appliesResponses =
            try arguments.choice("upload-response", of: [("identity", false), ("apply", true)])
            ?? false
    }

    private static func configuration(_ arguments: Arguments) throws(CommandFailure)
        -> BackendConfiguration?
    {
        guard let path = arguments.value("config") else { return nil }
        do {
            let configuration = try PolicyFile(path: path).read().configuration
            return try configuration.backend(named: arguments.value("backend"))
        } catch {
            throw CommandFailure(error)
        }
    }

    /// Opens the store, or another one with the same settings; without a service root it is the store's own.
    func session(
        _ terminal: Terminal,
        path: String? = nil,
        serviceRoot: String? = nil,
        isCreating: Bool = false,
        policies: KeptPolicyUse = .bySession
    ) throws -> StoreSession {
        let parameters = OfflineODataParameters()
        network.apply(to: parameters)
        parameters.logger = terminal.logger
        parameters.storeKey = terminal.storeKey
        if let batchSize { parameters.uploadBatchSize = batchSize }
        parameters.preferredPageSize = pageSize
        parameters.clientDrivenPageSize = clientPageSize
        parameters.enableRepeatableRequests = isRepeatable
        parameters.takesUnavailableAsUnprocessed = takesUnavailableAsUnprocessed
        parameters.appliesUploadResponses = appliesResponses
        if let parallelQueryCount { parameters.parallelQueryCount = parallelQueryCount }
        if let parallelBatchCount { parameters.parallelBatchCount = parallelBatchCount }
        if let batchFormat { parameters.uploadBatchFormat = batchFormat }
        parameters.tunnelsMethods = tunnelsMethods
        parameters.currentUser = currentUser
        parameters.forceUploadOnUserSwitch = forcesUpload
        let base = try network.ownTransport(terminal)
        let rest = try transport(
            path ?? store,
            serviceRoot: serviceRoot,
            key: terminal.storeKey,
            parameters: parameters,
            base: base
        )
        if let transport = rest ?? base { parameters.transport = transport }
        let session = try StoreSession(
            path ?? store,
            serviceRoot: serviceRoot,
            isCreating: isCreating,
            parameters: parameters,
            display: ProgressDisplay(terminal, mode: mode),
            policies: policies
        )
        try rest?.keep(in: session.provider)
        return session
    }

    /// Speaks to a service without metadata by its templates: those given, or those that the store keeps.
    private func transport(
        _ path: String,
        serviceRoot: String?,
        key: OfflineODataEncryptionKey?,
        parameters: OfflineODataParameters,
        base: (any HTTPTransport)?
    ) throws -> RESTTransport? {
        let templates = templates.isEmpty ? configuration?.express?.templates ?? [] : templates
        guard !templates.isEmpty else {
            guard FileBytes.exists(path) else { return nil }
            return try RESTTransport.kept(
                inStoreAt: path,
                storeKey: key,
                pageSize: pageSize,
                base: base ?? parameters.standardTransport()
            )
        }
        let root = try serviceRoot ?? Self.serviceRoot(of: path, key)
        guard let root else {
            throw CommandFailure.usage(
                "the store belongs to no service",
                advice:
                    "It was made by `import`: it is read, changed and exported, not synchronised."
            )
        }
        var options = RESTTransport.Options()
        options.pageSize = pageSize
        options.overwrites = configuration?.express != nil
        return RESTTransport(
            root: root,
            templates: templates,
            options: options,
            base: try base ?? parameters.standardTransport()
        )
    }

    private static func serviceRoot(
        of path: String,
        _ key: OfflineODataEncryptionKey?
    ) throws -> String? {
        let parameters = OfflineODataParameters()
        parameters.storeKey = key
        return try OfflineODataProvider(storeFile: path, parameters: parameters).serviceRoot
    }
}
