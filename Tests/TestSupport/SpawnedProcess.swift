import Synchronization

#if canImport(Darwin)
    import Darwin
    private typealias FileActions = posix_spawn_file_actions_t?
#else
    import Glibc
    private typealias FileActions = posix_spawn_file_actions_t
#endif

/// A process with its streams in files or descriptors, whose end can be awaited; many may be started at once.
public final class SpawnedProcess: Sendable {
    /// Where a stream of the process leads.
    public enum Stream: Sendable {
        /// A file, made anew for output.
        case file(String)
        /// An open descriptor of this process.
        case descriptor(Int32)

        /// Nowhere.
        public static let null = Stream.file("/dev/null")
    }

    /// Why a process could not be started.
    public struct Failure: Error {
        /// The number of the system's error.
        public let number: Int32
    }

    /// What the system calls the process.
    public var id: Int32 { number }

    private let number: pid_t
    private let isReaped = Atomic<Bool>(false)

    /// Starts a program.
    public init(
        _ path: String,
        _ arguments: [String],
        in directory: String? = nil,
        input: Stream = .null,
        output: Stream = .null,
        errors: Stream = .null
    ) throws {
        var actions = unsafe FileActions()
        unsafe posix_spawn_file_actions_init(&actions)
        defer { unsafe posix_spawn_file_actions_destroy(&actions) }
        unsafe Self.add(input, 0, O_RDONLY, &actions)
        unsafe Self.add(output, 1, O_WRONLY | O_CREAT | O_TRUNC, &actions)
        unsafe Self.add(errors, 2, O_WRONLY | O_CREAT | O_TRUNC, &actions)
        // The shell changes the directory: the function that would do it is not everywhere.
        let moved = directory.map {
            ["sh", "-c", "cd \"$1\" && shift && exec \"$@\"", "sh", $0, path]
        }
        let program = moved == nil ? path : "/bin/sh"
        var words = unsafe ((moved ?? [path]) + arguments).map { unsafe strdup($0) } + [nil]
        defer { unsafe words.forEach { unsafe free($0) } }
        var child: pid_t = 0
        let result = unsafe posix_spawn(&child, program, &actions, nil, &words, environ)
        guard result == 0 else { throw Failure(number: result) }
        number = child
    }

    @unsafe private static func add(
        _ stream: Stream,
        _ target: Int32,
        _ flags: Int32,
        _ actions: inout FileActions
    ) {
        switch stream {
        case .file(let path):
            unsafe posix_spawn_file_actions_addopen(&actions, target, path, flags, 0o600)
        case .descriptor(let descriptor):
            unsafe posix_spawn_file_actions_adddup2(&actions, descriptor, target)
        }
    }

    deinit {
        guard !isReaped.load(ordering: .relaxed) else { return }
        kill(number, SIGKILL)
        var status: Int32 = 0
        unsafe waitpid(number, &status, 0)
    }

    /// Sends a signal.
    public func send(_ signal: Int32) {
        kill(number, signal)
    }

    /// Waits for the end, once, and returns the exit status; 128 and the signal's number where one ended it.
    public func status() async throws -> Int32 {
        try await onThread { [self] in
            var status: Int32 = 0
            unsafe waitpid(number, &status, 0)
            isReaped.store(true, ordering: .relaxed)
            return status & 0x7F == 0 ? (status >> 8) & 0xFF : 128 + (status & 0x7F)
        }
    }
}
