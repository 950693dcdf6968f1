package import ODataSQLite

#if canImport(Darwin)
    import Darwin
#else
    import Glibc
#endif

/// Gives a store another key, encrypts a plain one, or makes a plain one of it.
///
/// The store is copied to a file of its own with the new key, which then takes the name of the store: whenever the process ends, one of
/// both is whole. The ciphers' own ways differ, and not each of them encrypts a plain file.
package struct StoreRekeying {
    private let path: String
    private let old: EncryptionKey?
    private let new: EncryptionKey?

    /// - Parameters:
    ///   - path: Path of the store's file.
    ///   - old: Its present key; nil where it is not encrypted.
    ///   - new: Its key from now on; nil to have it in plain text.
    package init(_ path: String, from old: EncryptionKey?, to new: EncryptionKey?) {
        (self.path, self.old, self.new) = (StoreFile.named(path), old, new)
    }

    /// What stands behind the store's name for the copy.
    package static let mark = "-rekey"
    /// What stands behind the store's name for the file in which SQLite names the journals of both files.
    package static let journalsMark = mark + "-mj"

    /// Does it, while the calling thread waits.
    ///
    /// - Throws: ``StoreError`` where the file is no store, the old key is not its key, or another connection has it open.
    package func run() throws {
        guard SQLiteCipher.present != nil else {
            throw StoreError(EncryptionMismatch.noCipher, of: path)
        }
        do {
            try checkStore()
            try replace()
        } catch let error as EncryptionMismatch {
            throw StoreError(error, of: path)
        } catch let error as SQLiteError where error.isBusy {
            throw StoreError(
                .inUse,
                "\(path) is open in another place; close it there to change its key"
            )
        } catch let error as SQLiteError where error.isNotADatabase {
            throw StoreError(.notAStore, "\(path) is no SQLite database, or a damaged one")
        }
    }

    private func checkStore() throws {
        guard unsafe access(path, F_OK) == 0 else {
            throw StoreError(.noStore, "there is no store at \(path)")
        }
        let connection = try SQLiteConnection(path: path, mode: .readWrite, key: old)
        guard try connection.integer("PRAGMA application_id") == StoreFile.applicationID else {
            throw StoreError(.notAStore, "\(path) is no offline store")
        }
        let version = try connection.integer("PRAGMA user_version") ?? 0
        guard version <= StoreMigration.version else {
            throw StoreError(.notAStore, "\(path) was made by a newer version of this engine")
        }
        try goAlone(connection, named: "main")
    }

    /// Brings the log into the file and does without one, which SQLite allows only where no other connection is open.
    private func goAlone(_ connection: SQLiteConnection, named name: String) throws {
        try connection.execute("PRAGMA busy_timeout = 0")
        try connection.execute("PRAGMA \(name).journal_mode = DELETE")
        guard try connection.text("PRAGMA \(name).journal_mode") == "delete" else {
            throw SQLiteError(extendedCode: 5, message: "the file is open")
        }
    }

    private func replace() throws {
        let copy = path + Self.mark
        Self.removeLeftovers(besides: path)
        let descriptor = try makeFile(copy)
        defer { close(descriptor) }
        do {
            let connection = try SQLiteConnection(path: copy, mode: .readWrite, key: new)
            try connection.attach(path, as: "old", key: old)
            try connection.execute("PRAGMA busy_timeout = 0")
            // Held until the connection closes, so that the old file does not change after it was read.
            try connection.execute("PRAGMA old.locking_mode = EXCLUSIVE")
            try DatabaseCopy(connection, from: "old").run()
            // A first load keeps its journal, which holds pages of the old file and is never played back again.
            _ = unsafe unlink(path + "-journal")
            guard unsafe rename(copy, path) == 0 else { throw failure("cannot replace") }
            try withExtendedLifetime(connection) { try syncDirectory() }
        } catch {
            Self.remove(copy)
            throw error
        }
        removeOldFiles()
    }

    /// Removes a copy that a killed process has left; one that is being made is held by its process.
    ///
    /// A copy in plain text of an encrypted store would otherwise stay until the next change of the key.
    static func removeLeftovers(besides path: String) {
        let copy = path + mark
        let descriptor = unsafe open(copy, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { return }
        defer { close(descriptor) }
        guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 else { return }
        remove(copy)
        for file in BesideFiles.all(of: path, marks: [journalsMark]) { _ = unsafe unlink(file) }
    }

    /// Makes the file with the permissions of the store's, before SQLite would do it with others, and holds it.
    private func makeFile(_ copy: String) throws -> CInt {
        var status = stat()
        guard unsafe stat(path, &status) == 0 else { throw failure("cannot read") }
        let descriptor = unsafe open(copy, O_CREAT | O_EXCL | O_RDWR | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw failure("cannot make a copy beside") }
        guard fchmod(descriptor, status.st_mode & 0o777) == 0,
            flock(descriptor, LOCK_EX | LOCK_NB) == 0
        else {
            defer { close(descriptor) }
            throw failure("cannot make a copy beside")
        }
        return descriptor
    }

    /// Makes the new name last: until then a loss of power may bring the old file back.
    private func syncDirectory() throws {
        let slash = path.lastIndex(of: "/")
        let directory = slash.map { $0 == path.startIndex ? "/" : String(path[..<$0]) } ?? "."
        let descriptor = unsafe open(directory, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { return }
        fsync(descriptor)
        close(descriptor)
    }

    /// Removes what was made beside the store with the old key, or without one: nothing of it can be used any more.
    private func removeOldFiles() {
        StagingFile.delete(besides: path)
        // The bodies of background uploads are in plain text; without them the service is asked for what became of the requests.
        let bodies = new == nil ? [] : ["-upload-"]
        let marks = ["-fetch", "-check-", "-copy-", Self.journalsMark]
        for file in BesideFiles.all(of: path, marks: marks + bodies) {
            _ = unsafe unlink(file)
        }
    }

    private static func remove(_ copy: String) {
        for suffix in ["", "-journal", "-wal", "-shm"] { _ = unsafe unlink(copy + suffix) }
    }

    private func failure(_ what: String) -> StoreError {
        StoreError(
            .cannotOpen,
            "\(what) \(path): \(unsafe String(cString: strerror(errno)).lowercased())"
        )
    }
}
