#if canImport(Darwin)
    import Darwin
#else
    import Glibc
#endif

/// Ends the process.
public enum ProcessEnd: Sendable {
    /// Ends with a status; what is buffered nowhere needs no flushing.
    public static func exit(_ status: ExitStatus) -> Never {
        #if canImport(Darwin)
            Darwin.exit(status.rawValue)
        #else
            Glibc.exit(status.rawValue)
        #endif
    }

    /// Ends at once, from a signal's handler, while other threads still run: nothing is torn down under them.
    static func exitNow(_ status: ExitStatus) -> Never {
        _exit(status.rawValue)
    }
}
