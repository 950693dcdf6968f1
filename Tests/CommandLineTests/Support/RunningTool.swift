import Foundation
import Synchronization
import Testing

/// The executable while it runs: a service, or something to be interrupted.
final class RunningTool: @unchecked Sendable {
    // Touched by one test, one call after the other.
    private let process: Process
    private let finished: Finished
    private let lines: LineReader

    /// Starts the executable; lines are read from one of its outputs.
    init(_ arguments: [String], readingErrors: Bool = false) throws {
        process = try Tool.process(arguments)
        finished = Finished(process)
        let pipe = Pipe()
        let null = FileHandle.nullDevice
        process.standardInput = null
        process.standardOutput = readingErrors ? null : pipe
        process.standardError = readingErrors ? pipe : null
        lines = LineReader(pipe.fileHandleForReading)
        try process.run()
    }

    deinit {
        if process.isRunning { process.terminate() }
    }

    /// Returns the next line; nil at the end.
    func line() async -> String? { await lines.next() }

    /// Sends a signal and returns the exit status.
    func end(_ signal: Int32 = SIGTERM) async -> Int32 {
        kill(process.processIdentifier, signal)
        return await finished.status()
    }

    /// Starts a service and returns it with its root.
    static func service(_ arguments: [String]) async throws -> (tool: RunningTool, root: String) {
        let tool = try RunningTool(["serve"] + arguments)
        let line = try #require(await tool.line())
        try #require(line.hasPrefix("listening on http://127.0.0.1:"))
        return (tool, String(line.dropFirst("listening on ".count)))
    }
}

/// Lines of a pipe as they come.
private final class LineReader: Sendable {
    private let stream: AsyncStream<String>

    init(_ handle: FileHandle) {
        let (stream, continuation) = AsyncStream.makeStream(of: String.self)
        self.stream = stream
        let buffer = Mutex<[UInt8]>([])
        handle.readabilityHandler = { handle in
            let data = handle.availableData
            guard !data.isEmpty else {
                handle.readabilityHandler = nil
                return continuation.finish()
            }
            buffer.withLock { buffer in
                buffer += data
                while let end = buffer.firstIndex(of: 0x0A) {
                    continuation.yield(String(decoding: buffer[..<end], as: UTF8.self))
                    buffer.removeSubrange(...end)
                }
            }
        }
    }

    func next() async -> String? {
        for await line in stream { return line }
        return nil
    }
}
