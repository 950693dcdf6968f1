public import OfflineValues
public import ODataBinding
public import Observation

/// The entities that answer a query with their states, kept up to date for a view: SwiftUI's lists take `entities` as it is.
///
/// It follows the store until it is released.
@MainActor
@Observable
public final class OfflineODataList {
    /// The entities as they are now.
    public private(set) var entities: [EntityValue] = []
    /// Whether the first answer has come.
    public private(set) var isLoaded = false
    /// What has ended the list, where something has.
    public private(set) var error: (any Error)?
    @ObservationIgnored private var following: Task<Void, Never>?

    /// Begins to follow a query, such as `Events?$orderby=Name`.
    public convenience init(_ query: String, of provider: OfflineODataProvider) {
        self.init(provider.liveQuery(query))
    }

    /// Begins to follow a query made in Swift.
    public convenience init(_ query: ODataQuery, of provider: OfflineODataProvider) {
        self.init(provider.liveQuery(query))
    }

    /// Begins to follow a live query.
    public init(_ live: OfflineODataLiveQuery) {
        following = Task { [weak self] in
            do {
                for try await entities in live {
                    guard let self else { return }
                    self.entities = entities
                    isLoaded = true
                }
            } catch {
                self?.error = error
            }
        }
    }

    isolated deinit { following?.cancel() }
}
