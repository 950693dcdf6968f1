import ODataProtocol
public import OfflineOData
import Synchronization

/// Shows how a job goes: one live line on a terminal, a line for each store where they are asked for, else nothing.
public final class JobDisplay: Sendable {
    private let terminal: Terminal
    private let mode: ProgressDisplay.Mode
    private let counts = Mutex((all: 0, notDone: 0))

    /// Shows the progress of a job on a terminal.
    public init(_ terminal: Terminal, mode: ProgressDisplay.Mode?) {
        self.terminal = terminal
        self.mode = mode ?? .usual(on: terminal)
    }

    /// Stores that were worked on.
    public var count: Int { counts.guarded { $0.all } }

    /// Shows what became of a store.
    public func add(_ outcome: OfflineODataJobOutcome) {
        let now = counts.guarded { counts in
            counts.all += 1
            if outcome.status != .done { counts.notDone += 1 }
            return counts
        }
        switch mode {
        case .none: break
        case .live:
            let rest = now.notDone > 0 ? ", \(Words.number(now.notDone)) of them not done" : ""
            terminal.showLive("run  \(Words.amount(now.all, of: "store"))\(rest)")
        case .plain:
            let steps = outcome.steps.filter { !$0.isSkipped }.map(\.name).joined(separator: ", ")
            let word = JobReportText.word(outcome.status)
            let detail = outcome.failure?.message ?? steps
            terminal.remark("\(outcome.store): \(word)" + (detail.isEmpty ? "" : ", \(detail)"))
        }
    }

    /// Removes the live line.
    public func end() {
        if mode == .live { terminal.showLive("") }
    }
}
