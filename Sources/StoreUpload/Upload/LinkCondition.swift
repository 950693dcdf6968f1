package import ODataSQLite
import StoreRecords
import ODataTables
import ODataValues

/// Whether a service wants `If-Match` with each change of a link, though its metadata say nothing of it.
package enum LinkCondition {
    private static let key = "linksWantCondition"

    /// Whether it has refused a change of a link for want of one: from then on such changes carry one.
    static func isWanted(_ connection: SQLiteConnection) throws -> Bool {
        try connection.metaValue(key) == .integer(1)
    }

    /// Writes down that it has.
    package static func setWanted(_ connection: SQLiteConnection) throws {
        try connection.setMetaValue(key, to: .integer(1))
    }
}
