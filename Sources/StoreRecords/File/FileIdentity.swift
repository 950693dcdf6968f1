#if canImport(Darwin)
    import Darwin
#else
    import Glibc
#endif

/// A file, whatever path leads to it.
package struct FileIdentity: Hashable, Sendable {
    private let device: UInt64
    private let number: UInt64

    /// Identifies the file at a path; nil where there is none.
    package init?(_ path: String) {
        var status = stat()
        guard unsafe stat(path, &status) == 0 else { return nil }
        (device, number) = (UInt64(status.st_dev), UInt64(status.st_ino))
    }
}
