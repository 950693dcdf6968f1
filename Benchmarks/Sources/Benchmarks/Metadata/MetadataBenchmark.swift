internal import CYardsticks
#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif
import ODataModel

/// Compares the reading of a metadata document with libxml2's bare SAX2 pass, and the whole command with `xmllint`.
struct MetadataBenchmark {
    private let file: String?
    private let executable: String
    private let runs: Int

    /// Takes the document from the options, or the largest of the shared ones.
    init(_ options: Options) throws {
        runs = try options.number("runs", default: 30)
        let named = options.text("file", default: "")
        file = named.isEmpty ? Self.largestSharedFile() : named
        executable = options.text(
            "executable",
            default: Self.executable
        )
    }

    /// The command as a release build leaves it.
    static var executable: String { root + "/.build/release/offline-odata" }

    /// The package's directory, from this file's place in it.
    private static let root = URL(filePath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().deletingLastPathComponent().path

    private static func largestSharedFile() -> String? {
        let directory = root + "/../shared/metadata"
        return try? Workspace.largestFile(in: directory).path
    }

    /// Runs both comparisons and prints the report.
    func run() throws {
        guard let file else {
            detail(
                "\nMetadata: skipped, there is no ../shared/metadata; name a document with --file.\n"
            )
            return
        }
        let bytes = [UInt8](try Data(contentsOf: URL(filePath: file)))
        detail(
            "\nMetadata: \(file.split(separator: "/").last ?? ""), \(bytes.count) bytes, \(runs) runs"
        )
        try compareReading(bytes)
        let child = try ChildProcess.measurements(["read-metadata", "--file", file])
        let peak = try child.number("memory") / 1_048_576
        detail("  peak memory of a process that reads the model: \(peak.text(decimals: 1)) MiB\n")
        try compareCommands(file)
    }

    /// Is the measured work, in the child process.
    static func read(_ options: Options) throws {
        let start = yardstick_wall_seconds()
        let document = try CSDLDocument(readingFileAt: options.text("file"))
        Measurements.report(
            rows: document.model.structuredTypes.count,
            wall: yardstick_wall_seconds() - start
        )
    }

    // MARK: Reading

    private func compareReading(_ bytes: [UInt8]) throws {
        var passes: [Time] = []
        var readings: [Time] = []
        var counted = yardstick_sax()
        for run in 0...runs {
            let pass = try Time.of {
                let isWellFormed = unsafe bytes.withUnsafeBytes { buffer in
                    unsafe yardstick_sax_pass(buffer.baseAddress, buffer.count, &counted)
                }
                guard isWellFormed == 1 else {
                    throw BenchmarkError("the document is not well-formed")
                }
            }
            var document: CSDLDocument?
            let reading = try Time.of { document = try CSDLDocument(reading: bytes) }
            guard document?.model.structuredTypes.isEmpty == false else {
                throw BenchmarkError("no types were read")
            }
            // The first pair warms up.
            guard run > 0 else { continue }
            passes.append(pass)
            readings.append(reading)
        }
        detail("  \(counted.elements) elements with \(counted.attributes) attributes")
        report(
            "C: libxml2's SAX2 pass",
            passes,
            "CSDLDocument: complete model",
            readings,
            title: "model : SAX2 pass",
            wanted: 1.9
        )
    }

    // MARK: Commands

    private func compareCommands(_ file: String) throws {
        guard FileManager.default.isExecutableFile(atPath: executable) else {
            detail(
                "  `metadata summary` skipped: build offline-odata in release, or name it with --executable."
            )
            return
        }
        var lint: [Time] = []
        var summary: [Time] = []
        for run in 0...runs {
            let one = try Self.time(["xmllint", "--stream", "--noout", file])
            let other = try Self.time([executable, "metadata", "summary", file])
            guard let one else {
                detail("  `metadata summary` skipped: there is no xmllint.")
                return
            }
            guard let other else { throw BenchmarkError("cannot start \(executable)") }
            guard run > 0 else { continue }
            lint.append(one)
            summary.append(other)
        }
        report(
            "xmllint --stream --noout",
            lint,
            "offline-odata metadata summary",
            summary,
            title: "process, summary : xmllint",
            wanted: 1.6
        )
    }

    /// What a program takes; nil where it cannot be started.
    private static func time(_ arguments: [String]) throws -> Time? {
        var result = yardstick_program()
        let problem = unsafe yardstick_run_program(arguments.joined(separator: "\n"), &result)
        guard problem == 0 else { return nil }
        guard result.status == 0 else {
            throw BenchmarkError("\(arguments[0]) ended with status \(result.status)")
        }
        return Time(wall: result.seconds, cpu: result.cpu_seconds)
    }

    private func report(
        _ limitName: String,
        _ limits: [Time],
        _ name: String,
        _ values: [Time],
        title: String,
        wanted: Double
    ) {
        var table = Table(header: ["", "median ms", "p90 ms", "CPU ms"])
        for (name, times) in [(limitName, limits), (name, values)] {
            let wall = Sample(times.map(\.wall))
            table.add([
                name, (wall.median * 1_000).text(decimals: 2),
                (wall.percentile90 * 1_000).text(decimals: 2),
                (Sample(times.map(\.cpu)).median * 1_000).text(decimals: 2),
            ])
        }
        detail(table.text)
        let pairs = zip(values, limits)
        let wall = Sample(pairs.map { $0.wall / $1.wall }).median
        let cpu = Sample(pairs.map { $0.cpu / $1.cpu }).median
        detail(
            "  \(title) = \(wall.text(decimals: 2)), by CPU of both cores \(cpu.text(decimals: 2)) (medians of pairs)\n"
        )
        let limit = Sample(limits.map(\.cpu))
        var line = SummaryLine(
            work: title + ", CPU",
            ours: Sample(values.map(\.cpu)).median * 1_000,
            limit: limit.median * 1_000,
            unit: "ms",
            ratio: cpu,
            wanted: wanted,
            bound: .atMost
        )
        line.cpuRatio = cpu
        line.spread = limit.spread
        Summary.shared.add(line)
    }

    /// In time and in CPU: what else runs on the machine lengthens the first.
    private struct Time {
        let wall: Double
        let cpu: Double

        static func of(_ work: () throws -> Void) rethrows -> Time {
            let (wall, cpu) = (yardstick_wall_seconds(), yardstick_cpu_seconds())
            try work()
            return Time(wall: yardstick_wall_seconds() - wall, cpu: yardstick_cpu_seconds() - cpu)
        }
    }
}
