public import OfflineOData

/// The progress of a synchronisation in words.
public enum ProgressText: Sendable {
    /// The step with its number and its name.
    public static func headline(_ progress: OfflineODataProgress) -> String {
        "step \(progress.stepNumber) of \(progress.stepCount), \(name(progress))"
    }

    private static func name(_ progress: OfflineODataProgress) -> String {
        switch progress.step {
        case .loadingMetadata: "asking for the metadata"
        case .upgradingSchema: "upgrading the schema"
        case .receivingData:
            "receiving \(progress.query ?? "") (query \(progress.queryNumber) of \(progress.queryCount))"
        case .buildingIndexes: "building the indexes of \(progress.query ?? "")"
        case .mergingData: "merging"
        case .receivingStreams: "receiving streams"
        case .sendingRequests: "sending"
        case .copyingStore: "copying the store"
        case .sendingStore: "sending the store"
        case .processingAnswers: "reading the answers"
        case .finished: "finished"
        }
    }

    /// What has been received or answered so far; empty before anything has.
    public static func amounts(_ progress: OfflineODataProgress) -> String {
        if progress.operation == .upload {
            guard progress.requestCount > 0 else { return "" }
            return
                "  \(progress.answeredRequestCount) of \(Words.amount(progress.requestCount, of: "request"))"
        }
        guard progress.receivedByteCount > 0 else { return "" }
        return "  \(Words.amount(progress.receivedEntityCount, of: "entity", plural: "entities"))"
            + "  \(Words.bytes(progress.receivedByteCount))"
    }
}
