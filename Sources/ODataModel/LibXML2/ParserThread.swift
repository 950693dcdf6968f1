#if canImport(Darwin)
    import Darwin
#else
    import Glibc
#endif

/// A thread of its own for one piece of work that is waited for.
@safe
struct ParserThread {
    /// Whether two threads are faster than one.
    static let isWorthwhile = sysconf(Int32(_SC_NPROCESSORS_ONLN)) > 1

    private let handle: pthread_t

    /// Starts the work; nil where the system has no thread to give.
    init?(_ work: @escaping @Sendable () -> Void) {
        let box = unsafe Unmanaged.passRetained(Work(run: work))
        #if canImport(Darwin)
            var started: pthread_t?
            let result = unsafe pthread_create(&started, nil, runWork, box.toOpaque())
        #else
            var started = pthread_t()
            let result = unsafe pthread_create(
                &started,
                nil,
                { unsafe runWork($0) },
                box.toOpaque()
            )
        #endif
        guard result == 0 else {
            unsafe box.release()
            return nil
        }
        #if canImport(Darwin)
            guard let started = unsafe started else { return nil }
            unsafe handle = unsafe started
        #else
            handle = started
        #endif
    }

    /// Waits for the end of the work.
    func join() {
        #if canImport(Darwin)
            unsafe pthread_join(handle, nil)
        #else
            pthread_join(handle, nil)
        #endif
    }

    fileprivate final class Work: Sendable {
        let run: @Sendable () -> Void

        init(run: @escaping @Sendable () -> Void) {
            self.run = run
        }
    }
}

@unsafe private func runWork(_ box: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
    guard let box = unsafe box else { return nil }
    unsafe Unmanaged<ParserThread.Work>.fromOpaque(box).takeRetainedValue().run()
    return nil
}
