/// How the process ends; scripts rely on these numbers.
public enum ExitStatus: Int32, Sendable {
    /// Done.
    case done = 0
    /// Failed for a reason without a number of its own.
    case failed = 1
    /// Invalid use or invalid input.
    case invalid = 2
    /// The service's model does not fit the store, or two models do not fit each other.
    case incompatibleSchema = 3
    /// The service was not reached or did not answer to the end; calling again goes on.
    case communication = 4
    /// Uploaded, but requests were refused and stand in the error archive.
    case requestsRefused = 5
    /// The entity, request or file that was asked for does not exist.
    case notFound = 6
    /// Another process synchronises the store.
    case inUse = 7
    /// Cancelled by a signal.
    case cancelled = 8
}
