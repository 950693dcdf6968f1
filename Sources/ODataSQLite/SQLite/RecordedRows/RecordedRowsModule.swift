#if SQLCipher
    import CSQLCipher
#else
    import CSQLite
#endif

/// The virtual table from which SQLite reads the rows of a ``RowRun``: `INSERT … SELECT` from it skips binding and stepping row by row.
///
/// It has no state of its own and no entry in the schema of any file; each statement has a table of its own, named by
/// ``name(of:)``.
enum RecordedRowsModule {
    /// What SQLite has of a table; the library's own part comes first.
    @unsafe private struct Table {
        var base = unsafe sqlite3_vtab()
        let run: UnsafeMutablePointer<RowRun>
    }

    /// What SQLite has of a cursor; the library's own part comes first.
    @unsafe private struct Cursor {
        var base = unsafe sqlite3_vtab_cursor()
        let run: UnsafeMutablePointer<RowRun>
    }

    /// Makes the table of a run.
    @unsafe static func register(
        _ run: UnsafeMutablePointer<RowRun>,
        on database: OpaquePointer
    ) -> Int32 {
        unsafe sqlite3_create_module_v2(database, name(of: run), module, run, nil)
    }

    /// Removes the table of a run; SQLite lets go of it when the last statement over it ends.
    @unsafe static func remove(
        _ run: UnsafeMutablePointer<RowRun>,
        from database: OpaquePointer
    ) {
        _ = unsafe sqlite3_create_module_v2(database, name(of: run), nil, nil, nil)
    }

    /// The name of a run's table, unlike that of any other.
    @unsafe static func name(of run: UnsafeMutablePointer<RowRun>) -> String {
        "odata_rows_" + String(UInt(bitPattern: run), radix: 16)
    }

    /// Names of the columns, in order.
    static func columns(_ count: Int) -> String {
        (0..<count).map { "c\($0)" }.joined(separator: ", ")
    }

    // MARK: What SQLite calls

    /// Lives as long as the program: connections refer to it.
    private nonisolated(unsafe) static let module: UnsafePointer<sqlite3_module> = {
        var module = sqlite3_module()
        // Without xCreate a table exists by its name alone and is never declared.
        unsafe module.xConnect = { database, auxiliary, _, _, table, _ in
            unsafe connect(database, auxiliary, table)
        }
        unsafe module.xBestIndex = { _, _ in SQLITE_OK }
        unsafe module.xDisconnect = { table in
            unsafe free(table)
            return SQLITE_OK
        }
        unsafe module.xOpen = { table, cursor in unsafe open(table, cursor) }
        unsafe module.xClose = { cursor in
            unsafe free(cursor)
            return SQLITE_OK
        }
        unsafe module.xFilter = { cursor, _, _, _, _ in unsafe advance(cursor) }
        unsafe module.xNext = { cursor in unsafe advance(cursor) }
        unsafe module.xEof = { cursor in
            guard let run = unsafe run(of: cursor) else { return 1 }
            return unsafe run.pointee.isAtEnd ? 1 : 0
        }
        unsafe module.xColumn = { cursor, context, column in
            guard let run = unsafe run(of: cursor) else { return SQLITE_ERROR }
            unsafe answer(run.pointee.cell(Int(column)), context)
            return SQLITE_OK
        }
        unsafe module.xRowid = { _, id in
            unsafe id?.pointee = 0
            return SQLITE_OK
        }
        let place = UnsafeMutablePointer<sqlite3_module>.allocate(capacity: 1)
        unsafe place.initialize(to: module)
        return unsafe UnsafePointer(place)
    }()

    private static func connect(
        _ database: OpaquePointer?,
        _ auxiliary: UnsafeMutableRawPointer?,
        _ table: UnsafeMutablePointer<UnsafeMutablePointer<sqlite3_vtab>?>?
    ) -> Int32 {
        guard let auxiliary = unsafe auxiliary else { return SQLITE_ERROR }
        let run = unsafe auxiliary.assumingMemoryBound(to: RowRun.self)
        let columns = unsafe columns(run.pointee.columnCount)
        let code = unsafe sqlite3_declare_vtab(database, "CREATE TABLE rows(\(columns))")
        guard code == SQLITE_OK else { return code }
        let place = UnsafeMutablePointer<Table>.allocate(capacity: 1)
        unsafe place.initialize(to: Table(run: run))
        unsafe table?.pointee = unsafe UnsafeMutableRawPointer(place)
            .assumingMemoryBound(to: sqlite3_vtab.self)
        return SQLITE_OK
    }

    private static func open(
        _ table: UnsafeMutablePointer<sqlite3_vtab>?,
        _ cursor: UnsafeMutablePointer<UnsafeMutablePointer<sqlite3_vtab_cursor>?>?
    ) -> Int32 {
        guard let table = unsafe table else { return SQLITE_ERROR }
        let own = unsafe UnsafeMutableRawPointer(table).assumingMemoryBound(to: Table.self)
        let place = UnsafeMutablePointer<Cursor>.allocate(capacity: 1)
        unsafe place.initialize(to: Cursor(run: own.pointee.run))
        unsafe cursor?.pointee = unsafe UnsafeMutableRawPointer(place)
            .assumingMemoryBound(to: sqlite3_vtab_cursor.self)
        return SQLITE_OK
    }

    private static func advance(_ cursor: UnsafeMutablePointer<sqlite3_vtab_cursor>?) -> Int32 {
        guard let run = unsafe run(of: cursor) else { return SQLITE_ERROR }
        unsafe run.pointee.advance()
        return SQLITE_OK
    }

    @inline(__always)
    private static func run(
        of cursor: UnsafeMutablePointer<sqlite3_vtab_cursor>?
    ) -> UnsafeMutablePointer<RowRun>? {
        guard let cursor = unsafe cursor else { return nil }
        return unsafe UnsafeMutableRawPointer(cursor).assumingMemoryBound(to: Cursor.self)
            .pointee.run
    }

    /// Hands a value over; its bytes stay where they are until the statement is done.
    @inline(__always)
    private static func answer(_ cell: RowCell, _ context: OpaquePointer?) {
        switch cell.kind {
        case .null: break
        case .integer: unsafe sqlite3_result_int64(context, Int64(bitPattern: cell.word))
        case .real: unsafe sqlite3_result_double(context, Double(bitPattern: cell.word))
        case .text:
            let start = unsafe UnsafePointer<CChar>(bitPattern: UInt(cell.word))
            unsafe sqlite3_result_text64(
                context,
                start,
                UInt64(cell.length),
                nil,
                UInt8(SQLITE_UTF8)
            )
        case .blob:
            let start = unsafe UnsafeRawPointer(bitPattern: UInt(cell.word))
            unsafe sqlite3_result_blob64(context, start, UInt64(cell.length), nil)
        }
    }

    private static func free(_ table: UnsafeMutablePointer<sqlite3_vtab>?) {
        guard let table = unsafe table else { return }
        unsafe UnsafeMutableRawPointer(table).assumingMemoryBound(to: Table.self).deallocate()
    }

    private static func free(_ cursor: UnsafeMutablePointer<sqlite3_vtab_cursor>?) {
        guard let cursor = unsafe cursor else { return }
        unsafe UnsafeMutableRawPointer(cursor).assumingMemoryBound(to: Cursor.self).deallocate()
    }
}
