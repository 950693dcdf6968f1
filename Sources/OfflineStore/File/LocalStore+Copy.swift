import StoreRecords
import ODataSQLite
import ODataValues

#if canImport(Darwin)
    import Darwin
#else
    import Glibc
#endif

extension LocalStore {
    /// Writes a copy of the store's current state, write-ahead log included, to a new file that only its owner can read.
    ///
    /// Readers and writers of the store go on meanwhile.
    package func copy(to path: String) async throws {
        try await file.copy(to: path)
    }
}

extension StoreFile {
    fileprivate func copy(to path: String) async throws {
        // SQLite accepts an empty file; one that it created itself would have the permissions of the umask.
        let descriptor = unsafe open(path, O_CREAT | O_EXCL | O_RDWR | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else {
            throw StoreError(
                .cannotOpen,
                "cannot create \(path): \(unsafe String(cString: strerror(errno)))"
            )
        }
        close(descriptor)
        try await readOutsideTransaction { try $0.run("VACUUM INTO ?", [.text(path)]) }
    }
}
