/// Where the parts of a recorded entity go in a row, 0-based; the first column is that of the row id.
package struct RecordedRowColumns {
    /// Names of the slots, which follow one another from `firstSlot` to the end of the row.
    package let slotNames: [String]
    package let firstSlot: Int
    package let etag: Int
    /// The column of the JSON object of exact texts, by the names of their slots.
    package let exact: Int

    package init(slotNames: [String], firstSlot: Int, etag: Int, exact: Int) {
        self.slotNames = slotNames
        self.firstSlot = firstSlot
        self.etag = etag
        self.exact = exact
    }

    /// Number of columns.
    var count: Int { firstSlot + slotNames.count }
}
