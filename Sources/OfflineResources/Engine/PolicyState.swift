import OfflinePolicies
import ODataValues
import OfflineOData
import OfflineStore
import Synchronization

/// What the store keeps for the policy layer as a whole: the configuration and the number of the session; read once.
final class PolicyState: Sendable {
    private static let configurationKey = "policyConfiguration"
    private static let sessionKey = "policySession"

    private let given: BackendConfiguration?
    private let room: StoreRoom
    private let knownPaths: Mutex<ResourcePaths>
    private let loaded = Mutex<Loaded?>(nil)

    /// What was read, or kept since; another object for every change of it.
    final class Loaded: Sendable {
        let configuration: BackendConfiguration
        let session: Int

        init(configuration: BackendConfiguration, session: Int) {
            (self.configuration, self.session) = (configuration, session)
        }
    }

    /// - Parameters:
    ///   - given: The configuration of the application; nil for the one that the store keeps.
    ///   - paths: How the service's paths are written, as far as that is known without the store.
    init(given: BackendConfiguration?, paths: ResourcePaths, room: StoreRoom) {
        (self.given, self.room) = (given, room)
        knownPaths = Mutex(paths)
    }

    /// How the service's paths are written.
    var paths: ResourcePaths { knownPaths.guarded { $0 } }

    /// A URL relative to the service root as the store understands it.
    func local(_ url: String) -> String { knownPaths.guarded { $0.local(url) } }

    /// What is kept, where it has been read.
    var known: Loaded? { loaded.guarded { $0 } }

    /// Whether a store keeps a configuration, or anything about reads; the calling thread waits.
    static func isKept(_ router: ReadRouter) throws(OfflineODataError) -> Bool {
        if try router.keptTextBlocking(configurationKey) != nil { return true }
        return try router.keepsCollectionsBlocking()
    }

    /// Returns what is kept.
    func current(_ router: ReadRouter) async throws -> Loaded {
        if let known { return known }
        try await learnTemplates(router)
        let kept = try await router.keptText(Self.configurationKey)
        return try load(kept, session: try await router.keptText(Self.sessionKey))
    }

    private func learnTemplates(_ router: ReadRouter) async throws {
        let templates = try RESTTransport.templates(kept: await router.keptText(RESTTransport.key))
        knownPaths.guarded { $0.learn(templates) }
    }

    /// Returns what is kept while the calling thread waits.
    func currentBlocking(_ router: ReadRouter) throws -> Loaded {
        if let known { return known }
        let templates = try RESTTransport.templates(
            kept: router.keptTextBlocking(RESTTransport.key)
        )
        knownPaths.guarded { $0.learn(templates) }
        let kept = try router.keptTextBlocking(Self.configurationKey)
        return try load(kept, session: try router.keptTextBlocking(Self.sessionKey))
    }

    private func load(_ kept: String?, session: String?) throws -> Loaded {
        let session = session.flatMap { Int($0) } ?? 0
        let configuration = try given ?? kept.map(Self.configuration) ?? BackendConfiguration()
        room.setLimit(StoreQuota.limit(configuration))
        let found = Loaded(configuration: configuration, session: session)
        return loaded.guarded { state in
            state = state ?? found
            return state ?? found
        }
    }

    private static func configuration(_ text: String) throws -> BackendConfiguration {
        do {
            return try PolicyConfiguration(reading: Array(text.utf8)).backend()
        } catch {
            throw OfflineODataError(
                .internal,
                "the configuration of policies that the store keeps cannot be read: \(error); replace it (policy use)",
                cause: error,
                code: .storage
            )
        }
    }

    /// Begins a new session: copies that expire on restart are stale from now on.
    func beginSession(_ router: ReadRouter) async throws {
        let last = try await current(router)
        let begun = Loaded(configuration: last.configuration, session: last.session + 1)
        try await router.keep(String(begun.session), as: Self.sessionKey)
        loaded.guarded { $0 = begun }
    }

    /// Keeps a configuration with the store and uses it from now on.
    func keep(_ configuration: BackendConfiguration, router: ReadRouter) async throws {
        try await learnTemplates(router)
        // What was kept before need not be readable: it is replaced.
        let session = try await router.keptText(Self.sessionKey).flatMap { Int($0) } ?? 0
        let kept = Loaded(configuration: configuration, session: session)
        let file = PolicyConfiguration(backends: [configuration])
        let text = String(decoding: file.written(as: .json), as: UTF8.self)
        try await router.keep(text, as: Self.configurationKey)
        room.setLimit(StoreQuota.limit(configuration))
        loaded.guarded { $0 = kept }
    }
}
