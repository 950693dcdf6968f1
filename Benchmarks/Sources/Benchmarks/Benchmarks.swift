internal import CYardsticks

/// Runs the benchmarks; each stands beside a limit measured in the same run.
@main
struct Benchmarks {
    static func main() async {
        var arguments = Array(CommandLine.arguments.dropFirst())
        if let place = arguments.firstIndex(of: "--json") {
            arguments.remove(at: place)
            Summary.shared.isJSON = true
        }
        let name = arguments.isEmpty ? "all" : arguments.removeFirst()
        if ["help", "--help", "-h"].contains(name) { return print(usage) }
        do {
            try await run(name, Options(arguments))
            try Summary.shared.report()
        } catch {
            unsafe yardstick_fail("benchmarks: \(error)")
        }
    }

    private static func run(_ name: String, _ options: Options) async throws {
        switch name {
        case "all": try await runAll()
        case "first-load": try FirstLoadBenchmark(options).run()
        case "cancel": try await CancelBenchmark(options).run()
        case "cancelled-reads": try await CancelledReadBenchmark(options).run()
        case "metadata": try MetadataBenchmark(options).run()
        case "reads": try await ReadsBenchmark(options).run()
        case "search": try await SearchBenchmark(options).run()
        case "delta": try await DeltaBenchmark(options).run()
        case "encryption": try await EncryptionBenchmark(options).run()
        case "policies": try await PoliciesBenchmark(options).run()
        case "latency": try await LatencyBenchmark(options).run()
        case "upload": try await UploadBenchmark(options).run()
        case "local-write": try await LocalWriteBenchmark(options).run()
        case "write-wait": try await WriteWaitBenchmark(options).run()
        case "queue-list": try await QueueListBenchmark(options).run()
        // The measured pieces of work, each in a process of its own.
        case "make-pages": _ = try ReadingPages(options).write(to: options.text("directory"))
        case "serve-pages": try PageServer.serve(options)
        case "read-metadata": try MetadataBenchmark.read(options)
        case "load-yardstick": try FirstLoadYardstick.run(options)
        case "load-store": try await FirstLoadProduct.run(options)
        case "write-yardstick": try LocalWriteYardstick.run(options)
        default: throw BenchmarkError("unknown benchmark '\(name)'; there is:\n\(usage)")
        }
    }

    private static let usage = """
        benchmarks [NAME [OPTION]...] [--json]

          first-load   [--rows N] [--runs N] [--page-size N] [--keys integer|guid]
          cancel       [--rounds N] [--rows N]
          cancelled-reads [--rounds N] [--rows N]
          metadata     [--runs N] [--file FILE] [--executable FILE]
          reads        [--rows N] [--runs N] [--only TEXT]
          search       [--rows N] [--runs N]
          local-write  [--changes N] [--runs N] [--only TEXT]
          write-wait   [--rows N] [--changes N]
          queue-list   [--entries N] [--runs N]
          delta        [--changes N] [--small N] [--large N] [--runs N]
          upload       [--changes N] [--batch-size N] [--runs N] [--executable FILE]
          latency      [--latencies MS,MS,…] [--sets N] [--rows N] [--page-size N] [--parallel N]
                       [--parallel-batches N] [--changes N] [--bandwidth BYTES]
          policies     [--reads N] [--collections N] [--runs N] [--only TEXT]
          encryption   [--rows N] [--reads N] [--changes N] [--runs N]; with a SQLite that can encrypt
          all          a short round of each; as all of them, it ends with a table of the ratios
        --json, with any of them: that table as one JSON document; everything else goes to standard error
        """

    /// A short round: enough to see a step backwards, not to quote a figure.
    private static func runAll() async throws {
        for keys in ["integer", "guid"] {
            try FirstLoadBenchmark(Options(["--keys", keys, "--runs", "3"])).run()
        }
        try await CancelBenchmark(Options(["--rounds", "12"])).run()
        try await CancelledReadBenchmark(Options(["--rounds", "20", "--rows", "200000"])).run()
        try MetadataBenchmark(Options(["--runs", "10"])).run()
        try await ReadsBenchmark(Options(["--rows", "100000", "--runs", "3"])).run()
        try await SearchBenchmark(Options(["--rows", "100000", "--runs", "3"])).run()
        try await LocalWriteBenchmark(Options(["--changes", "1000", "--runs", "3"])).run()
        try await WriteWaitBenchmark(Options(["--rows", "100000", "--changes", "500"])).run()
        try await QueueListBenchmark(Options(["--entries", "20000"])).run()
        try await DeltaBenchmark(Options(["--large", "300000", "--runs", "3"])).run()
        try await UploadBenchmark(Options(["--changes", "2000", "--runs", "3"])).run()
        try await LatencyBenchmark(Options(["--latencies", "50,200", "--changes", "500"])).run()
        try await EncryptionBenchmark(Options(["--rows", "50000", "--runs", "3"])).run()
        try await PoliciesBenchmark(Options(["--collections", "1000", "--runs", "3"])).run()
    }
}
