internal import CYardsticks

/// Times of two pieces of work that are measured in turns, with the ratio of each pair.
///
/// Other work on the machine meets both of a pair, and so does what the machine itself does otherwise from moment to moment: whether
/// a processor sleeps while it waits for the other one makes three times the time of a short read. So the ratio is that of neighbours,
/// not that of the medians of each side.
struct PairedTimes {
    typealias Work = () async throws -> Void

    private struct Side {
        var wall: [Double] = []
        var processor: [Double] = []

        mutating func add(_ work: Work) async throws {
            let (wall, processor) = (yardstick_wall_seconds(), yardstick_cpu_seconds())
            try await work()
            self.wall.append(yardstick_wall_seconds() - wall)
            self.processor.append(yardstick_cpu_seconds() - processor)
        }
    }

    private var (first, second) = (Side(), Side())

    /// Measures the work that the other is compared with.
    mutating func addFirst(_ work: Work) async throws { try await first.add(work) }

    /// Takes the times of that work as it has measured them itself.
    mutating func addFirst(wall: Double, processor: Double) {
        first.wall.append(wall)
        first.processor.append(processor)
    }

    /// Measures the work that is compared.
    mutating func addSecond(_ work: Work) async throws { try await second.add(work) }

    /// The head of a table whose lines end with ``columns(scale:)``.
    static func header(_ name: String, _ first: String, _ second: String, _ limit: String)
        -> [String]
    {
        [name, first, second, "minima", "ratio (limit \(limit))", "CPU"]
    }

    /// The median times, the smallest ones, and the medians of the pairs' ratios in time and in processor time.
    func columns(scale: Double) -> [String] {
        let (one, two) = (Sample(first.wall).median, Sample(second.wall).median)
        let minima = [first, second].map {
            (Sample($0.wall).smallest * scale).text(decimals: 2)
        }
        return [(one * scale).text(decimals: 2), (two * scale).text(decimals: 2)]
            + [minima.joined(separator: " ")]
            + [ratio(\.wall), ratio(\.processor)].map { $0.text(decimals: 2) }
    }

    /// The median of the pairs' ratios.
    private func ratio(_ value: KeyPath<Side, [Double]>) -> Double {
        Sample(zip(second[keyPath: value], first[keyPath: value]).map { $0 / $1 }).median
    }

    /// The line of the summary.
    func summary(_ work: String, unit: String, scale: Double, wanted: Double) -> SummaryLine {
        var line = SummaryLine(
            work: work,
            ours: Sample(second.wall).median * scale,
            limit: Sample(first.wall).median * scale,
            unit: unit,
            ratio: ratio(\.wall),
            wanted: wanted,
            bound: .atMost
        )
        line.cpuRatio = ratio(\.processor)
        return line
    }
}
