package import ODataSQLite
import ODataValues
import ODataTables

/// Counts changes that the service has answered: what was asked before one of them may be older than it.
package enum AnswerCounter {
    private static let key = "answered"

    /// The mark of the last look for what no query brings.
    package static let scope = "scope"

    /// The number of changes answered so far.
    package static func value(_ connection: SQLiteConnection) throws -> Int64 {
        guard case .integer(let count)? = try connection.metaValue(key) else { return 0 }
        return count
    }

    /// Counts one more.
    package static func advance(_ connection: SQLiteConnection) throws {
        try connection.setMetaValue(key, to: .integer(value(connection) + 1))
    }

    /// Whether changes were answered since this was last asked under a name; marks the present number.
    package static func hasMoved(sinceMark name: String, _ connection: SQLiteConnection) throws
        -> Bool
    {
        let now = Scalar.integer(try value(connection))
        guard try connection.metaValue("answered:" + name) != now else { return false }
        try connection.setMetaValue("answered:" + name, to: now)
        return true
    }

    /// Makes `hasMoved` say so the next time.
    package static func forgetMark(_ name: String, on connection: SQLiteConnection) throws {
        try connection.removeMetaValue("answered:" + name)
    }
}
