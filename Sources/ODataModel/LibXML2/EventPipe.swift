#if canImport(Darwin)
    import Darwin
#else
    import Glibc
#endif

/// Hands chunks from the thread that parses to the one that builds the model, and empty ones back.
///
/// A few chunks go round, so a document of any size takes the same memory. The lock is the system's own: it can be waited on.
@safe
final class EventPipe: @unchecked Sendable {
    private static let chunkCount = 4

    private var full: [EventChunk] = []
    private var empty: [EventChunk] = (0..<EventPipe.chunkCount).map { _ in EventChunk() }
    private var isEnded = false
    private var isStopped = false
    private let lock: UnsafeMutablePointer<pthread_mutex_t>
    private let change: UnsafeMutablePointer<pthread_cond_t>

    init() {
        unsafe lock = .allocate(capacity: 1)
        unsafe change = .allocate(capacity: 1)
        unsafe pthread_mutex_init(lock, nil)
        unsafe pthread_cond_init(change, nil)
    }

    deinit {
        unsafe pthread_cond_destroy(change)
        unsafe pthread_mutex_destroy(lock)
        unsafe change.deallocate()
        unsafe lock.deallocate()
    }

    // MARK: The writer's side

    /// Gives a chunk on and waits for an empty one; nil once the reader wants no more.
    func exchange(_ chunk: EventChunk) -> EventChunk? {
        locked {
            full.append(chunk)
            wake()
            while empty.isEmpty, !isStopped { wait() }
            return isStopped ? nil : empty.popLast()
        }
    }

    /// Takes an empty chunk to begin with.
    func begin() -> EventChunk {
        locked { empty.popLast() } ?? EventChunk()
    }

    /// Gives the last chunk on.
    func end(_ chunk: EventChunk?) {
        locked {
            if let chunk { full.append(chunk) }
            isEnded = true
            wake()
        }
    }

    // MARK: The reader's side

    /// Waits for the next chunk; nil at the end.
    func next() -> EventChunk? {
        locked {
            while full.isEmpty, !isEnded { wait() }
            return full.isEmpty ? nil : full.removeFirst()
        }
    }

    /// Gives a chunk back that has been read.
    func recycle(_ chunk: EventChunk) {
        chunk.removeAll()
        locked {
            empty.append(chunk)
            wake()
        }
    }

    /// Wants no more chunks.
    func stop() {
        locked {
            isStopped = true
            wake()
        }
    }

    // MARK: The lock

    private func locked<Result>(_ body: () -> Result) -> Result {
        unsafe pthread_mutex_lock(lock)
        defer { unsafe pthread_mutex_unlock(lock) }
        return body()
    }

    private func wait() {
        unsafe pthread_cond_wait(change, lock)
    }

    /// At most one thread waits.
    private func wake() {
        unsafe pthread_cond_signal(change)
    }
}
