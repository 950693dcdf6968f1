#if SQLCipher
    public import CSQLCipher
#else
    public import CSQLite
#endif

/// The value in a column of the row that a statement stands on, found once and asked several times.
///
/// It is good until the statement steps or ends, and on the statement's thread alone (`sqlite3_column_value`): readers of rows
/// make one for each column and let it go.
@safe @usableFromInline
package struct ColumnValue {
    @usableFromInline let handle: OpaquePointer?

    @unsafe @inlinable package init(_ handle: OpaquePointer?) {
        unsafe self.handle = unsafe handle
    }

    /// The storage class.
    @inlinable package var storage: StorageClass { StorageClass(unsafe sqlite3_value_type(handle)) }

    /// The value as an integer.
    @inlinable package var integer: Int64 { unsafe sqlite3_value_int64(handle) }

    /// The value as a floating-point number.
    @inlinable package var real: Double { unsafe sqlite3_value_double(handle) }

    /// Calls a function with the UTF-8 text, which is valid during the call only.
    @inlinable @inline(__always)
    package func withText<R>(_ body: (Span<UInt8>) throws -> R) rethrows -> R {
        // value_text before value_bytes: the first may convert the value.
        let start = unsafe sqlite3_value_text(handle)
        let count = unsafe start == nil ? 0 : Int(unsafe sqlite3_value_bytes(handle))
        return try body(unsafe UnsafeBufferPointer(start: start, count: count).span)
    }

    /// Calls a function with the bytes, which are valid during the call only.
    @inlinable @inline(__always)
    package func withBlob<R>(_ body: (Span<UInt8>) throws -> R) rethrows -> R {
        let start = unsafe sqlite3_value_blob(handle)
        let count = unsafe start == nil ? 0 : Int(unsafe sqlite3_value_bytes(handle))
        let buffer = unsafe UnsafeRawBufferPointer(start: start, count: count)
        return try unsafe buffer.withMemoryRebound(to: UInt8.self) { try body(unsafe $0.span) }
    }
}

extension StorageClass {
    /// The storage class of a datatype code of SQLite (`SQLITE_INTEGER` and its kin).
    @inlinable @inline(__always)
    package init(_ code: Int32) {
        self =
            switch code {
            case SQLITE_INTEGER: .integer
            case SQLITE_FLOAT: .real
            case SQLITE_TEXT: .text
            case SQLITE_BLOB: .blob
            default: .null
            }
    }
}
