/// One step of a job, the same for each store.
public struct OfflineODataJobStep: Sendable, Hashable {
    /// What a step does.
    public enum Action: Sendable, Hashable {
        /// Creates and loads the store, or opens it and loads queries that are new.
        case open
        /// Sends the waiting changes, all or those of some upload categories.
        case upload(categories: [String]?)
        /// Fetches what has changed on the service.
        case download(isFull: Bool)
        /// Checks the file, and compares the store with its service where that is asked for.
        case check(againstService: Bool)
        /// Writes the entities into files of a directory.
        case export(directory: String)

        /// All waiting changes.
        public static let upload = Action.upload(categories: nil)
        /// By delta links where the service gives them.
        public static let download = Action.download(isFull: false)
    }

    /// What it does.
    public var action: Action
    /// Time after which it is due again for a store; nil for each time that the store is worked on.
    public var every: Duration?

    /// Creates a step.
    public init(_ action: Action, every: Duration? = nil) {
        self.action = action
        self.every = every
    }

    /// The step's name in jobs and reports.
    public var name: String {
        switch action {
        case .open: "open"
        case .upload: "upload"
        case .download: "download"
        case .check: "check"
        case .export: "export"
        }
    }
}
