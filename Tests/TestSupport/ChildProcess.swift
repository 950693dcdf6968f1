import Synchronization

#if canImport(Darwin)
    import Darwin
    private typealias FileActions = posix_spawn_file_actions_t?
#else
    import Glibc
    private typealias FileActions = posix_spawn_file_actions_t
#endif

/// A process that a test starts and that ends with its owner; its functions block.
public final class ChildProcess: Sendable {
    /// Why a process could not be started.
    public struct Failure: Error {
        /// The number of the system's error.
        public let number: Int32
    }

    private let number: pid_t
    private let output: Int32
    /// Once it is, the number may belong to another process.
    private let isReaped = Atomic<Bool>(false)

    /// Starts a program; what it says on standard output can be read, all else goes nowhere.
    public init(_ path: String, _ arguments: [String]) throws {
        var ends: [Int32] = [-1, -1]
        guard unsafe pipe(&ends) == 0 else { throw Failure(number: errno) }
        output = ends[0]
        // Another child must not hold the pipe open.
        _ = fcntl(ends[0], F_SETFD, FD_CLOEXEC)
        _ = fcntl(ends[1], F_SETFD, FD_CLOEXEC)
        var actions = unsafe FileActions()
        unsafe posix_spawn_file_actions_init(&actions)
        unsafe posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0)
        unsafe posix_spawn_file_actions_adddup2(&actions, ends[1], 1)
        unsafe posix_spawn_file_actions_addopen(&actions, 2, "/dev/null", O_WRONLY, 0)
        var words = unsafe ([path] + arguments).map { unsafe strdup($0) } + [nil]
        var child: pid_t = 0
        let result = unsafe posix_spawn(&child, path, &actions, nil, &words, environ)
        unsafe words.forEach { unsafe free($0) }
        unsafe posix_spawn_file_actions_destroy(&actions)
        close(ends[1])
        guard result == 0 else {
            close(ends[0])
            throw Failure(number: result)
        }
        number = child
    }

    deinit {
        if !isReaped.load(ordering: .relaxed) {
            kill(number, SIGKILL)
            _ = waitForEnd()
        }
        close(output)
    }

    /// Returns what comes next on standard output, nil at its end.
    public func readOutput() -> String? {
        var bytes = [UInt8](repeating: 0, count: 4096)
        let count = unsafe read(output, &bytes, bytes.count)
        return count > 0 ? String(decoding: bytes[..<count], as: UTF8.self) : nil
    }

    /// Waits for the end, once, and returns the raw status, 0 for success.
    public func waitForEnd() -> Int32 {
        var status: Int32 = 0
        unsafe waitpid(number, &status, 0)
        isReaped.store(true, ordering: .relaxed)
        return status
    }
}
