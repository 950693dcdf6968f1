#if SQLCipher
    import CSQLCipher
#else
    import CSQLite
#endif

extension SQLiteConnection {
    /// The pages kept while a blob is read: SQLite takes room for as many when it reads the first page of a file.
    private static let fewPages = "20"
    /// What SQLite keeps by default, as the engine leaves it: negative numbers are KiB.
    private static let usualPages = "-2000"

    /// Returns a blob of a table that has row ids; nil where the row or the blob is missing.
    ///
    /// For large values that are read once: it is read straight into its array, and few of its pages are kept. A statement would read
    /// all into the page cache, put them together beside it, and have the whole copied from there.
    package func blob(_ column: String, of table: String, row: Int64) throws -> [UInt8]? {
        try perform("PRAGMA cache_size = \(Self.fewPages)")
        let blob = Result { try readBlob(column, of: table, row: row) }
        try perform("PRAGMA cache_size = \(Self.usualPages)")
        return try blob.get()
    }

    private func readBlob(_ column: String, of table: String, row: Int64) throws -> [UInt8]? {
        var handle: OpaquePointer?
        let opened = unsafe sqlite3_blob_open(database, "main", table, column, row, 0, &handle)
        defer { _ = unsafe sqlite3_blob_close(handle) }
        // What SQLite says where there is no such row, or no blob in it.
        if opened == SQLITE_ERROR { return nil }
        try check(opened)
        let count = Int(unsafe sqlite3_blob_bytes(handle))
        return try unsafe [UInt8](unsafeUninitializedCapacity: count) { buffer, initialized in
            try check(unsafe sqlite3_blob_read(handle, buffer.baseAddress, Int32(count), 0))
            initialized = count
        }
    }
}
