internal import CYardsticks
import Synchronization

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// What all benchmarks of a run have measured: a table, or JSON.
final class Summary: Sendable {
    /// The one of this process.
    static let shared = Summary()

    private struct State {
        var lines: [SummaryLine] = []
        var isJSON = false
    }

    private let state = Mutex(State())

    /// Whether the answer on standard output is one JSON document; then everything else goes to standard error.
    var isJSON: Bool {
        get { state.withLock { $0.isJSON } }
        set { state.withLock { $0.isJSON = newValue } }
    }

    func add(_ line: SummaryLine) {
        state.withLock { $0.lines.append(line) }
    }

    /// Prints the lines; nothing where no benchmark has added any.
    func report() throws {
        let lines = state.withLock { $0.lines }
        guard !lines.isEmpty else { return }
        if isJSON { return try printJSON(lines) }
        print("\nSummary\n" + Self.table(lines).text)
        let noisy = lines.filter(\.isNoisy)
        print(
            noisy.isEmpty
                ? "\n  The machine was quiet: no limit varied by more than 15 %."
                : "\n  ~ The machine was not quiet: the limit itself varied by more than 15 %."
        )
        print("  * The ratio in time depends on two free processors; the one in CPU does not.\n")
    }

    private static func table(_ lines: [SummaryLine]) -> Table {
        var table = Table(
            header: ["work", "ours", "limit", "", "ratio", "wanted", "", "CPU", "peak MiB"]
        )
        for line in lines {
            table.add([
                line.work, line.ours.text(decimals: 2), line.limit.text(decimals: 2), line.unit,
                line.ratio.text(decimals: 2) + (line.needsTwoCores ? "*" : "")
                    + (line.isNoisy ? "~" : ""),
                (line.bound == .atLeast ? ">= " : "<= ") + line.wanted.text(decimals: 2),
                line.isMet ? "met" : "missed", line.cpuRatio?.text(decimals: 2) ?? "",
                line.peakMemory?.text(decimals: 1) ?? "",
            ])
        }
        return table
    }

    private func printJSON(_ lines: [SummaryLine]) throws {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys]
        print(String(decoding: try encoder.encode(lines), as: UTF8.self))
    }
}

/// Prints what a benchmark has to say beside its lines of the summary.
func detail(_ text: String) {
    guard Summary.shared.isJSON else { return print(text) }
    var errors = StandardError()
    print(text, to: &errors)
}

/// Standard error as a stream of text.
private struct StandardError: TextOutputStream {
    mutating func write(_ text: String) {
        unsafe yardstick_print_error(text)
    }
}
