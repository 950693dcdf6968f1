internal import CYardsticks

/// Runs the benchmarks; each stands beside a limit measured in the same run.
@main
struct Benchmarks {
    static func main() async {
        var arguments = Array(CommandLine.arguments.dropFirst())
        let name = arguments.isEmpty ? "all" : arguments.removeFirst()
        do {
            try await run(name, Options(arguments))
        } catch {
            unsafe yardstick_fail("benchmarks: \(error)")
        }
    }

    private static func run(_ name: String, _ options: Options) async throws {
        switch name {
        case "all", "first-load": try FirstLoadBenchmark(options).run()
        // The measured pieces of work, each in a process of its own.
        case "make-pages": _ = try ReadingPages(options).write(to: options.text("directory"))
        case "serve-pages": try PageServer.serve(options)
        case "load-yardstick": try FirstLoadYardstick.run(options)
        case "load-store": try await FirstLoadProduct.run(options)
        default:
            throw BenchmarkError(
                "unknown benchmark '\(name)'; there is: first-load [--rows N] [--runs N] [--page-size N] [--keys integer|guid]"
            )
        }
    }
}
