/// Rows in an order of their own, kept in a table beside the entities: they answer a request instead of those that it would choose.
package struct RowList: Sendable {
    /// The table, with the columns `query` (the number of a list), `row` and `position`; rows without a position are in no list.
    package let table: String
    /// The list's number.
    package let number: Int64
    /// How many rows there are with those that `$top` and `$skip` leave out, as the service has counted them.
    package var totalCount: Int64?

    /// Names a list of a table that has an index over `query` and `position`.
    package init(_ number: Int64, in table: String) {
        (self.number, self.table) = (number, table)
    }
}
