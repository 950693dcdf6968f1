import OfflineOData
import OfflineResources

/// What `open`, `download`, `upload` and `sync` know of the service and of how to go about it.
struct SyncSettings: Sendable {
    let store: String
    private let network: NetworkOptions
    private let mode: ProgressDisplay.Mode?
    private let batchSize: Int?
    private let pageSize: Int?
    private let clientPageSize: Int?
    private let isRepeatable: Bool
    private let appliesResponses: Bool
    private let templates: [RESTTemplate]

    static let downloadOptions: [OptionSyntax] = [
        .value("page-size", "N", "page size that the service is asked for"),
        .value("client-page-size", "N", "cut pages by key, for services that do not page"),
    ]

    static let uploadOptions: [OptionSyntax] = [
        .value("batch-size", "N", "most requests in a batch (100)"),
        .flag("repeatable", "the service recognises requests that are sent again under their id"),
        uploadResponse,
    ]

    static let uploadResponse = OptionSyntax.value(
        "upload-response",
        "identity|apply",
        "take keys and ETags from the answers of uploads (default), or all values"
    )

    init(_ arguments: Arguments) throws(CommandFailure) {
        store = arguments.operands[0]
        network = try NetworkOptions(arguments)
        do {
            templates = try arguments.all("template").map { try RESTTemplate($0) }
        } catch {
            throw .usage("the template is refused: \(error)")
        }
        mode = try arguments.choice("progress", of: ProgressDisplay.modes)
        batchSize = try arguments.number("batch-size", in: 1...10_000)
        pageSize = try arguments.number("page-size", in: 1...1_000_000)
        clientPageSize = try arguments.number("client-page-size", in: 1...1_000_000)
        isRepeatable = arguments.has("repeatable")
        appliesResponses =
            try arguments.choice("upload-response", of: [("identity", false), ("apply", true)])
            ?? false
    }

    /// Opens the store, or another one with the same settings; without a service root it is the store's own.
    func session(
        _ terminal: Terminal,
        path: String? = nil,
        serviceRoot: String? = nil,
        isCreating: Bool = false
    ) throws -> StoreSession {
        let parameters = OfflineODataParameters()
        network.apply(to: parameters)
        parameters.logger = terminal.logger
        if let batchSize { parameters.uploadBatchSize = batchSize }
        parameters.preferredPageSize = pageSize
        parameters.clientDrivenPageSize = clientPageSize
        parameters.enableRepeatableRequests = isRepeatable
        parameters.appliesUploadResponses = appliesResponses
        let rest = try transport(parameters, path ?? store, serviceRoot)
        if let rest { parameters.transport = rest }
        let session = try StoreSession(
            path ?? store,
            serviceRoot: serviceRoot,
            isCreating: isCreating,
            parameters,
            ProgressDisplay(terminal, mode)
        )
        try rest?.keep(in: session.provider)
        return session
    }

    /// Speaks to a service without metadata by its templates: those given, or those that the store keeps.
    private func transport(
        _ parameters: OfflineODataParameters,
        _ path: String,
        _ serviceRoot: String?
    ) throws -> RESTTransport? {
        var curl = CurlTransportSettings()
        curl.authorityFile = parameters.certificateAuthorityFile
        guard !templates.isEmpty else {
            guard FileBytes.exists(path) else { return nil }
            return try RESTTransport.kept(
                inStoreAt: path,
                pageSize: pageSize,
                base: CurlTransport(settings: curl)
            )
        }
        let root = try serviceRoot ?? OfflineODataProvider(storeFile: path).serviceRoot
        guard let root else { throw CommandFailure.usage("the store belongs to no service") }
        var options = RESTTransport.Options()
        options.pageSize = pageSize
        return RESTTransport(
            root: root,
            templates: templates,
            options: options,
            base: try CurlTransport(settings: curl)
        )
    }
}
