internal import CYardsticks
#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif
import ODataProtocol
import OfflineOData

/// Measures what a network with latency costs: first load and download of many sets in round trips, an upload beside what its bytes
/// take.
struct LatencyBenchmark {
    private let latencies: [Int]
    private let sets: ManySets
    private let changes: Int
    private let bandwidth: Int
    private let executable: String
    /// Queries on their way at the same time; nil for as many as is usual.
    private let parallel: Int?
    /// Batches on their way at the same time; nil for as many as is usual.
    private let parallelBatches: Int?

    /// Takes the sizes from the options.
    init(_ options: Options) throws {
        latencies = options.text("latencies", default: "20,200,1000").split(separator: ",")
            .compactMap { Int($0) }
        sets = ManySets(
            sets: try options.number("sets", default: 30),
            rows: try options.number("rows", default: 1_000),
            pageSize: try options.number("page-size", default: 250)
        )
        changes = try options.number("changes", default: 10_000)
        bandwidth = try options.number("bandwidth", default: 1_000_000)
        executable = options.text("executable", default: MetadataBenchmark.executable)
        let batches = try options.number("parallel-batches", default: 0)
        parallelBatches = batches > 0 ? batches : nil
        let parallel = try options.number("parallel", default: 0)
        self.parallel = parallel > 0 ? parallel : nil
    }

    /// Runs the measurements and prints the report.
    func run() async throws {
        detail("\nLatency: \(sets.sets) sets of \(sets.rows) rows, pages of \(sets.pageSize)")
        var table = Table(
            header: ["ms", "work", "seconds", "requests", "round trips", "limit", "ratio"]
        )
        for latency in latencies {
            try await measureSets(latency, &table)
            try await measureUpload(latency, &table)
        }
        detail(table.text + "\n")
    }

    /// Runs some work and returns its seconds.
    private func seconds(_ work: () async throws -> Void) async throws -> Double {
        let start = yardstick_wall_seconds()
        try await work()
        return yardstick_wall_seconds() - start
    }

    private func line(
        _ latency: Int,
        _ work: String,
        _ seconds: Double,
        _ requests: Int,
        limit: Double,
        wanted: Double
    ) -> [String] {
        let roundTrips = seconds / (Double(latency) / 1_000)
        Summary.shared.add(
            SummaryLine(
                work: "\(work), \(latency) ms",
                ours: seconds,
                limit: limit,
                unit: "s",
                ratio: seconds / limit,
                wanted: wanted,
                bound: .atMost
            )
        )
        return [
            "\(latency)", work, seconds.text(decimals: 2), "\(requests)",
            roundTrips.text(decimals: 1), limit.text(decimals: 2),
            (seconds / limit).text(decimals: 2),
        ]
    }

    // MARK: Sets

    private func measureSets(_ latency: Int, _ table: inout Table) async throws {
        let workspace = try Workspace()
        let network = SlowNetwork(sets, roundTrip: .milliseconds(latency))
        let provider = try provider(workspace.path, ManySets.root, network)
        for set in 0..<sets.sets {
            try provider.add(
                definingQuery: OfflineODataDefiningQuery(name: "S\(set)", query: "S\(set)")
            )
        }
        let trip = Double(latency) / 1_000
        let load = try await seconds { try await provider.open() }
        // The metadata, then the longest chain of pages.
        let limit = trip * Double(1 + sets.pages)
        table.add(
            line(
                latency,
                "first load of \(sets.sets) sets",
                load,
                network.taken().requests,
                limit: limit,
                wanted: 1.3
            )
        )
        let download = try await seconds { try await provider.download() }
        let requests = network.taken().requests
        table.add(
            line(
                latency,
                "download of \(sets.sets) unchanged queries",
                download,
                requests,
                limit: trip * 3,
                wanted: 1
            )
        )
    }

    // MARK: Upload

    private func measureUpload(_ latency: Int, _ table: inout Table) async throws {
        guard FileManager.default.isExecutableFile(atPath: executable) else {
            return detail("  upload skipped: build offline-odata in release, or name it.")
        }
        let workspace = try Workspace()
        let metadata = try ReadingPages(Options([])).metadata
        try Workspace.write(Array(metadata.utf8), to: workspace.path + "/metadata.xml")
        var server = try ChildProcess(program: [
            executable, "serve", "--metadata", workspace.path + "/metadata.xml", "--database",
            workspace.path + "/service.sqlite",
        ])
        let root = try server.readLine().split(separator: " ").last.map(String.init) ?? ""
        let network = SlowNetwork(
            CurlTransport(),
            roundTrip: .milliseconds(latency),
            bandwidth: bandwidth
        )
        let provider = try provider(workspace.path, root, network)
        try provider.add(
            definingQuery: OfflineODataDefiningQuery(name: "Readings", query: "Readings")
        )
        try await provider.open()
        for number in 0..<changes {
            try await provider.createEntity(ReadingStore.reading(number))
        }
        _ = network.taken()
        let upload = try await seconds { try await provider.upload() }
        server.stop()
        let (requests, bytes) = network.taken()
        let limit = Double(bytes) / Double(bandwidth) + 3 * Double(latency) / 1_000
        table.add(
            line(
                latency,
                "upload of \(changes)",
                upload,
                requests,
                limit: limit,
                wanted: 1.2
            )
        )
    }

    private func provider(
        _ directory: String,
        _ root: String,
        _ network: SlowNetwork
    ) throws -> OfflineODataProvider {
        let parameters = OfflineODataParameters()
        parameters.storePath = URL(filePath: directory)
        parameters.transport = network
        if let parallel { parameters.parallelQueryCount = parallel }
        if let parallelBatches { parameters.parallelBatchCount = parallelBatches }
        return try OfflineODataProvider(serviceRoot: root, parameters: parameters)
    }
}
