#if SQLCipher
    import CSQLCipher
#else
    import CSQLite
#endif
package import ODataValues

/// An INSERT of whole rows that is run for row after row: its parameters are the system columns, then those of the slots.
///
/// Texts and blobs are bound without SQLite's own copy: they are kept here until the row is in. A parameter that a row does not
/// bind gets its standing value, null unless one was given, and never that of the row before.
@safe
package final class InsertStatement {
    private let statement: SQLiteStatement
    private let handle: OpaquePointer
    private var values = ValueArena()
    /// A bit for each parameter that the present row has bound, and for each that an earlier row has.
    private let bound: UnsafeMutablePointer<UInt64>
    private let stale: UnsafeMutablePointer<UInt64>
    private let wordCount: Int
    /// Values of parameters that a row does not bind.
    private let standing: [Int: Scalar]
    /// The parameters of the first slot and of the ETag.
    let firstSlot: Int
    let etagParameter: Int

    /// Compiles a statement.
    ///
    /// - Parameters:
    ///   - firstSlot: The parameter of the first slot.
    ///   - etagParameter: The parameter of the ETag.
    ///   - standing: Values of parameters that rows leave out; null for all others.
    package init(
        _ connection: SQLiteConnection,
        sql: String,
        firstSlot: Int,
        etagParameter: Int,
        standing: [Int: Scalar]
    ) throws {
        (self.firstSlot, self.etagParameter) = (firstSlot, etagParameter)
        let statement = try connection.prepare(sql)
        for (parameter, value) in standing { try statement.bind(value, at: parameter) }
        wordCount = statement.parameterCount / 64 + 1
        unsafe bound = .allocate(capacity: wordCount)
        unsafe stale = .allocate(capacity: wordCount)
        unsafe bound.initialize(repeating: 0, count: wordCount)
        unsafe stale.initialize(repeating: 0, count: wordCount)
        unsafe handle = unsafe statement.handle
        self.statement = statement
        self.standing = standing
    }

    deinit {
        // SQLite does not look at values that it does not own when the statement ends after this.
        unsafe bound.deallocate()
        unsafe stale.deallocate()
    }

    /// Inserts the row.
    package func run() throws {
        for word in 0..<wordCount {
            let missing = unsafe stale[word] & ~bound[word]
            if missing != 0 { try restore(missing, word: word) }
            unsafe stale[word] = unsafe bound[word]
            unsafe bound[word] = 0
        }
        defer { values.reset() }
        try statement.run()
    }

    /// Gives parameters that the row before had bound their standing values again.
    private func restore(_ missing: UInt64, word: Int) throws {
        var missing = missing
        while missing != 0 {
            let parameter = word * 64 + missing.trailingZeroBitCount
            try statement.bind(standing[parameter] ?? .null, at: parameter)
            missing &= missing - 1
        }
    }

    // MARK: Parameters

    /// Binds null.
    package func bindNull(at parameter: Int) throws {
        try check(unsafe sqlite3_bind_null(handle, mark(parameter)))
    }

    /// Binds an integer.
    package func bind(_ value: Int64, at parameter: Int) throws {
        try check(unsafe sqlite3_bind_int64(handle, mark(parameter), value))
    }

    /// Binds a floating-point number; SQLite makes NaN null.
    package func bind(_ value: Double, at parameter: Int) throws {
        try check(unsafe sqlite3_bind_double(handle, mark(parameter), value))
    }

    /// Binds UTF-8 text.
    package func bind(text value: Span<UInt8>, at parameter: Int) throws {
        guard !value.isEmpty, value.count <= ValueArena.maximumLength else {
            _ = mark(parameter)
            return try statement.bind(text: value, at: parameter)
        }
        try unsafe value.withUnsafeBytes { try unsafe bind(unownedText: kept($0), at: parameter) }
    }

    /// Binds bytes.
    package func bind(blob value: Span<UInt8>, at parameter: Int) throws {
        guard !value.isEmpty, value.count <= ValueArena.maximumLength else {
            _ = mark(parameter)
            return try statement.bind(blob: value, at: parameter)
        }
        try unsafe value.withUnsafeBytes { try unsafe bind(unownedBlob: kept($0), at: parameter) }
    }

    /// Copies a value to where it stays until the row is in.
    private func kept(_ bytes: UnsafeRawBufferPointer) -> UnsafeRawBufferPointer {
        unsafe UnsafeRawBufferPointer(start: values.keep(bytes), count: bytes.count)
    }

    /// Binds UTF-8 text that stays where it is until the row is in; an empty one may have no address, which SQLite would take for null.
    @inline(__always)
    func bind(unownedText text: UnsafeRawBufferPointer, at parameter: Int) throws {
        guard let base = text.baseAddress else { return try bind("", at: parameter) }
        let start = unsafe base.assumingMemoryBound(to: CChar.self)
        let length = UInt64(text.count)
        let encoding = UInt8(SQLITE_UTF8)
        try check(
            unsafe sqlite3_bind_text64(handle, mark(parameter), start, length, nil, encoding)
        )
    }

    /// Binds bytes that stay where they are until the row is in.
    @inline(__always)
    func bind(unownedBlob bytes: UnsafeRawBufferPointer, at parameter: Int) throws {
        guard let start = bytes.baseAddress, bytes.count > 0 else {
            return try check(unsafe sqlite3_bind_zeroblob(handle, mark(parameter), 0))
        }
        try check(
            unsafe sqlite3_bind_blob64(handle, mark(parameter), start, UInt64(bytes.count), nil)
        )
    }

    /// Binds text, copied.
    package func bind(_ value: String, at parameter: Int) throws {
        _ = mark(parameter)
        try statement.bind(value, at: parameter)
    }

    /// Remembers that the row binds a parameter, and answers its number as SQLite wants it.
    private func mark(_ parameter: Int) -> Int32 {
        precondition(
            parameter > 0 && parameter < wordCount * 64,
            "a value is bound to a parameter that the statement does not have"
        )
        unsafe bound[parameter >> 6] |= 1 << UInt64(truncatingIfNeeded: parameter & 63)
        return Int32(truncatingIfNeeded: parameter)
    }

    private func check(_ code: Int32) throws {
        if code != SQLITE_OK { try statement.check(code) }
    }
}
