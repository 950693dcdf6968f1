import ODataProtocol
public import OfflineOData
import Synchronization

/// Shows how a synchronisation goes: one live line on a terminal, lines where they are asked for, else nothing.
public final class ProgressDisplay: OfflineODataDelegate {
    /// How progress is shown.
    public enum Mode: Sendable {
        /// One line that is written over.
        case live
        /// A line for each step.
        case plain
        /// Nothing.
        case none

        /// How progress is shown where nothing else is asked for.
        static func usual(on terminal: Terminal) -> Mode {
            terminal.showsLiveLines ? .live : .none
        }
    }

    /// How progress can be asked for, by name.
    public static let modes: [(name: String, value: Mode)] = [
        ("plain", .plain), ("none", .none), ("live", .live),
    ]

    /// The option by which it is asked for.
    public static let syntax = OptionSyntax.value(
        "progress",
        placeholder: "plain|none",
        help: "lines instead of one live line, or nothing"
    )

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

    /// Shows progress on a terminal.
    public init(_ terminal: Terminal, mode: Mode?) {
        self.terminal = terminal
        self.mode = mode ?? .usual(on: terminal)
    }

    /// Passes on what the service had to say to people.
    public func say(_ messages: [String]) {
        for message in messages { terminal.remark("the service says: \(message)") }
    }

    /// Shows how far opening is.
    public func offlineODataProvider(
        _ provider: OfflineODataProvider,
        didUpdateOpenProgress progress: OfflineODataProgress
    ) {
        show(progress)
    }

    /// Shows how far a download is.
    public func offlineODataProvider(
        _ provider: OfflineODataProvider,
        didUpdateDownloadProgress progress: OfflineODataProgress
    ) {
        show(progress)
    }

    /// Shows how far an upload is.
    public func offlineODataProvider(
        _ provider: OfflineODataProvider,
        didUpdateUploadProgress progress: OfflineODataProgress
    ) {
        show(progress)
    }

    /// Keeps a request that the service refused, to print it at the end.
    public func offlineODataProvider(
        _ provider: OfflineODataProvider,
        requestDidFail request: OfflineODataFailedRequest
    ) {
        shown.guarded { $0.refused.append(request) }
    }

    /// Removes the live line, and names what was refused.
    ///
    /// - Parameter refusals: Ids of the requests that are refused still; nil where nothing has settled any.
    public func end(refusals: [Int64]? = nil) {
        if mode == .live { terminal.showLive("") }
        let refused = shown.guarded { shown in
            defer { shown.refused = [] }
            return shown.refused
        }
        for request in refused where refusals?.contains(request.requestID) ?? true {
            terminal.remark(
                "refused: request \(request.requestID) \(request.method) \(request.url):"
                    + (request.httpStatus > 0 ? " \(request.httpStatus)" : "")
                    + " \(request.message)"
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
            "\(progress.operation.rawValue)  \(ProgressText.headline(progress))\(ProgressText.amounts(progress))"
        terminal.showLive(Words.shortened(line, to: 100))
    }

    /// A line for each step and query, not for each number.
    private func showLine(_ progress: OfflineODataProgress) {
        let headline = ProgressText.headline(progress)
        let isNew = shown.guarded { shown in
            defer { shown.headline = headline }
            return shown.headline != headline
        }
        guard isNew else { return }
        let amounts = progress.step == .finished ? ProgressText.amounts(progress) : ""
        terminal.remark("\(progress.operation.rawValue): \(headline)\(amounts)")
    }
}
