import CommandSupport
import ODataProtocol
import OfflineOData

/// The content of a store's page: what stands in the store, and what a person can do about it.
struct StoreContent: PageContent {
    let store: String
    let session: StoreSession
    let synchronization: PageSynchronization

    init(store: String, session: StoreSession) {
        self.store = store
        self.session = session
        synchronization = PageSynchronization(store: store, session: session)
    }

    var provider: OfflineODataProvider { session.provider }

    func answer(_ path: String, to request: HTTPRequest) async -> HTTPResponse {
        await answer(
            path,
            to: request,
            reads: [
                "about": { _ in try await about() },
                "model": { _ in try await model() },
                "status": { _ in try await StatusJSON.json(provider.status()) },
                "queue": { try await PageRequests.queue(of: provider, $0) },
                "errors": { try await PageRequests.archive(of: provider, $0) },
                "events": { _ in try await events() },
                "conflict": { try await conflict($0) },
                "sync": { _ in synchronization.json() },
            ],
            actions: actions
        )
    }

    func stop() async { await synchronization.stop() }

    private func about() async throws -> [UInt8] {
        var writer = JSONWriter()
        writer.beginObject()
        writer.member("kind", value: "store")
        writer.member("name", value: String(store.split(separator: "/").last ?? ""))
        writer.member("version", value: try await provider.metadata().version.rawValue)
        writer.optional("serviceRoot", value: try await provider.status().serviceRoot)
        writer.endObject()
        return writer.bytes
    }

    private func model() async throws -> [UInt8] {
        let builtIn = try await provider.setDescriptions().filter(\.isBuiltIn).map(\.name)
        return try await ModelJSON(model: provider.metadata(), builtInSets: Set(builtIn)).json()
    }

    private func events() async throws -> [UInt8] {
        try await EventListing.json(provider.eventLog())
    }

    private func conflict(_ request: HTTPRequest) async throws -> [UInt8] {
        guard let url = PageQuery(request)["url"], !url.isEmpty else {
            throw CommandFailure(.invalid, "'url' is missing: give the entity, e.g. ?url=Orders(1)")
        }
        let conflict = try await provider.conflict(for: session.local(url))
        return ConflictJSON.table(
            conflict,
            of: url,
            isUnchanged: try await session.hasOneVersion(conflict, of: url)
        )
    }
}
