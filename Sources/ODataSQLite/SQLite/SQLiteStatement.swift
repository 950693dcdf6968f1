#if SQLCipher
    public import CSQLCipher
#else
    public import CSQLite
#endif
public import ODataValues

/// A compiled statement: bind, step, read columns.
///
/// Parameters are 1-based, columns 0-based, as in SQLite.
@safe
public final class SQLiteStatement {
    /// The text it was compiled from.
    public let sql: String
    /// The library's own; good for as long as this object lives.
    @usableFromInline package let handle: OpaquePointer
    private let database: OpaquePointer

    @unsafe init(_ handle: OpaquePointer, of database: OpaquePointer, sql: String) {
        unsafe self.handle = unsafe handle
        unsafe self.database = unsafe database
        self.sql = sql
    }

    deinit {
        _ = unsafe sqlite3_finalize(handle)
    }

    /// Whether it has been stepped and neither ended nor reset.
    package var isBusy: Bool { unsafe sqlite3_stmt_busy(handle) != 0 }

    /// Operations of SQLite's machine that it has run so far.
    package var operationCount: Int {
        Int(unsafe sqlite3_stmt_status(handle, SQLITE_STMTSTATUS_VM_STEP, 0))
    }

    /// Steps to the next row.
    ///
    /// - Returns: Whether there is a row.
    /// - Throws: ``SQLiteError`` when the statement fails.
    public func step() throws -> Bool {
        switch unsafe sqlite3_step(handle) {
        case SQLITE_ROW: return true
        case SQLITE_DONE: return false
        case let code:
            let error = unsafe SQLiteError.last(of: database, code: code, sql: sql)
            _ = unsafe sqlite3_reset(handle)
            throw error
        }
    }

    /// Steps to the end and makes the statement ready for other values.
    public func run() throws {
        while try step() {}
        _ = unsafe sqlite3_reset(handle)
    }

    /// Returns what a function makes of the first row for these values; nil where there is none.
    func firstRow<R>(_ values: [Scalar], _ body: (SQLiteStatement) throws -> R) throws -> R? {
        try bind(values)
        defer { reset() }
        return try step() ? try body(self) : nil
    }

    /// Ends a running query and forgets the values.
    public func reset() {
        _ = unsafe sqlite3_reset(handle)
        _ = unsafe sqlite3_clear_bindings(handle)
    }

    /// Forgets the values: a parameter without a new one is null.
    public func clearBindings() {
        _ = unsafe sqlite3_clear_bindings(handle)
    }

    /// Number of parameters.
    public var parameterCount: Int { Int(unsafe sqlite3_bind_parameter_count(handle)) }

    /// Number of columns.
    public var columnCount: Int { Int(unsafe sqlite3_column_count(handle)) }
}

// MARK: - Parameters

extension SQLiteStatement {
    /// Binds values to the parameters from the first on.
    public func bind(_ values: [Scalar]) throws {
        for (index, value) in values.enumerated() { try bind(value, at: index + 1) }
    }

    /// Binds a value.
    public func bind(_ value: Scalar, at index: Int) throws {
        switch value {
        case .null: try bindNull(at: index)
        case .integer(let number): try bind(number, at: index)
        case .real(let number): try bind(number, at: index)
        case .text(let text): try bind(text, at: index)
        case .blob(let bytes): try bind(blob: bytes.span, at: index)
        }
    }

    /// Binds null.
    public func bindNull(at index: Int) throws {
        try check(unsafe sqlite3_bind_null(handle, Int32(index)))
    }

    /// Binds an integer.
    public func bind(_ value: Int64, at index: Int) throws {
        try check(unsafe sqlite3_bind_int64(handle, Int32(index), value))
    }

    /// Binds a floating-point number; SQLite makes NaN null.
    public func bind(_ value: Double, at index: Int) throws {
        try check(unsafe sqlite3_bind_double(handle, Int32(index), value))
    }

    /// Binds text, copied.
    public func bind(_ value: String, at index: Int) throws {
        var value = value
        try check(value.withUTF8 { unsafe bindText(UnsafeRawBufferPointer($0), at: index) })
    }

