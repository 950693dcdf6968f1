/// How the rows at the two ends of a navigation property find each other.
package enum Relationship: Sendable {
    /// The targets' `$parent` is the source's row.
    case contained
    /// This row has the target's key: pairs of columns (here, there).
    case dependent([ColumnPair])
    /// The target has this row's key: pairs of columns (here, there).
    case principal([ColumnPair])
    /// Rows of a link table; reversed where the table is named after the property at the other end.
    case links(table: String, isReversed: Bool)
    /// The property leads to no set that is known.
    case unbound

    /// Columns that hold the same value at both ends, by their place in the two tables.
    package struct ColumnPair: Sendable {
        package var here: Int
        package var there: Int

        package init(here: Int, there: Int) {
            (self.here, self.there) = (here, there)
        }

        /// The same pair seen from the other end.
        package var flipped: ColumnPair { ColumnPair(here: there, there: here) }
    }
}
