public import ODataProtocol
public import OfflineOData

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// What commands that use the network have in common.
public struct NetworkOptions: Sendable {
    private var headers = HTTPHeaders()
    private var timeout: Duration?
    private var authorityFile: String?
    private var wait = Duration.zero
    private var mapsLinks = false
    private var allowedOrigins: [String] = []
    private var queryOptions: [String: String] = [:]
    private var cookies: [String: String] = [:]
    private var proxy: CurlTransportSettings.Proxy?
    private var clientCertificate: CurlTransportSettings.ClientCertificate?
    private var transport: TransportOption?
    private var recording: String?

    /// The options, as every command that uses the network takes them.
    public static let syntax: [OptionSyntax] = [
        .list(
            "header",
            placeholder: "'N: V'",
            help: "header field sent with every request; @FILE reads lines of them"
        ),
        .list(
            "query-option",
            placeholder: "NAME=VALUE",
            help: "query option sent with every request"
        ),
        .value("user", placeholder: "NAME:PASSWORD", help: "basic authentication; also @FILE"),
        .value("bearer", placeholder: "TOKEN", help: "bearer authentication; also @FILE"),
        .value(
            "timeout",
            placeholder: "SECONDS",
            help: "time without a byte after which a request fails (60)"
        ),
        .list(
            "cookie",
            placeholder: "NAME=VALUE",
            help: "cookie sent with every request; also @FILE"
        ),
        .value(
            "ca",
            placeholder: "FILE",
            help: "certificates that the service's is checked against"
        ),
        .value(
            "client-cert",
            placeholder: "FILE",
            help: "PEM certificate shown to a service that asks for one"
        ),
        .value(
            "client-key",
            placeholder: "FILE",
            help: "its PEM key; where it is not in the file of --client-cert"
        ),
        .value(
            "client-key-password",
            placeholder: "PASSWORD",
            help: "password of the key; also @FILE"
        ),
        .value(
            "proxy",
            placeholder: "URL|none",
            help:
                "proxy instead of the one that the environment names; also @FILE, for a URL with a password"
        ),
        .flag("map-links", help: "take links that name another host as links to the service"),
        .list(
            "allow-origin",
            placeholder: "ORIGIN",
            help:
                "origin that streams may be read from beside the service's, never with credentials"
        ),
        .list(
            "template",
            placeholder: "PATH",
            help:
                "path of a plain REST service without metadata: '/orders/:id(\\d+)/:_items?/:item?'"
        ),
        TransportOption.syntax, HARFile.syntax,
        .value(
            "wait",
            placeholder: "SECONDS",
            help: "time that another process's synchronisation is waited for (0)"
        ),
        ProgressDisplay.syntax,
    ]

    /// Returns the words that give a command of the shell what the shell itself was given, where the command takes it and its line says
    /// nothing else.
    public static func words(
        _ given: Arguments,
        for options: [OptionSyntax],
        besides line: [String]
    ) -> [String] {
        let names = Set(options.map(\.name))
        let isAuthorized = line.contains {
            ["--user", "--bearer"].contains($0.prefix { $0 != "=" })
        }
        return syntax.flatMap { option -> [String] in
            let (name, form) = (option.name, "--" + option.name)
            guard names.contains(name), name != "har",
                !line.contains(where: { $0 == form || $0.hasPrefix(form + "=") }),
                !(isAuthorized && ["user", "bearer"].contains(name))
            else { return [] }
            if option.placeholder == nil { return given.has(name) ? [form] : [] }
            return given.all(name).flatMap { [form, $0] }
        }
    }

    /// Reads the options.
    ///
    /// - Throws: ``CommandFailure`` (invalid) where one makes no sense.
    public init(_ arguments: Arguments) throws(CommandFailure) {
        for value in arguments.all("header") {
            if !value.hasPrefix("@") { try HeaderText.checkIsOneLine(value) }
            try HeaderText.append(SecretText.read(value), to: &headers)
        }
        for value in arguments.all("query-option") {
            let (name, text) = try Self.pair(value, option: "--query-option")
            queryOptions[name] = text
        }
        for value in arguments.all("cookie") {
            let (name, text) = try Self.pair(SecretText.read(value), option: "--cookie")
            cookies[name] = text
        }
        proxy = try Self.proxy(arguments.value("proxy"))
        clientCertificate = try Self.clientCertificate(arguments)
        if let user = arguments.value("user") {
            guard arguments.value("bearer") == nil else {
                throw .usage("--user and --bearer exclude each other")
            }
            try authorize("Basic " + Self.base64(Self.credentials(user)))
        }
        if let bearer = arguments.value("bearer") {
            try authorize("Bearer " + SecretText.read(bearer))
        }
        transport = try TransportOption.read(arguments)
        guard transport != .urlSession || !hasOwnConnection else {
            throw .usage(
                "--proxy and --client-cert are for --transport curl: URLSession takes the system's settings"
            )
        }
        recording = arguments.value("har")
        timeout = try arguments.seconds("timeout")
        guard timeout != .zero else { throw .usage("--timeout takes more than 0 seconds") }
        authorityFile = try Self.authorityFile(arguments)
        wait = try arguments.seconds("wait") ?? .zero
        mapsLinks = arguments.has("map-links")
        allowedOrigins = arguments.all("allow-origin")
    }