    /// Binds UTF-8 text, copied.
    public func bind(text value: Span<UInt8>, at index: Int) throws {
        try check(unsafe value.withUnsafeBytes { unsafe bindText($0, at: index) })
    }

    /// Binds UTF-8 text; an empty buffer may have no address, which SQLite would take for null.
    private func bindText(_ bytes: UnsafeRawBufferPointer, at index: Int) -> Int32 {
        guard let start = bytes.baseAddress else {
            return unsafe sqlite3_bind_text64(
                handle,
                Int32(index),
                "",
                0,
                csqlite_transient(),
                UInt8(SQLITE_UTF8)
            )
        }
        return unsafe sqlite3_bind_text64(
            handle,
            Int32(index),
            start.assumingMemoryBound(to: CChar.self),
            UInt64(bytes.count),
            csqlite_transient(),
            UInt8(SQLITE_UTF8)
        )
    }

    /// Binds bytes, copied.
    public func bind(blob value: Span<UInt8>, at index: Int) throws {
        let code = unsafe value.withUnsafeBytes { bytes in
            if let base = bytes.baseAddress, unsafe !bytes.isEmpty {
                unsafe sqlite3_bind_blob64(
                    handle,
                    Int32(index),
                    base,
                    UInt64(bytes.count),
                    csqlite_transient()
                )
            } else {
                unsafe sqlite3_bind_zeroblob(handle, Int32(index), 0)
            }
        }
        try check(code)
    }

    package func check(_ code: Int32) throws {
        guard code == SQLITE_OK else {
            throw unsafe SQLiteError.last(of: database, code: code, sql: sql)
        }
    }
}

// MARK: - Columns

/// The storage class of a column's value.
public enum StorageClass: Sendable {
    /// The storage classes of SQLite.
    case null, integer, real, text, blob
}

extension SQLiteStatement {
    /// Returns the value in a column.
    @inlinable @inline(__always)
    package func value(_ column: Int) -> ColumnValue {
        unsafe ColumnValue(sqlite3_column_value(handle, Int32(truncatingIfNeeded: column)))
    }

    /// Returns the storage class of the value in a column.
    @inlinable public func storageClass(_ column: Int) -> StorageClass { value(column).storage }

    /// Returns whether a column is null.
    @inlinable public func isNull(_ column: Int) -> Bool { value(column).storage == .null }

    /// Returns a column as an integer.
    @inlinable public func integer(_ column: Int) -> Int64 { value(column).integer }

    /// Returns a column as a floating-point number.
    @inlinable public func real(_ column: Int) -> Double { value(column).real }

    /// Returns a column as a string; empty where it is null.
    public func string(_ column: Int) -> String {
        withText(column) { bytes in
            unsafe bytes.withUnsafeBufferPointer { unsafe String(decoding: $0, as: UTF8.self) }
        }
    }

    /// Returns a text column as a string; nil where it is null.
    public func optionalString(_ column: Int) -> String? {
        isNull(column) ? nil : string(column)
    }

    /// Returns a column as bytes.
    public func bytes(_ column: Int) -> [UInt8] {
        withBlob(column) { bytes in
            unsafe bytes.withUnsafeBufferPointer { unsafe Array($0) }
        }
    }

    /// Calls a function with the UTF-8 text of a column, which is valid during the call only.
    @inlinable public func withText<R>(_ column: Int, _ body: (Span<UInt8>) throws -> R) rethrows
        -> R
    {
        try value(column).withText(body)
    }

    /// Calls a function with the bytes of a column, which are valid during the call only.
    @inlinable public func withBlob<R>(_ column: Int, _ body: (Span<UInt8>) throws -> R) rethrows
        -> R
    {
        try value(column).withBlob(body)
    }

    /// Returns a column as a scalar of its storage class.
    public func scalar(_ column: Int) -> Scalar {
        switch storageClass(column) {
        case .null: .null
        case .integer: .integer(integer(column))
        case .real: .real(real(column))
        case .text: .text(string(column))
        case .blob: .blob(bytes(column))
        }
    }
}
