import OfflinePolicies
import StoreRecords
import OfflineOData

extension PolicyEngine {
    /// More requests than this are sent in the order in which they were made.
    private static let maximumOrderedCount = 2_000

    /// Puts changes of pinned resources first, and inserts before updates before deletes where the application wants it, as far as
    /// nothing comes before what it depends on.
    func orderQueue() async throws {
        let pins = try await pins()
        let memberPins = try await router.requestsOnMembers(of: pins.keys.sorted())
        guard !pins.isEmpty || options.ordersChangesByKind else { return }
        let queue = try await provider.requestQueue()
        guard queue.count > 1, queue.count <= Self.maximumOrderedCount else { return }
        let links = try await provider.affectedEntities(of: queue)
        let ranked = queue.map { request in
            (
                request.id,
                rank(
                    request,
                    pin: pins[links[request.id] ?? request.url]
                        ?? memberPins[request.id].flatMap { pins[$0] }
                        ?? setPin(request, pins: pins)
                )
            )
        }
        var sorted = ranked
        for place in ranked.indices.dropFirst() {
            let moved = sorted[place]
            guard let before = sorted[..<place].firstIndex(where: { $0.1 > moved.1 }) else {
                continue
            }
            do {
                try await provider.moveRequest(moved.0, before: sorted[before].0)
            } catch {
                guard error.category != .internal else { throw error }
                // What depends on something before it stays behind it, and what is being sent stays where it is.
                continue
            }
            sorted.remove(at: place)
            sorted.insert(moved, at: before)
        }
    }

    private func pins() async throws -> [String: PinPriority] {
        var pins: [String: PinPriority] = [:]
        for age in try await ages() where age.attributes.pin != .normal {
            pins[age.collection.url] = age.attributes.pin
        }
        return pins
    }

    /// The pin of the entity set of a request.
    private func setPin(_ request: OfflineODataRequest, pins: [String: PinPriority])
        -> PinPriority
    {
        request.entitySet.flatMap { pins[$0] } ?? .normal
    }

    private func rank(_ request: OfflineODataRequest, pin: PinPriority) -> Int {
        let kinds = ["POST": 0, "PATCH": 1, "PUT": 1, "MERGE": 1, "DELETE": 2]
        let kind = options.ordersChangesByKind ? kinds[request.method] ?? 1 : 0
        return (PinPriority.allCases.firstIndex(of: pin) ?? 0) * kinds.count + kind
    }
}
