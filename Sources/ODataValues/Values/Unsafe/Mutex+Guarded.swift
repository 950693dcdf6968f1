public import Synchronization

#if canImport(CThreadSanitizer)
    internal import CThreadSanitizer
#endif

extension Mutex where Value: ~Copyable {
    /// Runs a function with the value, as `withLock` does, and is never inlined.
    ///
    /// On Linux the lock asks for the running thread's number. Inlined into an asynchronous function, the optimiser keeps that
    /// number across an `await`, after which another thread may run, and the next lock or unlock stops the program.
    ///
    /// Other modules see the body to make copies of it for their own types: one for all types looks types up at every call.
    @inlinable
    @inline(never)
    public borrowing func guarded<Result: ~Copyable, E: Error>(
        _ body: (inout sending Value) throws(E) -> sending Result
    ) throws(E) -> sending Result {
        // Only the address is used, as the lock's name.
        let address = unsafe withUnsafePointer(to: self) {
            unsafe UnsafeMutableRawPointer(mutating: $0)
        }
        return try withLock { value throws(E) in
            unsafe LockSanitizer.locked(address)
            defer { unsafe LockSanitizer.unlocking(address) }
            return try body(&value)
        }
    }
}

/// Announces locks to the thread sanitizer that it does not recognise by itself, on Linux.
@usableFromInline
enum LockSanitizer {
    @usableFromInline
    @unsafe
    static func locked(_ address: UnsafeMutableRawPointer) {
        #if canImport(CThreadSanitizer)
            unsafe cthreadsanitizer_locked(address)
        #endif
    }

    @usableFromInline
    @unsafe
    static func unlocking(_ address: UnsafeMutableRawPointer) {
        #if canImport(CThreadSanitizer)
            unsafe cthreadsanitizer_unlocking(address)
        #endif
    }
}
