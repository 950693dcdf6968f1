/// Why a text is no JSON, and where.
package struct JSONFault: Error, Sendable, CustomStringConvertible {
    package let message: String
    /// Counted from the number that the reading began with.
    package let line: Int
    /// In bytes, counted from 1; nil for what concerns a whole value.
    package let column: Int?
    /// Whether the text is JSON, but more than the limits allow.
    package let isLimit: Bool

    package var description: String {
        "line \(line)" + (column.map { ", column \($0)" } ?? "") + ": " + message
    }
}
