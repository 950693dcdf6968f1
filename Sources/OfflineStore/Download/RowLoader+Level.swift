import ODataModel
import ODataTables

extension RowLoader {
    /// The row of one table that is being bound at one depth.
    final class Level {
        /// Number of the table in the plans.
        let destination: Int
        let table: TableLayout
        let insert: InsertStatement
        var row: Int64 = 0
        /// Navigation properties whose entities are being read, outermost first.
        var navigations: [NavigationPropertyID] = []
        /// What few rows have.
        var extras: Extras?

        /// Members of the columns that are JSON objects.
        struct Extras {
            var exact: [(String, String)] = []
            var undeclared: [(String, String)] = []
            var control: [(String, String)] = []
        }

        init(_ destination: Int, _ table: TableLayout, _ insert: InsertStatement) {
            self.destination = destination
            self.table = table
            self.insert = insert
        }

        func withExtras(_ change: (inout Extras) -> Void) {
            var changed = extras ?? Extras()
            extras = nil
            change(&changed)
            extras = changed
        }
    }
}
