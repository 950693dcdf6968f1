#if canImport(Darwin)
    import Darwin
#else
    import Glibc
#endif

/// The path of a database file that goes when the object goes.
final class TemporaryFile: Sendable {
    let path: String

    /// Chooses a path that nobody else uses: 128 random bits in the folder for temporary files.
    init() {
        let folder = unsafe getenv("TMPDIR").map { unsafe String(cString: $0) } ?? "/tmp"
        var name = "offline-odata-"
        for _ in 0..<2 { name += String(UInt64.random(in: .min ... .max), radix: 16) }
        path = folder + "/" + name + ".sqlite"
    }

    deinit {
        for suffix in ["", "-wal", "-shm", "-journal"] { _ = unsafe unlink(path + suffix) }
    }
}
