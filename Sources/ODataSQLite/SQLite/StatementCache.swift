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
    /// Entries of texts that are known as objects, which are kept with them: no other object takes their place.
    private var known: [ObjectIdentifier: (text: SQLText, entry: Entry)] = [:]
    private var clock: UInt64 = 0

    /// Returns a statement that is not in use right now.
    mutating func take(_ sql: String) -> SQLiteStatement? {
        entries[sql].flatMap { use($0) }
    }

    /// Returns the statement of a text that is known as an object; not in use right now.
    mutating func take(_ sql: SQLText) -> SQLiteStatement? {
        if let found = known[ObjectIdentifier(sql)] { return use(found.entry) }
        guard let entry = entries[sql.text] else { return nil }
        known[ObjectIdentifier(sql)] = (sql, entry)
        return use(entry)
    }

    private mutating func use(_ entry: Entry) -> SQLiteStatement? {
        guard !entry.statement.isBusy else { return nil }
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
            known = known.filter { $0.value.entry !== oldest.value }
        }
        clock += 1
        entries[statement.sql] = Entry(statement, used: clock)
    }

    mutating func removeAll() {
        (entries, known) = ([:], [:])
    }
}
