import Foundation

/// A pipe into which a process writes lines.
///
/// Read by a thread of its own. Foundation's `FileHandle` watches the number of a descriptor: one that is closed and given
/// out again at once is watched no more, and its reader waits for ever.
public struct LinePipe: Sendable {
    /// Why there is no pipe.
    public struct Failure: Error {
        /// The number of the system's error.
        public let number: Int32
    }

    /// The end that a process gets as one of its streams.
    public let writingEnd: Int32
    private let readingEnd: Int32

    /// Makes a pipe that no process inherits unless it is given to it.
    public init() throws {
        var ends: [Int32] = [-1, -1]
        guard unsafe pipe(&ends) == 0 else { throw Failure(number: errno) }
        for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        (readingEnd, writingEnd) = (ends[0], ends[1])
    }

    /// Closes this process's writing end and returns the lines as they come; to be called once, after the process was started.
    public func lines() -> AsyncStream<String> {
        close(writingEnd)
        let (stream, continuation) = AsyncStream.makeStream(of: String.self)
        Thread.detachNewThread { [readingEnd] in
            var buffer: [UInt8] = []
            while let bytes = Self.read(readingEnd) {
                buffer += bytes
                while let end = buffer.firstIndex(of: UInt8(ascii: "\n")) {
                    continuation.yield(String(decoding: buffer[..<end], as: UTF8.self))
                    buffer.removeSubrange(...end)
                }
            }
            close(readingEnd)
            continuation.finish()
        }
        return stream
    }

    /// Waits for bytes; nil at the end.
    private static func read(_ descriptor: Int32) -> [UInt8]? {
        var bytes = [UInt8](repeating: 0, count: 4096)
        while true {
            let count = unsafe Foundation.read(descriptor, &bytes, bytes.count)
            if count < 0, errno == EINTR { continue }
            return count > 0 ? Array(bytes[..<count]) : nil
        }
    }
}
