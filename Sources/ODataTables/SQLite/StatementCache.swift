/// Statements by their text, the most recently used kept.
struct StatementCache {
    /// Enough for every statement of an ordinary application; the least recently used goes first.
    static let capacity = 256

    /// A statement, and when it was used; an object, so that a use is written down without a second look-up.
    private final class Entry {
        let statement: SQLiteStatement
        var used: UInt64

        init(_ statement: SQLiteStatement, used: UInt64) {
            self.statement = statement
            self.used = used
        }
    }

    private var entries: [String: Entry] = [:]
    private var clock: UInt64 = 0

    /// Returns a statement that is not in use right now.
    mutating func take(_ sql: String) -> SQLiteStatement? {
        guard let entry = entries[sql], !entry.statement.isBusy else { return nil }
        clock += 1
        entry.used = clock
        entry.statement.reset()
        return entry.statement
    }

    mutating func insert(_ statement: SQLiteStatement) {
        // A statement of the same text that is being stepped stays; the second one lives for its caller only.
        guard entries[statement.sql] == nil else { return }
        if entries.count >= Self.capacity,
            let oldest = entries.min(by: { $0.value.used < $1.value.used })
        {
            entries[oldest.key] = nil
        }
        clock += 1
        entries[statement.sql] = Entry(statement, used: clock)
    }

    mutating func removeAll() {
        entries = [:]
    }
}
