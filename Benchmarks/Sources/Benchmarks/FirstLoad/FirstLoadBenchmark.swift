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
        print(
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
        print(table.text)
        print(
            "  page server: \((totals.cpuSeconds / Double(runs + 1)).text(decimals: 3)) CPU s per load"
        )
        let ratios = try zip(product, yardstick).map {
            try $1.number("wall") / $0.number("wall")
        }
        let worst = ratios.min() ?? 0
        print(
            "\n  rows per second, store : C = \(Sample(ratios).median.text(decimals: 2)) "
                + "(median of pairs; lowest \(worst.text(decimals: 2)))"
        )
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
