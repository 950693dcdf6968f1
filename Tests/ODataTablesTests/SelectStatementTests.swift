import ODataSQL
import Testing

@Suite struct SelectStatementTests {
    /// The places are written out where rows are read; the columns of statements follow the list.
    @Test func hasItsSystemColumnsWhereReadersLookForThem() {
        for (place, column) in SelectStatement.system.enumerated() {
            #expect(SelectStatement.place(of: column) == place)
        }
        #expect(SelectStatement.parentColumn == SelectStatement.system.count)
        #expect(SelectStatement.countColumn == SelectStatement.parentColumn + 1)
        #expect(SelectStatement.firstProperty == SelectStatement.countColumn + 1)
    }
}
