internal import CYardsticks
#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif
import OfflineOData

/// Compares durable local creates, by one writer and by many at once, with the same rows written in C.
struct LocalWriteBenchmark {
    private let changes: Int
    private let runs: Int
    private let pages: ReadingPages

    private static let writerCount = 32

    /// Takes the size from the options.
    init(_ options: Options) throws {
        changes = try options.number("changes", default: 5_000)
        runs = try options.number("runs", default: 5)
        pages = try ReadingPages(Options(["--rows", "10000"]))
    }

    /// Runs all three and prints the report.
    func run() async throws {
        let workspace = try Workspace()
        let directory = try workspace.emptyDirectory("pages")
        _ = try pages.write(to: directory)
        let server = try PageServer(directory: directory)
        var one: [Double] = []
        var many: [Double] = []
        var limit: [Double] = []
        for run in 0...runs {
            let store = try workspace.emptyDirectory("store")
            let single = try await seconds(in: store, server.serviceRoot, writers: 1)
            let target = try workspace.emptyDirectory("yardstick") + "/ready.sqlite"
            let written = try ChildProcess.measurements([
                "write-yardstick", "--store", store + "/local-write.sqlite", "--table", "Readings",
                "--target", target,
            ])
            guard Int(try written.number("rows")) == changes else {
                throw BenchmarkError("the yardstick has written other rows than the store")
            }
            let second = try workspace.emptyDirectory("second")
            let concurrent = try await seconds(
                in: second,
                server.serviceRoot,
                writers: Self.writerCount
            )
            guard run > 0 else { continue }
            one.append(single)
            limit.append(try written.number("wall"))
            many.append(concurrent)
        }
        _ = try server.stop()
        report(one, many, limit)
    }

    /// Seconds for all creates in a new store.
    private func seconds(in directory: String, _ service: String, writers: Int) async throws
        -> Double
    {
        let parameters = OfflineODataParameters()
        parameters.storeName = "local-write"
        parameters.storePath = URL(filePath: directory)
        let provider = try OfflineODataProvider(serviceRoot: service, parameters: parameters)
        try provider.add(
            definingQuery: OfflineODataDefiningQuery(name: "Readings", query: "Readings")
        )
        try await provider.open()
        let start = yardstick_wall_seconds()
        try await withThrowingTaskGroup { group in
            for writer in 0..<writers {
                group.addTask { [changes] in
                    for number in stride(from: writer, to: changes, by: writers) {
                        try await provider.createEntity(Self.reading(number))
                    }
                }
            }
            try await group.waitForAll()
        }
        return yardstick_wall_seconds() - start
    }

    private static func reading(_ number: Int) -> EntityValue {
        EntityValue(
            entitySet: "Readings",
            [
                "ID": .integer(Int64(5_000_000 + number)), "Code": .string("L-\(number)"),
                "Name": "pump replaced", "Comment": "made by the benchmark", "City": "Leeds",
                "State": "new", "Count": 7, "Amount": 12.25, "Factor": 0.5, "IsValid": true,
                "CreatedAt": "2024-02-29T12:00:00Z",
                "Reference": "01234567-89ab-cdef-0123-456789abcdef", "Day": "2024-02-29",
            ]
        )
    }

    private func report(_ one: [Double], _ many: [Double], _ limit: [Double]) {
        print(
            "\nLocal writes: \(changes) durable creates into a set of \(pages.rows), \(runs) runs"
        )
        var table = Table(header: ["", "median us", "p90 us", "per second"])
        let lines = [
            ("C: the same rows, WAL, FULL", limit), ("store: one writer", one),
            ("store: \(Self.writerCount) writers at once", many),
        ]
        for (name, values) in lines {
            let sample = Sample(values)
            table.add([
                name, (sample.median / Double(changes) * 1e6).text(decimals: 1),
                (sample.percentile90 / Double(changes) * 1e6).text(decimals: 1),
                (Double(changes) / sample.median).text(decimals: 0),
            ])
        }
        print(table.text)
        let toLimit = Sample(zip(one, limit).map { $1 / $0 }).median
        let toOne = Sample(zip(many, one).map { $1 / $0 }).median
        print(
            "\n  transactions per second, one writer : C = \(toLimit.text(decimals: 2)) (median of pairs)"
        )
        print("  \(Self.writerCount) writers : one writer = \(toOne.text(decimals: 2))\n")
    }
}
