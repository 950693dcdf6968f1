package import ODataValues

/// The text of a statement that is run for every change: its statement is found by this object, not by the text.
///
/// To hash a long text takes longer than what many statements do.
package final class SQLText: Sendable {
    package let text: String

    package init(_ text: String) {
        self.text = text
    }
}

extension SQLiteConnection {
    /// Runs a statement with values to its end.
    package func run(_ sql: SQLText, bindings: [Scalar]) throws {
        let statement = try statement(sql)
        try statement.bind(bindings)
        try statement.run()
    }

    /// Returns what a function makes of the first row; nil where there is none.
    package func firstRow<R>(
        _ sql: SQLText,
        bindings: [Scalar],
        _ body: (SQLiteStatement) throws -> R
    ) throws -> R? {
        try statement(sql).firstRow(bindings, body)
    }

    /// Returns the first column of the first row as an integer; nil where there is no row or it is null.
    package func integer(_ sql: SQLText, bindings: [Scalar]) throws -> Int64? {
        try firstRow(sql, bindings: bindings) { $0.isNull(0) ? nil : $0.integer(0) } ?? nil
    }
}
