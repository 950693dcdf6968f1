import CommandSupport
import ODataProtocol
import OfflineOData
import Synchronization

/// Shows how a job goes: a live line on a terminal, nothing else.
final class JobDisplay: Sendable {
    private let terminal: Terminal
    private let counts = Mutex((all: 0, notDone: 0))

    init(_ terminal: Terminal) { self.terminal = terminal }

    /// Stores that were worked on.
    var count: Int { counts.guarded { $0.all } }

    func add(_ outcome: OfflineODataJobOutcome) {
        let now = counts.guarded { counts in
            counts.all += 1
            if outcome.status != .done { counts.notDone += 1 }
            return counts
        }
        let rest = now.notDone > 0 ? ", \(Words.number(now.notDone)) of them not done" : ""
        terminal.showLive("run  \(Words.amount(now.all, of: "store"))\(rest)")
    }
}
