#if canImport(Darwin)
    import Darwin
#else
    import Glibc
#endif

/// How a process ends at a failed precondition; for exit tests.
package enum Trap {
    /// The signal of the trap: an undefined instruction on Intel, a breakpoint on ARM.
    #if arch(x86_64) || arch(i386)
        package static let signal = SIGILL
    #else
        package static let signal = SIGTRAP
    #endif

    /// Removes the handlers that report a crash, which takes seconds.
    package static func endWithoutReport() {
        for number in [SIGILL, SIGTRAP] { setHandler(number) }
    }

    /// Whether the error output of a process has the message of a precondition; optimized code does not write it.
    package static func isReported(_ message: String, in errorOutput: [UInt8]?) -> Bool {
        guard isDebug, let errorOutput else { return !isDebug }
        return String(decoding: errorOutput, as: UTF8.self).contains(message)
    }

    private static func setHandler(_ number: Int32) {
        #if canImport(Darwin)
            _ = Darwin.signal(number, SIG_DFL)
        #else
            _ = Glibc.signal(number, SIG_DFL)
        #endif
    }

    /// Whether preconditions write their messages.
    private static var isDebug: Bool {
        #if DEBUG
            true
        #else
            false
        #endif
    }
}
