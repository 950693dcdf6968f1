public import ODataHTTP
import OfflineOData

/// The `syncExpress` settings of a service: plain REST without metadata, whose resources path templates name.
public struct ExpressConfiguration: Sendable, Hashable {
    /// What speaks to the service; ``oracleRestHandler`` is the only one.
    public var handler = Self.oracleRestHandler
    /// The resources, in the order of the file.
    public var templates: [RESTTemplate]

    /// The handler of services that answer arrays, objects, or objects wrapped in `items`.
    public static let oracleRestHandler = "OracleRestHandler"

    /// Creates settings.
    public init(templates: [RESTTemplate]) {
        self.templates = templates
    }
}

extension RESTTransport {
    /// Creates the transport of a service configured by `syncExpress`: updates overwrite the service's version.
    public convenience init(
        root: String,
        express: ExpressConfiguration,
        pageSize: Int? = nil,
        base: any HTTPTransport
    ) {
        var options = Options()
        options.overwrites = true
        options.pageSize = pageSize
        self.init(root: root, templates: express.templates, options: options, base: base)
    }
}

extension PolicyEngineOptions {
    /// Creates the options of a service configured by `syncExpress`: changes made offline go up when the application next reads online.
    public init(express configuration: BackendConfiguration) {
        self.init()
        self.configuration = configuration
        sendsChangesBeforeReads = true
    }
}
