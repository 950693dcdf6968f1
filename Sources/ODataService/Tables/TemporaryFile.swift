import ODataAnswers

#if canImport(Darwin)
    import Darwin
#else
    import Glibc
#endif

/// The path of a database file that goes when it is open, or at the latest when the object goes.
final class TemporaryFile: Sendable {
    let path: String

    /// Chooses a unique path: 128 random bits in the folder for temporary files.
    init() {
        let folder = unsafe getenv("TMPDIR").map { unsafe String(cString: $0) } ?? "/tmp"
        var name = "offline-odata-"
        for _ in 0..<2 { name += String(UInt64.random(in: .min ... .max), radix: 16) }
        path = folder + "/" + name + ".sqlite"
    }

    deinit { remove() }

    /// Removes the names: what is open stays until it is closed, also by the end of the process.
    func remove() {
        for suffix in ["", "-wal", "-shm", "-journal"] { _ = unsafe unlink(path + suffix) }
    }

    /// Makes the file before SQLite does, so that no other user can ever read it; an existing file stays unchanged.
    static func make(_ path: String) {
        let descriptor = unsafe open(path, O_CREAT | O_EXCL | O_RDWR | O_CLOEXEC, 0o600)
        if descriptor >= 0 { close(descriptor) }
    }
}
