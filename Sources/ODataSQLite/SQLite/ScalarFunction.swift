#if SQLCipher
    import CSQLCipher
#else
    import CSQLite
#endif

/// A deterministic SQL function of ours.
///
/// Functions stand in queries only, never in the schema: any SQLite shell opens the file.
@safe
struct ScalarFunction: Sendable {
    /// Name in SQL.
    let name: String
    /// Number of arguments; -1 for any.
    let argumentCount: Int32
    private let body:
        @convention(c) (OpaquePointer?, Int32, UnsafeMutablePointer<OpaquePointer?>?) -> Void

    @unsafe init(
        _ name: String,
        argumentCount: Int32,
        body:
            @escaping @convention(c) (OpaquePointer?, Int32, UnsafeMutablePointer<OpaquePointer?>?)
            -> Void
    ) {
        self.name = name
        self.argumentCount = argumentCount
        unsafe self.body = unsafe body
    }

    @unsafe func register(on database: OpaquePointer) -> Int32 {
        unsafe sqlite3_create_function_v2(
            database,
            name,
            argumentCount,
            SQLITE_UTF8 | SQLITE_DETERMINISTIC | SQLITE_DIRECTONLY,
            nil,
            body,
            nil,
            nil,
            nil
        )
    }
}
