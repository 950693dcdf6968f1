#if SQLCipher
    import CSQLCipher
#else
    import CSQLite
#endif

/// FTS5's tokenizer as search indexes use it, so that a scan and an index cut texts into the same words.
///
/// https://www.sqlite.org/fts5.html#custom_tokenizers
@safe
struct SearchTokenizer: ~Copyable {
    private let methods: fts5_tokenizer
    private let handle: OpaquePointer

    /// FTS5 itself cuts longer words off, in texts and in queries.
    private static let maximumWordLength = 32_768

    /// Creates one for a connection; nil where its SQLite has no FTS5, or no memory.
    @unsafe init?(of database: OpaquePointer?) {
        guard let api = unsafe Self.api(of: database), let find = unsafe api.pointee.xFindTokenizer
        else { return nil }
        var methods = fts5_tokenizer()
        var context: UnsafeMutableRawPointer?
        guard unsafe find(api, "unicode61", &context, &methods) == SQLITE_OK,
            let handle = unsafe Self.create(methods, context)
        else { return nil }
        self.methods = methods
        unsafe self.handle = unsafe handle
    }

    deinit {
        unsafe methods.xDelete?(handle)
    }

    /// FTS5 gives its functions through a pointer that a query is called with.
    private static func api(of database: OpaquePointer?) -> UnsafeMutablePointer<fts5_api>? {
        var statement: OpaquePointer?
        guard
            unsafe sqlite3_prepare_v2(database, "SELECT fts5(?1)", -1, &statement, nil)
                == SQLITE_OK
        else { return nil }
        defer { unsafe sqlite3_finalize(statement) }
        var api: UnsafeMutablePointer<fts5_api>?
        // SQLite keeps the name of the pointer's type, which lives as long as the program.
        let type: StaticString = "fts5_api_ptr"
        return unsafe withUnsafeMutablePointer(to: &api) { place in
            let name = unsafe UnsafeRawPointer(type.utf8Start).assumingMemoryBound(to: CChar.self)
            unsafe sqlite3_bind_pointer(statement, 1, place, name, nil)
            _ = unsafe sqlite3_step(statement)
            return unsafe place.pointee
        }
    }

    private static func create(
        _ methods: fts5_tokenizer,
        _ context: UnsafeMutableRawPointer?
    ) -> OpaquePointer? {
        // What `tokenize = 'unicode61 remove_diacritics 0'` passes.
        let (option, value): (StaticString, StaticString) = ("remove_diacritics", "0")
        var arguments = unsafe [option, value].map {
            unsafe Optional(UnsafeRawPointer($0.utf8Start).assumingMemoryBound(to: CChar.self))
        }
        var handle: OpaquePointer?
        let code = unsafe methods.xCreate?(context, &arguments, Int32(arguments.count), &handle)
        return unsafe code == SQLITE_OK ? handle : nil
    }

    /// What the tokenizer's callback works with.
    @unsafe private struct Visit {
        let body: (UnsafeRawBufferPointer) -> Bool
    }

    /// Calls a function with the words of a text in order, until it returns false.
    @unsafe func forEachWord(
        of text: UnsafeRawBufferPointer,
        _ body: (UnsafeRawBufferPointer) -> Bool
    ) {
        guard let start = text.baseAddress, let tokenize = unsafe methods.xTokenize else {
            return
        }
        unsafe withoutActuallyEscaping(body) { body in
            var visit = unsafe Visit(body: body)
            _ = unsafe withUnsafeMutablePointer(to: &visit) { visit in
                unsafe tokenize(
                    handle,
                    visit,
                    FTS5_TOKENIZE_DOCUMENT,
                    start.assumingMemoryBound(to: CChar.self),
                    Int32(clamping: text.count),
                    Self.visitWord
                )
            }
        }
    }

    private static let visitWord:
        @convention(c) (
            UnsafeMutableRawPointer?, Int32, UnsafePointer<CChar>?, Int32, Int32, Int32
        ) -> Int32 = { context, _, word, length, _, _ in
            guard let visit = unsafe context?.assumingMemoryBound(to: Visit.self) else {
                return SQLITE_ERROR
            }
            let count = min(Int(length), maximumWordLength)
            let bytes = unsafe UnsafeRawBufferPointer(start: word, count: count)
            return unsafe visit.pointee.body(bytes) ? SQLITE_OK : SQLITE_DONE
        }
}
