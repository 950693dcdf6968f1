#if SQLCipher
    import CSQLCipher
#else
    import CSQLite
#endif

// Opening encrypted files: a wrong key must change nothing in them.

extension SQLiteConnection {
    /// Compares the beginning of the file with the key, before SQLite reads it.
    ///
    /// What a process that was killed has left beside an encrypted file is lost to a connection without its key: SQLite takes the
    /// journal for a damaged one and removes it.
    func checkHead(_ key: EncryptionKey?) throws {
        switch unsafe (try FileHead.read(database), key) {
        case (.encrypted, nil): throw EncryptionMismatch.keyMissing
        case (.plain, _?): throw EncryptionMismatch.notEncrypted
        default: break
        }
    }

    /// What is read to see whether a key is the file's.
    enum KeyTrial: String {
        case wholeSchema = "SELECT count(*) FROM sqlite_schema"
        /// A number of the first page.
        case head = "PRAGMA schema_version"
    }

    /// Tries a key on a copy where a process that was killed has left a journal: whoever opens the file brings back what stands in it,
    /// with a wrong key wrongly.
    func tryOnCopy(_ key: EncryptionKey, of path: String) throws {
        guard HotJournal.stands(beside: path), try !isBeingWritten() else { return }
        let head = unsafe try FileHead.bytes(database, count: HotJournal.headCount)
        let copy = try HotJournal.copy(of: path, head)
        defer { HotJournal.removeCopy(copy) }
        do {
            _ = try SQLiteConnection(copy, mode: .readWrite, key: key, trial: .head)
        } catch EncryptionMismatch.wrongKey {
            // Another connection may have restored it meanwhile: then the file itself shows which key it has.
            guard !HotJournal.stands(beside: path) else { throw EncryptionMismatch.wrongKey }
        }
    }

    private func isBeingWritten() throws -> Bool {
        var isWritten: Int32 = 0
        try check(unsafe csqlite_is_being_written(database, &isWritten))
        return isWritten != 0
    }

    /// Gives the cipher the key, and reads with it.
    func unlock(_ key: EncryptionKey, cipher: SQLiteCipher, trial: KeyTrial) throws {
        // Where the key is wrong, closing the connection must not bring the log into the file.
        _ = unsafe csqlite_db_config(database, SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, 1)
        let code = key.statement(cipher).withBytes { bytes in
            unsafe bytes.withUnsafeBytes {
                let sql = unsafe $0.bindMemory(to: CChar.self).baseAddress
                return unsafe sqlite3_exec(database, sql, nil, nil, nil)
            }
        }
        // Without its text: that is the key.
        try check(code)
        do {
            // What SQLite moves out of memory would be in plain text.
            try perform("PRAGMA temp_store = MEMORY; " + trial.rawValue)
        } catch let error as SQLiteError {
            guard error.isNotADatabase else { throw error }
            throw EncryptionMismatch.wrongKey
        }
        _ = unsafe csqlite_db_config(database, SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, 0)
    }

    /// Attaches another file under a name.
    ///
    /// - Parameter key: The key of that file; nil where it is not encrypted, whatever this connection's own file is.
    package func attach(_ path: String, as name: String, key: EncryptionKey?) throws {
        let statement = try prepare("ATTACH ?1 AS \(name.sqlQuoted) KEY ?2")
        try statement.bind(path, at: 1)
        guard let key else {
            try statement.bind("", at: 2)
            return try statement.run()
        }
        guard let cipher = SQLiteCipher.present else { throw EncryptionMismatch.noCipher }
        try key.attached(cipher).withBytes { bytes in
            try statement.bind(blob: bytes, at: 2)
        }
        try statement.run()
    }
}