    private static func pair(_ text: String, option: String) throws(CommandFailure) -> (
        name: String, value: String
    ) {
        guard let equals = text.firstIndex(of: "="), equals != text.startIndex else {
            throw .usage("\(option) takes NAME=VALUE")
        }
        return (String(text[..<equals]), String(text[text.index(after: equals)...]))
    }

    private static func proxy(_ value: String?) throws(CommandFailure)
        -> CurlTransportSettings.Proxy?
    {
        guard let value else { return nil }
        let text = try SecretText.read(value)
        guard text != "none" else { return CurlTransportSettings.Proxy.none }
        let schemes = ["http://", "https://", "socks5://", "socks5h://"]
        guard schemes.contains(where: text.hasPrefix) else {
            throw .usage("--proxy takes none or a URL such as http://proxy.example.org:3128")
        }
        return .url(text)
    }

    /// - Throws: ``CommandFailure`` for files that cannot be read: a failed handshake would not name them.
    private static func clientCertificate(_ arguments: Arguments) throws(CommandFailure)
        -> CurlTransportSettings.ClientCertificate?
    {
        let key = arguments.value("client-key")
        let password = arguments.value("client-key-password")
        guard let certificate = arguments.value("client-cert") else {
            guard key == nil, password == nil else {
                throw .usage("--client-key belongs to --client-cert FILE")
            }
            return nil
        }
        let secret = try password.map { text throws(CommandFailure) in try SecretText.read(text) }
        guard PEMFile(try FileBytes.read(certificate)).hasCertificate else {
            throw .usage("--client-cert \(certificate): the file holds no PEM certificate")
        }
        let keyFile = PEMFile(try FileBytes.read(key ?? certificate))
        guard keyFile.hasKey else {
            throw .usage(
                key.map { "--client-key \($0): the file holds no PEM key" }
                    ?? "--client-cert \(certificate): the file holds no key; name the key's file by --client-key"
            )
        }
        guard secret != nil || !keyFile.hasEncryptedKey else {
            throw .usage(
                "the key in \(key ?? certificate) is encrypted: give --client-key-password PASSWORD or @FILE"
            )
        }
        return CurlTransportSettings.ClientCertificate(
            certificateFile: certificate,
            keyFile: key,
            keyPassword: secret
        )
    }

    /// - Throws: ``CommandFailure`` for a file without certificates: a failed handshake would be taken for a service that is away.
    private static func authorityFile(_ arguments: Arguments) throws(CommandFailure) -> String? {
        guard let file = arguments.value("ca") else { return nil }
        guard PEMFile(try FileBytes.read(file)).hasCertificate else {
            throw .usage("--ca \(file): the file holds no PEM certificate")
        }
        return file
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
    public func apply(to parameters: OfflineODataParameters) {
        parameters.customHeaders = headers
        parameters.customQueryOptions = queryOptions
        parameters.customCookies = cookies
        if let timeout { parameters.timeout = timeout }
        parameters.certificateAuthorityFile = authorityFile
        parameters.waitsForOtherProcess = wait
        parameters.mapsForeignLinks = mapsLinks
        parameters.allowedOrigins = allowedOrigins
    }

    /// Returns what carries the requests; nil for the engine's own choice, which follows the parameters.
    ///
    /// - Throws: ``CommandFailure`` where the program has no such transport.
    public func ownTransport(_ terminal: Terminal) throws -> (any HTTPTransport)? {
        let own = try recording.map { path throws(CommandFailure) in try HARFile(path) }
        guard let file = own ?? terminal.recording else { return try plainTransport(terminal) }
        let parameters = OfflineODataParameters()
        apply(to: parameters)
        let base = try plainTransport(terminal) ?? parameters.standardTransport()
        return file.recording(base)
    }

    private func plainTransport(_ terminal: Terminal) throws -> (any HTTPTransport)? {
        guard transport == .urlSession else {
            guard transport == .curl || hasOwnConnection else { return nil }
            return CurlTransport(settings: connection)
        }
        guard let make = terminal.urlSession else {
            throw CommandFailure.usage(
                "this process has no URLSession",
                advice: "Give --transport urlsession when the program is started."
            )
        }
        return try make(ConnectionOptions(authorityFile: authorityFile))
    }

    /// How connections are made.
    private var connection: CurlTransportSettings {
        var settings = CurlTransportSettings()
        settings.authorityFile = authorityFile
        settings.clientCertificate = clientCertificate
        if let proxy { settings.proxy = proxy }
        return settings
    }

    /// Whether an option asks for connections that parameters alone do not describe.
    private var hasOwnConnection: Bool { proxy != nil || clientCertificate != nil }
}
