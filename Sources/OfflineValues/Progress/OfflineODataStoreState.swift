/// Where a store stands on its way from being opened to being closed, as in the reference engine.
public enum OfflineODataStoreState: String, Sendable, Hashable, CaseIterable {
    /// The opening has begun.
    case opening
    /// The service's metadata are read, and the tables made of them.
    case initializing
    /// The data of the defining queries come.
    case downloading
    /// Received data are merged into the store.
    case populating
    /// The store can be worked with.
    case open
    /// The store was closed.
    case closed

    /// The state while a step of the opening runs; nil where the step has none.
    package init?(opening step: OfflineODataProgress.Step) {
        switch step {
        case .loadingMetadata, .upgradingSchema: self = .initializing
        case .receivingData, .receivingStreams: self = .downloading
        case .buildingIndexes, .mergingData: self = .populating
        case .sendingRequests, .processingAnswers, .copyingStore, .sendingStore, .finished:
            return nil
        }
    }
}
