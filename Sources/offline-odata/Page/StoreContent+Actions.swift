import CommandSupport
import ODataProtocol
import OfflineOData

extension StoreContent {
    /// What the buttons do, by path.
    var actions: [String: (PageOrder) async throws -> [UInt8]] {
        [
            "queue/edit": { try await edit($0) },
            "queue/drop": { order in
                try await run(.drop(order.requestID()), consent: order.evenIfUnknown ?? false)
            },
            "queue/move": { try await run(Self.move($0)) },
            "queue/retry": { try await run(.retry($0.requestID())) },
            "errors/retry": { try await retry($0) },
            "errors/edit": { try await edit($0) },
            "errors/discard": { try await run(.drop($0.requestID())) },
            "errors/resolve": { try await resolve($0) },
            "sync/start": { try synchronization.start($0.operation) },
            "sync/cancel": { _ in synchronization.cancel() },
        ]
    }

    private func run(_ action: RequestAction, consent: Bool = false) async throws -> [UInt8] {
        let (sentence, ids) = try await action.run(provider, consent: consent)
        return Self.json(sentence, affected: ids)
    }

    /// The body is taken as it is: unlike the command's, it never names a file.
    private func edit(_ order: PageOrder) async throws -> [UInt8] {
        let id = try order.requestID()
        try await checkHelps(id, isEditing: true)
        try await provider.editRequest(
            id,
            body: order.newBody(),
            includingUnknownOutcome: order.evenIfUnknown ?? false
        )
        return Self.json("request \(id) has a new body", affected: [id])
    }

    private func retry(_ order: PageOrder) async throws -> [UInt8] {
        let id = try order.requestID()
        try await checkHelps(id, isEditing: false)
        return try await run(.retry(id))
    }

    /// A change of what the service has changed or deleted meanwhile would be refused again.
    private func checkHelps(_ id: Int64, isEditing: Bool) async throws {
        guard let entry = try await provider.request(id),
            let item = try await QueueListing.read([entry], of: provider).items.first,
            let obstacle = try await ArchivedObstacle.read(item, of: provider)
        else { return }
        let failure = obstacle.failure(item, store: store, isEditing: isEditing)
        let way =
            isEditing && obstacle == .newerVersion ? "merge both versions" : "resolve the conflict"
        throw CommandFailure(.failed, "\(failure.message): \(way)")
    }

    private static func move(_ order: PageOrder) throws(CommandFailure) -> RequestAction {
        let id = try order.requestID()
        switch (order.before, order.after) {
        case (let other?, nil): return .move(id, other: other, isBefore: true)
        case (nil, let other?): return .move(id, other: other, isBefore: false)
        default:
            throw CommandFailure(
                .invalid,
                "give the number of another request as 'before' or 'after'"
            )
        }
    }

    private func resolve(_ order: PageOrder) async throws -> [UInt8] {
        guard let url = order.url, !url.isEmpty else {
            throw CommandFailure(.invalid, "'url' is missing: give the entity, e.g. Orders(1)")
        }
        let side: OfflineODataConflictSide =
            switch order.side {
            case "local": .local
            case "server": .server
            case "merge": .merge(body: try order.newBody())
            default: throw CommandFailure(.invalid, "'side' is one of local, server, merge")
            }
        try await provider.resolveConflict(
            session.local(url),
            with: side,
            includingUnknownOutcome: order.evenIfUnknown ?? false
        )
        return Self.json("the conflict of \(url) is resolved", affected: [])
    }

    private static func json(_ sentence: String, affected ids: [Int64]) -> [UInt8] {
        var writer = JSONWriter()
        writer.beginObject()
        writer.member("message", value: sentence)
        writer.member("affected", values: ids.map(Int.init))
        writer.endObject()
        return writer.bytes
    }
}
