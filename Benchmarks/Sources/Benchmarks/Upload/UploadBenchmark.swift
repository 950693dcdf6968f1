internal import CYardsticks
#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif
import ODataProtocol
import OfflineOData

/// Compares an upload in batches with what `curl` takes to post the same bodies to the same service.
///
/// Each gets a service of its own, without data, that runs in a process of its own.
struct UploadBenchmark {
    private let changes: Int
    private let batchSize: Int
    private let runs: Int
    private let executable: String
    private let pages: ReadingPages

    private static let writerCount = 32

    /// Takes the sizes from the options.
    init(_ options: Options) throws {
        changes = try options.number("changes", default: 10_000)
        batchSize = try options.number("batch-size", default: 100)
        runs = try options.number("runs", default: 5)
        executable = options.text("executable", default: MetadataBenchmark.executable)
        pages = try ReadingPages(Options([]))
    }

    /// Runs both and prints the report.
    func run() async throws {
        guard FileManager.default.isExecutableFile(atPath: executable) else {
            return detail(
                "\nUpload skipped: build offline-odata in release, or name it with --executable."
            )
        }
        let workspace = try Workspace()
        try Workspace.write(Array(pages.metadata.utf8), to: workspace.path + "/metadata.xml")
        var ours: [Double] = []
        var limit: [Double] = []
        var cpu: [Double] = []
        for run in 0...runs {
            let directory = try workspace.emptyDirectory("run")
            let upload = try await upload(directory, workspace.path + "/metadata.xml")
            let curl = try post(upload.bodies, directory, workspace.path + "/metadata.xml")
            guard run > 0 else { continue }
            ours.append(upload.wall)
            cpu.append(upload.cpu)
            limit.append(curl)
        }
        report(ours, cpu, limit)
    }

    private func service(_ metadata: String, _ database: String) throws -> RunningService {
        var server = try ChildProcess(program: [
            executable, "serve", "--metadata", metadata, "--database", database,
        ])
        let line = try server.readLine()
        guard let root = line.split(separator: " ").last else {
            throw BenchmarkError("the service did not start: \(line)")
        }
        return RunningService(process: server, root: String(root))
    }

    /// A service in a process of its own.
    private struct RunningService: ~Copyable {
        var process: ChildProcess
        let root: String
    }

    // MARK: Ours

    private func upload(_ directory: String, _ metadata: String) async throws -> (
        wall: Double, cpu: Double, bodies: [RecordedBatch]
    ) {
        let server = try service(metadata, directory + "/ours.sqlite")
        let root = server.root
        let transport = RecordingTransport()
        let provider = try await filled(directory, root, transport)
        let cpu = yardstick_cpu_seconds()
        let start = yardstick_wall_seconds()
        let result = try await provider.upload()
        let wall = yardstick_wall_seconds() - start
        let spent = yardstick_cpu_seconds() - cpu
        server.process.stop()
        guard result.succeededCount == changes else {
            throw BenchmarkError("\(result.succeededCount) of \(changes) changes were carried out")
        }
        return (wall, spent, transport.batches)
    }

    /// A store with all changes in its queue.
    private func filled(_ directory: String, _ root: String, _ transport: RecordingTransport)
        async throws -> OfflineODataProvider
    {
        let parameters = OfflineODataParameters()
        parameters.storeName = "upload"
        parameters.storePath = URL(filePath: directory)
        parameters.transport = transport
        parameters.uploadBatchSize = batchSize
        let provider = try OfflineODataProvider(serviceRoot: root, parameters: parameters)
        try provider.add(
            definingQuery: OfflineODataDefiningQuery(name: "Readings", query: "Readings")
        )
        try await provider.open()
        try await withThrowingTaskGroup { group in
            for writer in 0..<Self.writerCount {
                group.addTask { [changes] in
                    for number in stride(from: writer, to: changes, by: Self.writerCount) {
                        try await provider.createEntity(ReadingStore.reading(number))
                    }
                }
            }
            try await group.waitForAll()
        }
        return provider
    }

    // MARK: curl

    private func post(_ batches: [RecordedBatch], _ directory: String, _ metadata: String) throws
        -> Double
    {
        let server = try service(metadata, directory + "/curl.sqlite")
        let root = server.root
        var configuration: [String] = []
        for (index, batch) in batches.enumerated() {
            let path = directory + "/body-\(index)"
            try Workspace.write(batch.body, to: path)
            if index > 0 { configuration.append("next") }
            configuration.append("url = \"\(root)$batch\"")
            configuration.append("data-binary = \"@\(path)\"")
            configuration.append("output = \"/dev/null\"")
            for field in batch.headers {
                configuration.append("header = \"\(field.name): \(field.value)\"")
            }
        }
        let file = directory + "/curl.conf"
        try Workspace.write(Array(configuration.joined(separator: "\n").utf8), to: file)
        var result = yardstick_program()
        let status = unsafe yardstick_run_program("curl\n-s\n-f\n-K\n" + file, &result)
        server.process.stop()
        guard status == 0, result.status == 0 else { throw BenchmarkError("curl has failed") }
        return result.seconds
    }

    private func report(_ ours: [Double], _ cpu: [Double], _ limit: [Double]) {
        detail(
            "\nUpload: \(changes) creates in batches of \(batchSize) to `offline-odata serve`, \(runs) runs"
        )
        var table = Table(header: ["", "median ms", "largest ms"])
        for (name, values) in [("curl: the same bodies", limit), ("upload()", ours)] {
            let sample = Sample(values)
            table.add([
                name, (sample.median * 1e3).text(decimals: 0),
                (sample.largest * 1e3).text(decimals: 0),
            ])
        }
        detail(table.text)
        let ratio = Sample(zip(ours, limit).map { $0 / $1 }).median
        let own = (Sample(cpu).median * 1e3).text(decimals: 0)
        detail(
            "\n  upload : curl = \(ratio.text(decimals: 2)) (median of pairs); CPU of the engine \(own) ms\n"
        )
        let curl = Sample(limit)
        var line = SummaryLine(
            work: "upload of \(changes) : curl, loopback",
            ours: Sample(ours).median * 1e3,
            limit: curl.median * 1e3,
            unit: "ms",
            ratio: ratio,
            wanted: 1.1,
            bound: .atMost
        )
        line.spread = curl.spread
        line.needsTwoCores = true
        Summary.shared.add(line)
    }
}
