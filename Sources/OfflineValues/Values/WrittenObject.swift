package import ODataSQL
import ODataValues
package import ODataTables
import Synchronization

/// The members of an entity that was just created, made when they are asked for: who creates an entity often drops the answer.
package final class WrittenObject: Sendable {
    private let row: InsertedRow
    private let layout: Layout
    private let known = Mutex<[(name: String, value: ODataValue)]?>(nil)

    /// Takes a row that was inserted.
    package init(_ row: InsertedRow, in layout: Layout) {
        (self.row, self.layout) = (row, layout)
    }

    /// The members in order, as they would be read.
    var members: [(name: String, value: ODataValue)] {
        if let members = known.guarded({ $0 }) { return members }
        guard case .object(let members)? = ODataValue(json: row.object(in: layout)) else {
            return []
        }
        known.guarded { $0 = members }
        return members
    }
}
