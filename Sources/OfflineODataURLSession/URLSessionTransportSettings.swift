import ODataHTTP

/// How connections are made by ``URLSessionTransport``.
public struct URLSessionTransportSettings: Sendable {
    /// A client's certificate and its key, as a PKCS #12 file: the form that Apple's systems read.
    public struct ClientIdentity: Sendable {
        /// The file.
        public var file: String
        /// Its password.
        public var password: String

        /// Creates a reference to a file.
        public init(file: String, password: String) {
            (self.file, self.password) = (file, password)
        }
    }

    /// Time for a whole transfer; nil for any time, as long as bytes come.
    public var wholeTimeout: Duration?
    /// PEM file with the authorities to trust instead of the system's; not on Linux.
    public var authorityFile: String?
    /// What the client shows to a service that asks who it is; not on Linux.
    public var clientIdentity: ClientIdentity?
    /// Value of the `User-Agent` field where a request has none.
    public var userAgent = "OfflineOData"
    /// Connections to the service at the same time.
    public var maximumConnections = 8
    /// Bytes of one body that wait for their reader before the sender is slowed down.
    ///
    /// Not on Linux, where nothing slows it down.
    public var bufferBytes = 1024 * 1024

    /// Creates settings with the defaults.
    public init() {}

    /// Refuses what the `URLSession` of this platform cannot do, rather than doing without it.
    func check() throws(HTTPTransportError) {
        #if !canImport(Security)
            guard authorityFile == nil else {
                throw HTTPTransportError(
                    .unusableSettings,
                    "URLSession takes no authorities of its own here: use libcurl, or add them to the system's"
                )
            }
            guard clientIdentity == nil else {
                throw HTTPTransportError(
                    .unusableSettings,
                    "URLSession shows no client certificate here: use libcurl"
                )
            }
        #endif
    }
}
