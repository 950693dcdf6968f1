import ODataProtocol
import Foundation
import Synchronization
import TestSupport
import Testing

/// The executable while it runs: a service, or something to be interrupted.
final class RunningTool: @unchecked Sendable {
    // Touched by one test, one call after the other.
    private let process: SpawnedProcess
    private let lines: LineReader

    /// Starts the executable; lines are read from one of its outputs.
    init(_ arguments: [String], input: String? = nil, readingErrors: Bool = false) throws {
        let pipe = Pipe()
        let end = SpawnedProcess.Stream.descriptor(pipe.fileHandleForWriting.fileDescriptor)
        process = try SpawnedProcess(
            Tool.path,
            arguments,
            input: input.map { .file($0) } ?? .null,
            output: readingErrors ? .null : end,
            errors: readingErrors ? end : .null
        )
        try pipe.fileHandleForWriting.close()
        lines = LineReader(pipe.fileHandleForReading)
    }

    /// Returns the next line; nil at the end.
    func line() async -> String? { await lines.next() }

    /// Sends a signal and returns the exit status.
    func end(_ signal: Int32 = SIGTERM) async -> Int32 {
        process.send(signal)
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

/// Lines of a pipe as they come.
private final class LineReader: Sendable {
    private let stream: AsyncStream<String>
    /// Held, since a pipe closes with its last holder.
    private let handle: FileHandle

    init(_ handle: FileHandle) {
        self.handle = handle
        let (stream, continuation) = AsyncStream.makeStream(of: String.self)
        self.stream = stream
        let buffer = Mutex<[UInt8]>([])
        handle.readabilityHandler = { handle in
            let data = handle.availableData
            guard !data.isEmpty else {
                handle.readabilityHandler = nil
                return continuation.finish()
            }
            buffer.guarded { buffer in
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
