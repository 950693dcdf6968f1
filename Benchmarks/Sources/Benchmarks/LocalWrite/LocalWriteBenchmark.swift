internal import CYardsticks

/// Compares durable local creates, by one writer, by many at once and in a batch, with the same rows written in C.
struct LocalWriteBenchmark {
    private let changes: Int
    private let runs: Int
    private let pages: ReadingPages
    /// What the names of the ways that are measured contain; empty for all.
    private let only: String

    private static let writerCount = 32
    /// Creates of one change set.
    private static let batchSize = 500

    /// A way to write the creates.
    private enum Way: String, CaseIterable {
        case yardstick = "C: the same rows, WAL, FULL"
        case waiting = "store: one writer, waiting form"
        case one = "store: one writer"
        case many = "store: 32 writers at once"
        case batch = "store: change sets of 500"
    }

    /// Takes the size from the options.
    init(_ options: Options) throws {
        changes = try options.number("changes", default: 5_000)
        runs = try options.number("runs", default: 5)
        only = options.text("only", default: "")
        pages = try ReadingPages(Options(["--rows", "10000"]))
    }

    /// Runs all ways in turn and prints the report.
    func run() async throws {
        let workspace = try Workspace()
        let directory = try workspace.emptyDirectory("pages")
        _ = try pages.write(to: directory)
        let server = try PageServer(directory: directory)
        var costs: [Way: [WriteCost]] = [:]
        for run in 0...runs {
            let filled = try workspace.emptyDirectory("one")
            // The yardstick writes the rows that the first way has made.
            for way in [Way.one, .yardstick, .waiting, .many, .batch]
            where only.isEmpty || way.rawValue.contains(only) {
                let target = way == .one ? filled : try workspace.emptyDirectory("store")
                let cost =
                    way == .yardstick
                    ? try yardstick(filled, target)
                    : try await store(way, in: target, server.serviceRoot)
                // The first round warms up.
                if run > 0 { costs[way, default: []].append(cost) }
            }
        }
        _ = try server.stop()
        report(costs)
    }

    private func yardstick(_ filled: String, _ target: String) throws -> WriteCost {
        let report = try ChildProcess.measurements([
            "write-yardstick", "--store", filled + ReadingStore.file, "--table", "Readings",
            "--target", target + "/ready.sqlite",
        ])
        guard Int(try report.number("rows")) == changes else {
            throw BenchmarkError("the yardstick has written other rows than the store")
        }
        return try WriteCost(report)
    }

    /// What all creates cost in a new store.
    private func store(_ way: Way, in directory: String, _ service: String) async throws
        -> WriteCost
    {
        let store = try await ReadingStore(in: directory, service)
        let batches =
            way != .batch
            ? []
            : stride(from: 0, to: changes, by: Self.batchSize).map {
                ReadingStore.batch($0..<min(changes, $0 + Self.batchSize))
            }
        return try await WriteCost.of {
            switch way {
            case .waiting: try block { try store.createBlocking(changes) }
            case .many: try await store.create(changes, writers: Self.writerCount)
            case .batch: for body in batches { try await store.createBatch(body) }
            case .one, .yardstick: try await store.create(changes, writers: 1)
            }
        }
    }

    /// Nothing else runs meanwhile, so that this thread may wait.
    private func block(_ work: () throws -> Void) rethrows { try work() }

    private func report(_ costs: [Way: [WriteCost]]) {
        detail(
            "\nLocal writes: \(changes) durable creates into a set of \(pages.rows), \(runs) runs; each value for one create"
        )
        var table = Table(
            header: ["", "median us", "p90 us", "per second", "CPU us", "syncs", "bytes written"]
        )
        for way in Way.allCases {
            guard let own = costs[way] else { continue }
            let wall = Sample(own.map(\.wall))
            func each(_ value: KeyPath<WriteCost, Double>, _ factor: Double = 1) -> Double {
                Sample(own.map { $0[keyPath: value] }).median / Double(changes) * factor
            }
            table.add([
                way.rawValue, each(\.wall, 1e6).text(decimals: 1),
                (wall.percentile90 / Double(changes) * 1e6).text(decimals: 1),
                (1 / each(\.wall)).text(decimals: 0), each(\.cpu, 1e6).text(decimals: 1),
                each(\.syncs).text(decimals: 3), each(\.written).text(decimals: 0),
            ])
        }
        detail(table.text)
        detail("")
        for (name, way, other, wanted) in [
            ("transactions per second, one writer : C", Way.one, Way.yardstick, 0.80),
            ("transactions per second, one writer, waiting form : C", .waiting, .yardstick, 0.85),
            ("32 writers : one writer", .many, .one, 3),
            ("change sets of 500 : one writer", .batch, .one, 5),
        ] {
            guard let own = costs[way], let others = costs[other] else { continue }
            let ratio = Sample(zip(own, others).map { $1.wall / $0.wall }).median
            detail("  \(name) = \(ratio.text(decimals: 2)) (median of pairs)")
            summarize(name, own, others, ratio: ratio, wanted: wanted)
        }
        detail("")
    }

    private func summarize(
        _ work: String,
        _ own: [WriteCost],
        _ others: [WriteCost],
        ratio: Double,
        wanted: Double
    ) {
        let limit = Sample(others.map(\.wall))
        var line = SummaryLine(
            work: work,
            ours: Sample(own.map(\.wall)).median / Double(changes) * 1e6,
            limit: limit.median / Double(changes) * 1e6,
            unit: "us",
            ratio: ratio,
            wanted: wanted,
            bound: .atLeast
        )
        line.cpuRatio = Sample(zip(own, others).map { $0.cpu / $1.cpu }).median
        line.spread = limit.spread
        Summary.shared.add(line)
    }
}
