internal import CYardsticks
#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif
import ODataProtocol
import OfflineOData

/// Compares what a delta costs a large store with what the same delta costs a small one.
struct DeltaBenchmark {
    private let changes: Int
    private let runs: Int
    private let sizes: [Int]

    /// What one download took.
    private struct Cost {
        var wall: [Double] = []
        var cpu: [Double] = []
        var statements: [Double] = []
        var bytes: [Double] = []
    }

    /// Takes the sizes from the options.
    init(_ options: Options) throws {
        changes = try options.number("changes", default: 10_000)
        runs = try options.number("runs", default: 5)
        sizes = [
            try options.number("small", default: 100_000),
            try options.number("large", default: 1_000_000),
        ]
    }

    /// Loads both stores, brings the deltas and prints the report.
    func run() async throws {
        yardstick_count_statements()
        let workspace = try Workspace()
        var providers: [OfflineODataProvider] = []
        for size in sizes { providers.append(try await opened(size, workspace.path)) }
        var costs = [Cost(), Cost()]
        for run in 0...runs {
            for index in sizes.indices {
                let cost = try await download(providers[index])
                // The first one fills caches.
                guard run > 0 else { continue }
                costs[index].wall.append(cost.wall)
                costs[index].cpu.append(cost.cpu)
                costs[index].statements.append(cost.statements)
                costs[index].bytes.append(cost.bytes)
            }
        }
        for index in sizes.indices { try await check(providers[index], sizes[index]) }
        report(costs)
    }

    private func opened(_ size: Int, _ directory: String) async throws -> OfflineODataProvider {
        let parameters = OfflineODataParameters()
        parameters.storeName = "delta-\(size)"
        parameters.storePath = URL(filePath: directory)
        parameters.transport = DeltaService(
            try ReadingPages(Options(["--rows", "\(size)"])),
            changes: changes,
            spread: sizes[0]
        )
        let provider = try OfflineODataProvider(
            serviceRoot: DeltaService.root,
            parameters: parameters
        )
        try provider.add(
            definingQuery: OfflineODataDefiningQuery(name: "Readings", query: "Readings")
        )
        try await provider.open()
        return provider
    }

    private func download(_ provider: OfflineODataProvider) async throws -> (
        wall: Double, cpu: Double, statements: Double, bytes: Double
    ) {
        let wall = yardstick_wall_seconds()
        let cpu = yardstick_cpu_seconds()
        let statements = yardstick_statements()
        let bytes = yardstick_written_bytes()
        try await provider.download()
        return (
            yardstick_wall_seconds() - wall, yardstick_cpu_seconds() - cpu,
            Double(yardstick_statements() - statements), Double(yardstick_written_bytes() - bytes)
        )
    }

    /// Each delta brings as many as it removes.
    private func check(_ provider: OfflineODataProvider, _ size: Int) async throws {
        let answer = await provider.respond(to: HTTPRequest(method: "GET", url: "Readings/$count"))
        let count = String(decoding: answer.body, as: UTF8.self)
        guard count == "\(size)" else {
            throw BenchmarkError("after the deltas the store has \(count) rows, not \(size)")
        }
    }

    private func report(_ costs: [Cost]) {
        detail("\nDelta: \(changes) changes into stores of two sizes, \(runs) runs")
        var table = Table(header: ["", "median ms", "CPU ms", "statements", "MB written"])
        for (size, cost) in zip(sizes, costs) {
            table.add([
                "a store of \(size)", (Sample(cost.wall).median * 1e3).text(decimals: 1),
                (Sample(cost.cpu).median * 1e3).text(decimals: 1),
                Sample(cost.statements).median.text(decimals: 0),
                (Sample(cost.bytes).median / 1e6).text(decimals: 2),
            ])
        }
        detail(table.text)
        func ratio(_ path: KeyPath<Cost, [Double]>) -> String {
            let pairs = zip(costs[1][keyPath: path], costs[0][keyPath: path])
            return Sample(pairs.map { $0 / $1 }).median.text(decimals: 2)
        }
        detail(
            "\n  large : small (medians of pairs): time \(ratio(\.wall)), CPU \(ratio(\.cpu)),"
                + " statements \(ratio(\.statements)), bytes written \(ratio(\.bytes))\n"
        )
        summarize(costs, "time", \.wall, unit: "ms", wanted: 1.5)
        summarize(costs, "statements", \.statements, unit: "/1000", wanted: 1.2)
        summarize(costs, "bytes written", \.bytes, unit: "kB", wanted: 1.2)
    }

    private func summarize(
        _ costs: [Cost],
        _ name: String,
        _ path: KeyPath<Cost, [Double]>,
        unit: String,
        wanted: Double
    ) {
        let scale = path == \.wall ? 1e3 : 1e-3
        let pairs = zip(costs[1][keyPath: path], costs[0][keyPath: path])
        Summary.shared.add(
            SummaryLine(
                work: "delta of \(changes), store of \(sizes[1]) : of \(sizes[0]), \(name)",
                ours: Sample(costs[1][keyPath: path]).median * scale,
                limit: Sample(costs[0][keyPath: path]).median * scale,
                unit: unit,
                ratio: Sample(pairs.map { $0 / $1 }).median,
                wanted: wanted,
                bound: .atMost
            )
        )
    }
}
