#if canImport(Darwin)
    import Darwin
#else
    import Glibc
#endif

/// The standard streams of the process.
public enum StandardStreams: Sendable {
    /// Gives those that are closed a file that can be used for nothing: else the next file that is opened would be one of them, and what
    /// is said would be written into it.
    public static func keepPlaces() {
        for descriptor in STDIN_FILENO...STDERR_FILENO where fcntl(descriptor, F_GETFD) < 0 {
            // The lowest number that is free is this one.
            _ = unsafe open("/dev/null", descriptor == STDIN_FILENO ? O_WRONLY : O_RDONLY)
        }
    }
}
