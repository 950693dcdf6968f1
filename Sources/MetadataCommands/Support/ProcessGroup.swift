import Dispatch
import OfflineOData
import Synchronization

#if canImport(Darwin)
    import Darwin
#else
    import Glibc
#endif

/// A child process with what it has started.
final class ProcessGroup: Sendable {
    private let leader: pid_t
    private let isRunning = Mutex(true)

    /// Takes a child that leads a group of its own.
    init(_ leader: pid_t) {
        self.leader = leader
    }

    /// Sends a signal to the group; nothing once its leader has ended, since another process may have its number then.
    func signal(_ number: Int32) {
        isRunning.guarded { isRunning in
            if isRunning { kill(-leader, number) }
        }
    }

    /// Waits for the end of the leader, and returns how it ended as `waitpid` has it.
    func end() async -> Int32 {
        await withCheckedContinuation { continuation in
            DispatchQueue.global().async { [self] in
                var information = unsafe siginfo_t()
                // The number stays taken until the second call.
                while unsafe waitid(P_PID, id_t(leader), &information, WEXITED | WNOWAIT) < 0,
                    errno == EINTR
                {}
                isRunning.guarded { $0 = false }
                var status: Int32 = 0
                while unsafe waitpid(leader, &status, 0) < 0, errno == EINTR {}
                continuation.resume(returning: status)
            }
        }
    }
}
