import Foundation
import TestSupport

/// The built executable, run as a user runs it.
enum Tool {
    /// What a run left.
    struct Outcome: Sendable, Equatable {
        var status: Int32
        var output: String
        var errors: String
    }

    /// The executable beside the tests.
    static let path = products.appending(path: "offline-odata").path()

    private static let products: URL = {
        #if os(macOS)
            let bundle = Bundle.allBundles.first { $0.bundlePath.hasSuffix(".xctest") } ?? .main
            return bundle.bundleURL.deletingLastPathComponent()
        #else
            let executable = Bundle.main.executableURL ?? URL(filePath: CommandLine.arguments[0])
            return executable.resolvingSymlinksInPath().deletingLastPathComponent()
        #endif
    }()

    /// Runs the executable to its end.
    static func run(
        _ arguments: String...,
        input: String = "",
        in directory: Scratch? = nil
    ) async throws -> Outcome {
        try await run(arguments, input: input, in: directory)
    }

    /// Runs the executable to its end.
    static func run(
        _ arguments: [String],
        input: String = "",
        in directory: Scratch? = nil
    ) async throws -> Outcome {
        let scratch = try Scratch()
        try scratch.write(input, to: "input")
        let process = try process(arguments, in: directory)
        process.standardInput = try FileHandle(forReadingFrom: scratch.url("input"))
        process.standardOutput = try scratch.handle("output")
        process.standardError = try scratch.handle("errors")
        let finished = Finished(process)
        try process.run()
        let status = await finished.status()
        return Outcome(
            status: status,
            output: try scratch.read("output"),
            errors: try scratch.read("errors")
        )
    }

    static func process(_ arguments: [String], in directory: Scratch? = nil) throws -> Process {
        let process = Process()
        process.executableURL = URL(filePath: path)
        process.arguments = arguments
        if let directory { process.currentDirectoryURL = directory.directory }
        return process
    }
}

/// The end of a process, awaited without holding a thread.
final class Finished: Sendable {
    private let stream: AsyncStream<Int32>

    /// Listens for the end of a process that has not begun.
    init(_ process: Process) {
        let (stream, continuation) = AsyncStream.makeStream(of: Int32.self)
        self.stream = stream
        process.terminationHandler = {
            continuation.yield($0.terminationStatus)
            continuation.finish()
        }
    }

    /// Returns the exit status once the process has ended; -1 at a second call.
    func status() async -> Int32 {
        for await status in stream { return status }
        return -1
    }
}
