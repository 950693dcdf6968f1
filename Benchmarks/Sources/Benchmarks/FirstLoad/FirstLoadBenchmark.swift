/// Compares the first load of a store over loopback HTTP with bare inserts of the same rows in C.
///
/// The two alternate within one run of the benchmark, so that a busy machine slows both. Stable counts come first in the report:
/// they can be compared between machines, times cannot.
struct FirstLoadBenchmark {
    private let pages: ReadingPages
    private let runs: Int

    /// Takes the size from the options.
    init(_ options: Options) throws {
        pages = try ReadingPages(options)
        runs = try options.number("runs", default: 5)
    }

    /// Runs both and prints the report.
    func run() throws {
        let workspace = try Workspace()
        let directory = try workspace.emptyDirectory("pages")
        let size = try pages.write(to: directory)
        let server = try PageServer(directory: directory)
        var product: [Measurements] = []
        var yardstick: [Measurements] = []
        var storeSize = 0
        // The first pair warms up the disk cache and does not count.
        for run in 0...runs {
            let store = try workspace.emptyDirectory("store")
            let loaded = try load(from: server.serviceRoot, into: store)
            let file = try Workspace.largestFile(in: store)
            storeSize = file.size
            let target = try workspace.emptyDirectory("yardstick") + "/ready.sqlite"
            let inserted = try ChildProcess.measurements([
                "load-yardstick", "--store", file.path, "--target", target,
            ])
            try expectAllRows(inserted)
            if run > 0 {
                product.append(loaded)
                yardstick.append(inserted)
            }
        }
        let totals = try server.stop()
        printCounts(jsonSize: size, storeSize: storeSize, totals)
        try printTimes(product, yardstick, totals)
    }

    private func load(from service: String, into directory: String) throws -> Measurements {
        try ChildProcess.measurements([
            "load-store", "--service", service, "--directory", directory, "--rows", "\(pages.rows)",
        ])
    }

    /// The yardstick copies the store's own table, so its count tells whether the load was complete.
    private func expectAllRows(_ yardstick: Measurements) throws {
        let rows = Int(try yardstick.number("rows"))
        guard rows == pages.rows else {
            throw BenchmarkError("the store has \(rows) rows instead of \(pages.rows)")
        }
    }

    private func printCounts(jsonSize: Int, storeSize: Int, _ totals: PageServer.Totals) {
        let loads = runs + 1
        detail(
            """
            First load: \(pages.rows) entities of 15 mixed properties, \(pages.keys.rawValue) keys, \
            \(pages.pages) pages of at most \(pages.pageSize)
              requests per load  \(totals.requests / loads)
              bytes per load     \(totals.bytes / loads) (JSON of the pages: \(jsonSize))
              bytes of the store \(storeSize)

            """
        )
    }

    private func printTimes(
        _ product: [Measurements],
        _ yardstick: [Measurements],
        _ totals: PageServer.Totals
    ) throws {
        var table = Table(
            header: ["\(runs) runs", "median s", "p90 s", "rows/s", "CPU s", "peak MiB"]
        )
        table.add(try line("C: ready rows, WAL, index after", yardstick))
        table.add(try line("store: first load over HTTP", product))
        detail(table.text)
        detail(
            "  page server: \((totals.cpuSeconds / Double(runs + 1)).text(decimals: 3)) CPU s per load"
        )
        let ratios = try zip(product, yardstick).map {
            try $1.number("wall") / $0.number("wall")
        }
        let worst = ratios.min() ?? 0
        detail(
            "\n  rows per second, store : C = \(Sample(ratios).median.text(decimals: 2)) "
                + "(median of pairs; lowest \(worst.text(decimals: 2)))"
        )
        try summarize(product, yardstick, ratio: Sample(ratios).median)
    }

    private func summarize(
        _ product: [Measurements],
        _ yardstick: [Measurements],
        ratio: Double
    ) throws {
        let work = "first load, \(pages.rows) rows, \(pages.keys.rawValue) keys"
        let limit = Sample(try yardstick.map { try $0.number("wall") })
        let ours = Sample(try product.map { try $0.number("wall") })
        let processor = try zip(product, yardstick).map {
            try $0.number("cpu") / $1.number("cpu")
        }
        let cpuRatio = Sample(processor).median
        let peak = try product.map { try $0.number("memory") }.max() ?? 0
        var line = SummaryLine(
            work: work,
            ours: ours.median,
            limit: limit.median,
            unit: "s",
            ratio: ratio,
            wanted: wantedRatio,
            bound: .atLeast
        )
        line.cpuRatio = cpuRatio
        line.peakMemory = peak / 1_048_576
        line.spread = limit.spread
        line.needsTwoCores = true
        Summary.shared.add(line)
        Summary.shared.add(
            SummaryLine(
                work: work + ", CPU",
                ours: Sample(try product.map { try $0.number("cpu") }).median,
                limit: Sample(try yardstick.map { try $0.number("cpu") }).median,
                unit: "s",
                ratio: cpuRatio,
                wanted: 1.6,
                bound: .atMost
            )
        )
    }

    /// Rows a second against C; what every load costs once weighs more in a short one.
    private var wantedRatio: Double {
        if pages.rows < 500_000 { return 0.9 }
        return pages.keys == .guid ? 1.0 : 1.1
    }

    private func line(_ name: String, _ measurements: [Measurements]) throws -> [String] {
        let wall = Sample(try measurements.map { try $0.number("wall") })
        let memory = try measurements.map { try $0.number("memory") }.max() ?? 0
        return [
            name,
            wall.median.text(decimals: 3),
            wall.percentile90.text(decimals: 3),
            (Double(pages.rows) / wall.median).text(decimals: 0),
            Sample(try measurements.map { try $0.number("cpu") }).median.text(decimals: 3),
            (memory / 1_048_576).text(decimals: 1),
        ]
    }
}
