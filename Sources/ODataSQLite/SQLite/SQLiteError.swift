/// What SQLite refused, with its own words and the statement.
public struct SQLiteError: Error, Sendable, Equatable, CustomStringConvertible {
    /// Extended result code as SQLite gives it, so that codes unknown here survive.
    public var extendedCode: Int32
    /// SQLite's message.
    public var message: String
    /// The statement's text, without values; nil outside statements.
    public var sql: String?

    /// Creates an error.
    public init(extendedCode: Int32, message: String, sql: String? = nil) {
        self.extendedCode = extendedCode
        self.message = message
        self.sql = sql
    }

    /// The primary result code (low byte).
    public var code: Int32 { extendedCode & 0xFF }

    /// Message, code and statement on one line.
    public var description: String {
        "SQLite \(extendedCode): \(message)" + (sql.map { " in: \($0)" } ?? "")
    }

    /// Compares the extended codes.
    public static func == (left: Self, right: Self) -> Bool {
        left.extendedCode == right.extendedCode
    }
}
