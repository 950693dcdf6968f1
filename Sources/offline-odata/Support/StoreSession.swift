import OfflineOData

/// A store opened for a command, with what it shows on the way.
struct StoreSession: Sendable {
    let provider: OfflineODataProvider
    /// The provider holds its delegate weakly.
    private let display: ProgressDisplay

    /// Opens a store for local work; no service is needed.
    ///
    /// - Throws: `OfflineODataError` where there is none.
    ///
    /// - Parameters:
    ///   - optimizes: Whether changes may be merged into those that wait.
    ///   - isCreating: Whether the store is made where there is none.
    static func local(
        _ path: String,
        _ terminal: Terminal,
        optimizes: Bool = false,
        isCreating: Bool = false
    ) throws -> StoreSession {
        let parameters = OfflineODataParameters()
        parameters.enableRequestQueueOptimization = optimizes
        parameters.logger = terminal.logger
        return try StoreSession(
            path,
            serviceRoot: nil,
            isCreating: isCreating,
            parameters,
            ProgressDisplay(terminal, ProgressDisplay.Mode.none)
        )
    }

    init(
        _ path: String,
        serviceRoot: String?,
        isCreating: Bool,
        _ parameters: OfflineODataParameters,
        _ display: ProgressDisplay
    ) throws {
        self.display = display
        provider = try OfflineODataProvider(
            storeFile: path,
            isCreating: isCreating,
            serviceRoot: serviceRoot,
            parameters: parameters,
            delegate: display
        )
        OpenStores.shared.add(provider)
    }

    /// Runs work that a signal cancels, removes the live line afterwards and says what the service had to say.
    func run<R: Sendable>(
        _ work: @escaping @Sendable (OfflineODataProvider) async throws -> R
    ) async throws -> R {
        let provider = provider
        defer {
            display.end()
            display.say(provider.takeServiceMessages())
        }
        return try await SignalWatch.shared.cancellable { try await work(provider) }
    }
}
