/// How connections are made.
public struct CurlTransportSettings: Sendable {
    /// Which proxy requests go through.
    public enum Proxy: Sendable, Equatable {
        /// What the environment names (`https_proxy`, `no_proxy`, …); never for addresses of this machine.
        case environment
        /// No proxy.
        case none
        /// The proxy with this URL, which may hold a name and a password.
        case url(String)
    }

    /// A client's certificate and its key, as PEM files.
    public struct ClientCertificate: Sendable {
        /// File with the certificate.
        public var certificateFile: String
        /// File with the private key; nil where it stands with the certificate.
        public var keyFile: String?
        /// Password of the key.
        public var keyPassword: String?

        /// Creates a reference to files.
        public init(
            certificateFile: String,
            keyFile: String? = nil,
            keyPassword: String? = nil
        ) {
            self.certificateFile = certificateFile
            self.keyFile = keyFile
            self.keyPassword = keyPassword
        }
    }

    /// Time for name, connection and TLS together.
    public var connectTimeout: Duration = .seconds(30)
    /// Time for a whole transfer; nil for any time, as long as bytes come.
    public var wholeTimeout: Duration?
    /// PEM file with the authorities to trust instead of the system's.
    public var authorityFile: String?
    /// What the client shows to a service that asks who it is.
    public var clientCertificate: ClientCertificate?
    /// Which proxy requests go through.
    public var proxy: Proxy = .environment
    /// Value of the `User-Agent` field where a request has none.
    public var userAgent = "OfflineOData"
    /// How long a connection may have rested and still carry a change, in whole seconds; below one each gets a new connection.
    ///
    /// A service closes connections that rest. A change that meets such an end is not lost, but what became of it has to be asked for.
    public var longestRestBeforeChange: Duration = .seconds(2)
    /// Transfers at the same time; more wait for their turn.
    ///
    /// An unread body keeps its place, so read or release one before asking for many others.
    public var maximumConnections = 8
    /// Bytes of one body that wait for their reader before the sender is slowed down.
    ///
    /// The system's own buffers hold as much again, so a page that waits costs little time and not its size in memory.
    public var bufferBytes = 1024 * 1024
    /// Bytes of an answer's header fields; more is an error.
    public var headBytes = 256 * 1024

    /// Creates settings with the defaults.
    public init() {}
}
