import ODataSQLite
import ODataValues
import ODataSQL
import StoreRecords
import ODataModel
import ODataPayload
import ODataTables

extension RowLoader {
    /// The row of one table that is being bound at one depth.
    final class Level {
        /// Number of the table in the plans.
        let destination: Int
        let table: TableLayout
        let insert: InsertStatement
        /// Values of parameters that the payload says nothing of.
        let standing: [Int: Scalar]
        /// Inserts many rows at once; made when there are so many.
        var rowsInsert: RecordedRowsInsert?
        var row: Int64 = 0
        /// Whether a value that the payload omits is unknown, not null.
        let isPartial: Bool
        /// Navigation properties whose entities are being read, outermost first.
        var navigations: [NavigationPropertyID] = []
        /// Whether the innermost of them comes as changes.
        var isInChanges = false
        /// What links of the convention begin with.
        let usualStart: [UInt8]
        /// What few rows have.
        var extras: Extras?

        /// The type of the last row, and what it is written as.
        private var type: StructuredTypeID?
        private var typeCode: Int64 = 0

        /// Members of the columns that are JSON objects.
        struct Extras {
            var exact: [(String, String)] = []
            var undeclared: [(String, String)] = []
            var control: [(String, String)] = []
            /// Links that are not those of the convention.
            var address = EntityAddress()
        }

        init(
            _ destination: Int,
            in table: TableLayout,
            isPartial: Bool,
            insert: InsertStatement,
            standing: [Int: Scalar],
            usualStart: [UInt8]
        ) {
            self.usualStart = usualStart
            self.destination = destination
            self.isPartial = isPartial
            self.table = table
            self.insert = insert
            self.standing = standing
        }

        /// What the type of a row is written as.
        func code(of plan: EntityPlan) -> Int64 {
            if plan.type != type {
                type = plan.type
                typeCode = Int64(table.types.firstIndex(of: plan.type) ?? 0)
            }
            return typeCode
        }

        /// Whether a link is surely one of the convention: in versions 1 to 3 each row bears one.
        func isUsual(_ link: Span<UInt8>) -> Bool {
            let start = usualStart.count
            guard start > 0, link.count > start, link[link.count - 1] == UInt8(ascii: ")") else {
                return false
            }
            for index in 0..<start where link[index] != usualStart[index] { return false }
            for index in start..<link.count where link[index] == UInt8(ascii: "/") { return false }
            return true
        }

        func withExtras(_ change: (inout Extras) -> Void) {
            var changed = extras ?? Extras()
            extras = nil
            change(&changed)
            extras = changed
        }
    }
}
