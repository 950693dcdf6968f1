import StoreRecords
import ODataValues
import OfflineOData
import OfflineStore

/// The entities of a copy before a fetch, to report to observers which of them it has changed.
struct CopyComparison: Sendable {
    private let before: [String: String]

    /// Reads the copy; an empty comparison where there is none.
    init(_ collection: StoredCollection?, router: ReadRouter) async throws {
        guard let collection, collection.isFetched else { before = [:]; return }
        before = try await Self.entities(of: collection, router).mapValues(\.values)
    }

    /// Reports updated and deleted entities; those that are new in the store are not reported.
    func publish(
        _ collection: StoredCollection,
        router: ReadRouter,
        events: Broadcast<ResourceEvent>
    ) async throws {
        guard !before.isEmpty else { return }
        let now = try await Self.entities(of: collection, router)
        for (url, values) in before.sorted(by: { $0.key < $1.key }) {
            guard let entity = now[url] else {
                let held = try await router.held(url).isPresent
                if !held { events.send(ResourceEvent(kind: .changed, url: url, entity: nil)) }
                continue
            }
            guard entity.values != values else { continue }
            events.send(ResourceEvent(kind: .changed, url: url, entity: entity))
        }
    }

    private static func entities(of collection: StoredCollection, _ router: ReadRouter) async throws
        -> [String: EntityValue]
    {
        Dictionary(try await router.entities(of: collection), uniquingKeysWith: { $1 })
    }
}

extension EntityValue {
    /// The properties without control information, as JSON.
    fileprivate var values: String {
        ODataValue.object(members.filter { !$0.name.hasPrefix("@") }).json
    }
}
