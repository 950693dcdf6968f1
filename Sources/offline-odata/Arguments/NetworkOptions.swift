import FoundationEssentials
import ODataProtocol
import OfflineOData

/// What commands that use the network have in common.
struct NetworkOptions: Sendable {
    private var headers = HTTPHeaders()
    private var timeout: Duration?
    private var authorityFile: String?
    private var wait = Duration.zero
    private var mapsLinks = false
    private var allowedOrigins: [String] = []
    private var queryOptions: [String: String] = [:]

    static let syntax: [OptionSyntax] = [
        .list(
            "header",
            "'N: V'",
            "header field sent with every request; @FILE reads lines of them"
        ),
        .list("query-option", "NAME=VALUE", "query option sent with every request"),
        .value("user", "NAME:PASSWORD", "basic authentication; also @FILE"),
        .value("bearer", "TOKEN", "bearer authentication; also @FILE"),
        .value("timeout", "SECONDS", "time without a byte after which a request fails (60)"),
        .value("ca", "FILE", "certificates that the service's is checked against"),
        .flag("map-links", "take links that name another host as links to the service"),
        .list(
            "allow-origin",
            "ORIGIN",
            "origin that streams may be read from beside the service's, never with credentials"
        ),
        .list(
            "template",
            "PATH",
            "path of a plain REST service without metadata: '/orders/:id(\\d+)/:_items?/:item?'"
        ),
        .value("wait", "SECONDS", "time that another process's synchronisation is waited for (0)"),
        .value("progress", "plain|none", "lines instead of one live line, or nothing"),
    ]

    init(_ arguments: Arguments) throws(CommandFailure) {
        for value in arguments.all("header") {
            try HeaderText.append(SecretText.read(value), to: &headers)
        }
        for value in arguments.all("query-option") {
            guard let equals = value.firstIndex(of: "="), equals != value.startIndex else {
                throw .usage("--query-option takes NAME=VALUE")
            }
            queryOptions[String(value[..<equals])] = String(value[value.index(after: equals)...])
        }
        if let user = arguments.value("user") {
            guard arguments.value("bearer") == nil else {
                throw .usage("--user and --bearer exclude each other")
            }
            try authorize("Basic " + Self.base64(Self.credentials(user)))
        }
        if let bearer = arguments.value("bearer") {
            try authorize("Bearer " + SecretText.read(bearer))
        }
        timeout = try arguments.seconds("timeout")
        authorityFile = arguments.value("ca")
        wait = try arguments.seconds("wait") ?? .zero
        mapsLinks = arguments.has("map-links")
        allowedOrigins = arguments.all("allow-origin")
    }

    private static func credentials(_ value: String) throws(CommandFailure) -> String {
        let text = try SecretText.read(value)
        guard text.contains(":") else { throw .usage("--user takes NAME:PASSWORD") }
        return text
    }

    private static func base64(_ text: String) -> String {
        Data(text.utf8).base64EncodedString()
    }

    private mutating func authorize(_ value: String) throws(CommandFailure) {
        guard value.utf8.allSatisfy({ $0 >= 0x20 && $0 != 0x7F }) else {
            throw .usage("the credentials must stand on one line")
        }
        headers["Authorization"] = value
    }

    /// Writes the options into a provider's parameters.
    func apply(to parameters: OfflineODataParameters) {
        parameters.customHeaders = headers
        parameters.customQueryOptions = queryOptions
        if let timeout { parameters.timeout = timeout }
        parameters.certificateAuthorityFile = authorityFile
        parameters.waitsForOtherProcess = wait
        parameters.mapsForeignLinks = mapsLinks
        parameters.allowedOrigins = allowedOrigins
    }
}
