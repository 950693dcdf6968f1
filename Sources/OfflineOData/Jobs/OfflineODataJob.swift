import OfflineValues

/// A description of work on many stores: which stores, which steps, and how it is gone about.
///
/// It is read from JSON with ``init(json:directory:)`` and carried out by ``OfflineODataJobRunner``. Paths in it are relative to the
/// directory of its file, and credentials stand in it by reference only.
public struct OfflineODataJob: Sendable, Hashable {
    /// One store of a job.
    public struct Store: Sendable, Hashable {
        /// Path as the job names it; the store's identity in reports.
        public var path: String
        /// Service root; nil for the one of the job.
        public var service: String?
        /// Texts for `{name}` in the service, the queries, the references and the paths.
        public var variables: [String: String]

        /// Creates a store.
        public init(_ path: String, service: String? = nil, variables: [String: String] = [:]) {
            self.path = path
            self.service = service
            self.variables = variables
        }
    }

    /// A header field with a text or with a reference to one.
    public enum Value: Sendable, Hashable {
        /// The text itself.
        case text(String)
        /// Where the text stands.
        case secret(OfflineODataJobSecret)
    }

    /// How requests are authorized.
    public enum Credentials: Sendable, Hashable {
        /// A reference to a token.
        case bearer(OfflineODataJobSecret)
        /// A reference to `name:password`.
        case user(OfflineODataJobSecret)
    }

    /// What happens to a store whose changes are uploaded.
    public enum AfterUpload: String, Sendable, Hashable, CaseIterable {
        /// The store stays.
        case keep
        /// The store's file is removed after the last step, unless a change waits in it or was refused.
        case clear
    }

    /// How often a store is tried again that was not reached, or that another process synchronised.
    public struct Retries: Sendable, Hashable {
        /// Further attempts after the first.
        public var count = 2
        /// Pause before the second attempt; it doubles with each.
        public var delay: Duration = .seconds(1)

        /// Creates retries.
        public init(count: Int = 2, delay: Duration = .seconds(1)) {
            self.count = count
            self.delay = delay
        }
    }

    /// Programs that run beside the work on each store; a program and its arguments.
    public struct Hooks: Sendable, Hashable {
        /// Runs before the first step; the store fails where it does.
        public var before: [String] = []
        /// Runs after the last step of a store that is done.
        public var after: [String] = []
        /// Runs for a store that was not done.
        public var failed: [String] = []

        /// Creates hooks that do nothing.
        public init() {}
    }

    /// Settings of the connections.
    public struct Options: Sendable, Hashable {
        /// Time without a byte after which a request fails.
        public var timeout: Duration?
        /// Time that another process's synchronisation is waited for.
        public var wait: Duration?
        /// Page size to ask the service for.
        public var pageSize: Int?
        /// Most requests in a batch.
        public var batchSize: Int?
        /// Query options that go along with every request.
        public var queryOptions: [String: String] = [:]
        /// PEM file with the authorities to trust instead of the system's.
        public var authorityFile: String?

        /// Creates options with the defaults of ``OfflineODataParameters``.
        public init() {}
    }

    /// Service root of the stores that name none.
    public var service: String?
    /// The stores, each once.
    public var stores: [Store] = []
    /// What each store holds of its service.
    public var queries: [OfflineODataDefiningQuery] = []
    /// What is done with each store, in this order.
    public var steps: [OfflineODataJobStep] = [.init(.open), .init(.upload), .init(.download)]
    /// How requests are authorized; nil for services that are open.
    public var credentials: Credentials?
    /// Header fields of every request.
    public var headers: [String: Value] = [:]
    /// The key of encrypted stores.
    public var storeKey: OfflineODataJobSecret?
    /// Settings of the connections.
    public var options = Options()
    /// Stores worked on at the same time.
    public var concurrency = 4
    /// How often a store is tried again.
    public var retries = Retries()
    /// Time after which a store that is done is done again; nil for once.
    public var every: Duration?
    /// What happens to a store whose changes are uploaded.
    public var afterUpload = AfterUpload.keep
    /// Programs that run beside the work.
    public var hooks = Hooks()
    /// The directory that paths are relative to; empty for the process's own.
    public var directory = ""

    /// Creates a job without stores.
    public init() {}

    /// Returns a path of the job as the process sees it.
    public func resolved(_ path: String) -> String {
        directory.isEmpty || path.hasPrefix("/") ? path : directory + "/" + path
    }
}
