import Foundation
import Synchronization
import TestSupport
import Testing

/// The executable while it runs: a service, or something to be interrupted.
final class RunningTool: @unchecked Sendable {
    // Touched by one test, one call after the other.
    private let process: SpawnedProcess
    private let lines: AsyncStream<String>

    /// Starts the executable; lines are read from one of its outputs.
    init(_ arguments: [String], input: String? = nil, readingErrors: Bool = false) throws {
        let pipe = try LinePipe()
        let end = SpawnedProcess.Stream.descriptor(pipe.writingEnd)
        process = try SpawnedProcess(
            Tool.path,
            arguments,
            input: input.map { .file($0) } ?? .null,
            output: readingErrors ? .null : end,
            errors: readingErrors ? end : .null
        )
        lines = pipe.lines()
    }

    /// Returns the next line; nil at the end.
    func line() async -> String? {
        for await line in lines { return line }
        return nil
    }

    /// Ends the process with that of the tests, for one that many of them share.
    func endWithTests() {
        Self.shared.withLock { tools in
            if tools.isEmpty { atexit { RunningTool.endShared() } }
            tools.append(self)
        }
    }

    private static let shared = Mutex<[RunningTool]>([])

    private static func endShared() {
        shared.withLock { tools in for tool in tools { tool.process.send(SIGTERM) } }
    }

    /// Sends a signal, perhaps twice, and returns the exit status.
    func end(_ signal: Int32 = SIGTERM, times: Int = 1) async -> Int32 {
        for _ in 0..<times { process.send(signal) }
        return (try? await process.status()) ?? -1
    }

    /// Starts a service and returns it with its root.
    static func service(_ arguments: [String]) async throws -> (tool: RunningTool, root: String) {
        let tool = try RunningTool(["serve"] + arguments)
        let line = try #require(await tool.line())
        try #require(line.hasPrefix("listening on http://127.0.0.1:"))
        return (tool, String(line.dropFirst("listening on ".count)))
    }
}
