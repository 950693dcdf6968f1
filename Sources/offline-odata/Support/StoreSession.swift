import CommandSupport
import OfflineOData
import OfflineResources

/// A store opened for a command, with what it shows on the way.
struct StoreSession: Sendable {
    let provider: OfflineODataProvider
    /// Applies the policies that the store keeps; nil where it keeps none, and where a command plugs in an engine of its own.
    let engine: PolicyEngine?
    /// The provider holds its delegate weakly.
    private let display: ProgressDisplay

    /// Opens a store for local work; no service is needed.
    ///
    /// - Throws: `OfflineODataError` where there is none.
    ///
    /// - Parameters:
    ///   - optimizes: Whether changes may be merged into those that wait.
    ///   - isCreating: Whether the store is made where there is none.
    ///   - policies: What applies the policies that the store keeps.
    static func local(
        _ path: String,
        on terminal: Terminal,
        optimizes: Bool = false,
        isCreating: Bool = false,
        policies: KeptPolicyUse = .bySession
    ) throws -> StoreSession {
        let parameters = OfflineODataParameters()
        parameters.enableRequestQueueOptimization = optimizes
        parameters.logger = terminal.logger
        parameters.storeKey = terminal.storeKey
        return try StoreSession(
            path,
            serviceRoot: nil,
            isCreating: isCreating,
            parameters: parameters,
            display: ProgressDisplay(terminal, mode: ProgressDisplay.Mode.none),
            policies: policies
        )
    }

    init(
        _ path: String,
        serviceRoot: String?,
        isCreating: Bool,
        parameters: OfflineODataParameters,
        display: ProgressDisplay,
        policies: KeptPolicyUse = .bySession
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
        engine = policies == .bySession ? try Self.engine(provider) : nil
    }

    /// What applies the policies that a store keeps; nil where it keeps none.
    private static func engine(_ provider: OfflineODataProvider) throws -> PolicyEngine? {
        var options = PolicyEngineOptions()
        options.ordersChangesByKind = true
        options.onlyQueues = true
        do {
            return try PolicyEngine.kept(in: provider, options: options)
        } catch {
            // A file that is no store yet, or none at all, is reported by what the command does with it.
            guard error.code == .notAStore else { throw error }
            return nil
        }
    }

    /// A URL as the store understands it; of a plain REST service, its own paths may be written.
    func local(_ url: String) throws -> String { try RESTTransport.localURL(url, in: provider) }

    /// Runs work that a signal cancels, removes the live line afterwards and says what the service had to say.
    ///
    /// - Parameter refusals: Answers the requests that are refused when the work is done; without it all that the service refused.
    func run<R: Sendable>(
        refusals: (R) -> [Int64]? = { _ in nil },
        _ work: @escaping @Sendable (OfflineODataProvider) async throws -> R
    ) async throws -> R {
        let provider = provider
        var refused: [Int64]?
        defer {
            display.end(refusals: refused)
            display.say(provider.takeServiceMessages())
        }
        let result = try await SignalWatch.shared.cancellable { try await work(provider) }
        refused = refusals(result)
        return result
    }
}

/// What applies the policies that a store keeps.
enum KeptPolicyUse: Sendable {
    /// The session, to whatever the command does.
    case bySession
    /// The command, by an engine with settings of its own.
    case byCommand
}
