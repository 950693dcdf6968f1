public import Observation

/// The entities that answer a query, kept up to date for a view: SwiftUI's lists take `entities` as it is.
///
/// It follows the store for as long as somebody holds it.
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
    public init(_ query: String, of provider: OfflineODataProvider) {
        let live = provider.liveQuery(query)
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
