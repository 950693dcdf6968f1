internal import CYardsticks
import OfflineOData

/// How long durable creates take while a download stages its pages and merges them, and in an idle store.
struct WriteWaitBenchmark {
    private let rows: Int
    private let idleChanges: Int

    /// Entities that the store holds before.
    private static let loadedRows = 10_000

    /// Takes the size from the options.
    init(_ options: Options) throws {
        rows = try options.number("rows", default: 1_000_000)
        idleChanges = try options.number("changes", default: 2_000)
    }

    /// Loads a small store, measures its creates, then measures them while a large set comes in beside.
    func run() async throws {
        let workspace = try Workspace()
        let directory = try workspace.emptyDirectory("pages")
        let sizes = ["--rows", String(Self.loadedRows), "--archive", String(rows)]
        _ = try ReadingPages(Options(sizes)).write(to: directory)
        let server = try PageServer(directory: directory)
        let store = try await ReadingStore(
            in: workspace.emptyDirectory("store"),
            server.serviceRoot
        )
        let idle = try await creates(store, from: 0) { $0 >= idleChanges }

        try store.provider.add(
            definingQuery: OfflineODataDefiningQuery(name: "Archive", query: "Archive")
        )
        let end = DownloadEnd()
        let download = Task {
            defer { end.set() }
            return try await Self.download(store)
        }
        let busy = try await creates(store, from: idleChanges) { _ in end.isReached }
        let seconds = try await download.value
        _ = try server.stop()
        report(idle, busy, seconds)
    }

    private static func download(_ store: ReadingStore) async throws -> Double {
        let start = yardstick_wall_seconds()
        try await store.provider.download()
        return yardstick_wall_seconds() - start
    }

    /// Seconds of each create, one after the other, until stopped.
    private func creates(
        _ store: ReadingStore,
        from first: Int,
        until isEnough: (Int) -> Bool
    ) async throws -> [Double] {
        var seconds: [Double] = []
        while !isEnough(seconds.count) {
            let reading = ReadingStore.reading(first + seconds.count)
            let start = yardstick_wall_seconds()
            try await store.provider.createEntity(reading)
            seconds.append(yardstick_wall_seconds() - start)
        }
        return seconds
    }

    private func report(_ idle: [Double], _ busy: [Double], _ seconds: Double) {
        detail(
            "\nDurable creates while \(rows) rows are downloaded (\(seconds.text(decimals: 1)) s)"
        )
        var table = Table(header: ["", "creates", "median ms", "p99 ms", "longest ms"])
        for (name, values) in [("idle store", idle), ("during the download", busy)] {
            let sample = Sample(values)
            table.add([
                name, String(values.count), (sample.median * 1e3).text(decimals: 2),
                (sample.percentile99 * 1e3).text(decimals: 2),
                (sample.largest * 1e3).text(decimals: 2),
            ])
        }
        detail(table.text)
        let ratio = Sample(busy).percentile99 / Sample(idle).percentile99
        detail("\n  p99 during the download : idle = \(ratio.text(decimals: 2))\n")
        var line = SummaryLine(
            work: "p99 of a create while \(rows) rows come : idle",
            ours: Sample(busy).percentile99 * 1e3,
            limit: Sample(idle).percentile99 * 1e3,
            unit: "ms",
            ratio: ratio,
            wanted: 5,
            bound: .atMost
        )
        line.needsTwoCores = true
        Summary.shared.add(line)
    }
}
