import Dispatch
public import OfflineOData

#if canImport(Darwin)
    import Darwin
    private typealias Attributes = posix_spawnattr_t?
    private typealias FileActions = posix_spawn_file_actions_t?
#else
    import Glibc
    private typealias Attributes = posix_spawnattr_t
    private typealias FileActions = posix_spawn_file_actions_t
#endif

/// A program that a job has run for a store.
public enum HookProcess: Sendable {
    /// How long a program has to end by itself.
    private static let patience = DispatchTimeInterval.seconds(10)

    /// Runs the program to its end; what it writes goes to standard error, so that answers stay alone on standard output.
    ///
    /// Where the task is cancelled, the program and what it has started are asked to end (SIGTERM), and after ten seconds made to
    /// (SIGKILL). One that ends with 0 all the same has done its work.
    ///
    /// - Throws: `OfflineODataError` where it cannot be started or does not end with 0; `CancellationError`, after it was ended.
    public static func run(_ hook: OfflineODataJobHook) async throws {
        let name = hook.words[0]
        let child = ProcessGroup(try start(hook))
        let status = await withTaskCancellationHandler {
            await child.end()
        } onCancel: {
            child.signal(SIGTERM)
            DispatchQueue.global().asyncAfter(deadline: .now() + patience) { child.signal(SIGKILL) }
        }
        if status == 0 { return }
        try Task.checkCancellation()
        guard status & 0x7F == 0 else {
            throw failure("the hook \(name) was ended by signal \(status & 0x7F)")
        }
        let code = (status >> 8) & 0xFF
        guard code == 0 else { throw failure("the hook \(name) ended with status \(code)") }
    }

    private static func failure(_ message: String) -> OfflineODataError {
        OfflineODataError(.preconditionFailed, message)
    }

    private static func start(_ hook: OfflineODataJobHook) throws -> pid_t {
        var actions = unsafe FileActions()
        unsafe posix_spawn_file_actions_init(&actions)
        defer { unsafe posix_spawn_file_actions_destroy(&actions) }
        unsafe posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0)
        unsafe posix_spawn_file_actions_adddup2(&actions, STDERR_FILENO, STDOUT_FILENO)
        var attributes = Attributes()
        unsafe posix_spawnattr_init(&attributes)
        defer { unsafe posix_spawnattr_destroy(&attributes) }
        unsafe setOwnGroup(&attributes)
        var words = unsafe hook.words.map { unsafe strdup($0) } + [nil]
        var variables = unsafe environment(hook).map { unsafe strdup($0) } + [nil]
        defer { unsafe (words + variables).forEach { unsafe free($0) } }
        var child: pid_t = 0
        let result = unsafe posix_spawnp(
            &child,
            hook.words[0],
            &actions,
            &attributes,
            &words,
            &variables
        )
        guard result == 0 else {
            let reason = unsafe String(cString: strerror(result)).lowercased()
            throw failure("the hook \(hook.words[0]) cannot be started: \(reason)")
        }
        return child
    }

    /// A group of its own, so that what the program starts ends with it; and the signals as every program expects them: this process
    /// ignores those that it watches by other means, and the threads of tasks block them.
    @unsafe private static func setOwnGroup(_ attributes: inout Attributes) {
        var signals = sigset_t()
        unsafe sigemptyset(&signals)
        unsafe posix_spawnattr_setsigmask(&attributes, &signals)
        for number in [SIGINT, SIGTERM, SIGPIPE] { unsafe sigaddset(&signals, number) }
        unsafe posix_spawnattr_setsigdefault(&attributes, &signals)
        unsafe posix_spawnattr_setpgroup(&attributes, 0)
        let flags = POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETPGROUP
        unsafe posix_spawnattr_setflags(&attributes, Int16(flags))
    }

    private static func environment(_ hook: OfflineODataJobHook) -> [String] {
        let added = hook.environment.map { "\($0.key)=\($0.value)" }
        var inherited: [String] = []
        var next = unsafe environ
        while let entry = unsafe next.pointee {
            inherited.append(unsafe String(cString: entry))
            unsafe next += 1
        }
        return inherited.filter { !$0.hasPrefix("OFFLINE_ODATA_") } + added
    }
}
