import ODataProtocol
import OfflineOData
import Synchronization

/// Shows how a synchronisation goes: one live line on a terminal, lines where they are asked for, else nothing.
final class ProgressDisplay: OfflineODataDelegate {
    /// How progress is shown.
    enum Mode: Sendable {
        case live
        case plain
        case none
    }

    static let modes: [(name: String, value: Mode)] = [
        ("plain", .plain), ("none", .none), ("live", .live),
    ]

    private let terminal: Terminal
    private let mode: Mode
    private let shown = Mutex(Shown())

    private struct Shown {
        var time: ContinuousClock.Instant?
        var headline = ""
        /// Requests that the service has refused, and that policies may settle before the upload is over.
        var refused: [OfflineODataFailedRequest] = []
    }

    /// A line that changes more often cannot be read.
    private static let interval = Duration.milliseconds(100)

    init(_ terminal: Terminal, mode: Mode?) {
        self.terminal = terminal
        self.mode = mode ?? (terminal.showsLiveLines ? .live : .none)
    }

    /// Passes on what the service had to say to people.
    func say(_ messages: [String]) {
        for message in messages { terminal.remark("the service says: \(message)") }
    }

    func offlineODataProvider(
        _ provider: OfflineODataProvider,
        didUpdateOpenProgress progress: OfflineODataProgress
    ) {
        show(progress)
    }

    func offlineODataProvider(
        _ provider: OfflineODataProvider,
        didUpdateDownloadProgress progress: OfflineODataProgress
    ) {
        show(progress)
    }

    func offlineODataProvider(
        _ provider: OfflineODataProvider,
        didUpdateUploadProgress progress: OfflineODataProgress
    ) {
        show(progress)
    }

    func offlineODataProvider(
        _ provider: OfflineODataProvider,
        requestDidFail request: OfflineODataFailedRequest
    ) {
        shown.guarded { $0.refused.append(request) }
    }

    /// Removes the live line, and names what was refused.
    ///
    /// - Parameter refusals: Ids of the requests that are refused still; nil where nothing has settled any.
    func end(refusals: [Int64]? = nil) {
        if mode == .live { terminal.showLive("") }
        let refused = shown.guarded { shown in
            defer { shown.refused = [] }
            return shown.refused
        }
        for request in refused where refusals?.contains(request.requestID) ?? true {
            terminal.remark(
                "refused: request \(request.requestID) \(request.method) \(request.url):"
                    + " \(request.httpStatus) \(request.message)"
            )
        }
    }

    private func show(_ progress: OfflineODataProgress) {
        switch mode {
        case .none: break
        case .live: showLive(progress)
        case .plain: showLine(progress)
        }
    }

    private func showLive(_ progress: OfflineODataProgress) {
        guard progress.step != .finished else { return terminal.showLive("") }
        let now = ContinuousClock.now
        let isDue = shown.guarded { shown in
            if let last = shown.time, now - last < Self.interval { return false }
            shown.time = now
            return true
        }
        guard isDue else { return }
        let line =
            "\(progress.operation.rawValue)  \(Self.headline(progress))\(Self.amounts(progress))"
        terminal.showLive(Words.shortened(line, to: 100))
    }

    /// A line for each step and query, not for each number.
    private func showLine(_ progress: OfflineODataProgress) {
        let headline = Self.headline(progress)
        let isNew = shown.guarded { shown in
            defer { shown.headline = headline }
            return shown.headline != headline
        }
        guard isNew else { return }
        let amounts = progress.step == .finished ? Self.amounts(progress) : ""
        terminal.remark("\(progress.operation.rawValue): \(headline)\(amounts)")
    }

    /// The step with its number and its name.
    private static func headline(_ progress: OfflineODataProgress) -> String {
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

    private static func amounts(_ progress: OfflineODataProgress) -> String {
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
