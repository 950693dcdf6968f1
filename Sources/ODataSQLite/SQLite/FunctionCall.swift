#if SQLCipher
    import CSQLCipher
#else
    import CSQLite
#endif
import ODataValues

#if canImport(Darwin)
    import Darwin
#else
    import Glibc
#endif

/// The arguments and the result of one call of a SQL function.
@safe
struct FunctionCall {
    private let context: OpaquePointer?
    private let values: UnsafeMutablePointer<OpaquePointer?>?
    let argumentCount: Int

    @unsafe init(
        _ context: OpaquePointer?,
        _ count: Int32,
        _ values: UnsafeMutablePointer<OpaquePointer?>?
    ) {
        unsafe self.context = unsafe context
        unsafe self.values = unsafe values
        argumentCount = Int(count)
    }

    private func value(_ index: Int) -> OpaquePointer? {
        unsafe values?[index]
    }

    func isNull(_ index: Int) -> Bool {
        unsafe sqlite3_value_type(value(index)) == SQLITE_NULL
    }

    /// Whether an argument is text; a value of another class (an unknown one) answers null.
    func isText(_ index: Int) -> Bool {
        unsafe sqlite3_value_type(value(index)) == SQLITE_TEXT
    }

    func isInteger(_ index: Int) -> Bool {
        unsafe sqlite3_value_type(value(index)) == SQLITE_INTEGER
    }

    func integer(_ index: Int) -> Int64 {
        unsafe sqlite3_value_int64(value(index))
    }

    func real(_ index: Int) -> Double {
        unsafe sqlite3_value_double(value(index))
    }

    func text(_ index: Int) -> String {
        unsafe withText(index) { unsafe String(decoding: $0, as: UTF8.self) }
    }

    /// Calls a function with the bytes of a text, which are good until it returns.
    @unsafe func withText<R>(_ index: Int, _ body: (UnsafeRawBufferPointer) -> R) -> R {
        // value_text before value_bytes: the first may convert the value.
        let start = unsafe sqlite3_value_text(value(index))
        let count = Int(unsafe sqlite3_value_bytes(value(index)))
        return unsafe body(UnsafeRawBufferPointer(start: start, count: start == nil ? 0 : count))
    }

    /// The term of a search, kept with the statement, since it is the same for all rows; nil where SQLite has no FTS5.
    ///
    /// https://www.sqlite.org/c3ref/get_auxdata.html
    func searchPhrase(_ index: Int) -> SearchPhrase? {
        if let kept = unsafe sqlite3_get_auxdata(context, Int32(index)) {
            return unsafe Unmanaged<SearchPhrase>.fromOpaque(kept).takeUnretainedValue()
        }
        let database = unsafe sqlite3_context_db_handle(context)
        let made = unsafe withText(index) { unsafe SearchPhrase($0, database: database) }
        guard let made else { return nil }
        // SQLite may release it at once; the caller holds it, too.
        unsafe sqlite3_set_auxdata(context, Int32(index), Unmanaged.passRetained(made).toOpaque()) {
            kept in
            guard let kept = unsafe kept else { return }
            unsafe Unmanaged<SearchPhrase>.fromOpaque(kept).release()
        }
        return made
    }

    /// The text that stands behind another, up to the next quote; nil where there is none, and where it is a plain decimal that an
    /// integer of a scale surely holds with all digits.
    func decimal(behind name: Int, in texts: Int, beyond scale: Int) -> [UInt8]? {
        // Both end in a zero byte (https://sqlite.org/c3ref/value_blob.html).
        guard let start = unsafe sqlite3_value_text(value(texts)),
            let beginning = unsafe sqlite3_value_text(value(name)),
            let found = unsafe strstr(chars(start), chars(beginning))
        else { return nil }
        let end = unsafe start + Int(sqlite3_value_bytes(value(texts)))
        let begin = unsafe UnsafeRawPointer(found) + Int(sqlite3_value_bytes(value(name)))
        let rest = unsafe UnsafeRawBufferPointer(start: begin, count: begin.distance(to: end))
        let text = unsafe rest.prefix { $0 != 0x22 }
        return unsafe Self.isShortDecimal(text, scale: scale) ? nil : Array(text)
    }

    private func chars(_ bytes: UnsafePointer<UInt8>) -> UnsafePointer<CChar> {
        unsafe UnsafeRawPointer(bytes).assumingMemoryBound(to: CChar.self)
    }

    private static func isShortDecimal(_ text: Slice<UnsafeRawBufferPointer>, scale: Int)
        -> Bool
    {
        guard unsafe !text.isEmpty, unsafe text.count + scale <= 18 else { return false }
        let first = unsafe text.startIndex
        var point: Int?
        for place in unsafe text.indices {
            switch unsafe text[place] {
            case 0x2D where place == first: break
            case 0x2E where point == nil: point = place
            case 0x30...0x39: break
            default: return false
            }
        }
        let end = unsafe text.endIndex
        return point.map { end - $0 - 1 <= scale } ?? true
    }

    func setNull() {
        unsafe sqlite3_result_null(context)
    }

    func set(_ value: Int64) {
        unsafe sqlite3_result_int64(context, value)
    }

    func set(_ value: Double) {
        unsafe sqlite3_result_double(context, value)
    }

    func set(_ value: String) {
        unsafe sqlite3_result_text(
            context,
            value,
            Int32(clamping: value.utf8.count),
            csqlite_transient()
        )
    }

    func set(_ value: Scalar) {
        switch value {
        case .null: setNull()
        case .integer(let number): set(number)
        case .real(let number): set(number)
        case .text(let text): set(text)
        case .blob(let bytes): set(bytes)
        }
    }

    func set(_ bytes: [UInt8]) {
        unsafe bytes.withUnsafeBytes { buffer in
            unsafe sqlite3_result_blob64(
                context,
                buffer.baseAddress,
                UInt64(buffer.count),
                csqlite_transient()
            )
        }
    }

    /// An argument as a scalar of its storage class.
    func scalar(_ index: Int) -> Scalar {
        switch unsafe sqlite3_value_type(value(index)) {
        case SQLITE_INTEGER: .integer(integer(index))
        case SQLITE_FLOAT: .real(real(index))
        case SQLITE_TEXT: .text(text(index))
        case SQLITE_BLOB: .blob(blob(index))
        default: .null
        }
    }

    private func blob(_ index: Int) -> [UInt8] {
        let start = unsafe sqlite3_value_blob(value(index))
        let count = Int(unsafe sqlite3_value_bytes(value(index)))
        return unsafe Array(
            UnsafeRawBufferPointer(start: start, count: unsafe start == nil ? 0 : count)
        )
    }

    func fail(_ message: String) {
        unsafe sqlite3_result_error(context, message, -1)
    }
}
