import Testing

@testable import ODataSQL

@Suite struct SystemColumnTests {
    /// Rows are read by these numbers, statements are written in the order of the list.
    @Test func standWhereStatementsSelectThem() {
        #expect(
            SelectStatement.system.map(SelectStatement.place)
                == Array(0..<SelectStatement.system.count)
        )
        for column in SystemColumn.allCases where !SelectStatement.system.contains(column) {
            #expect(SelectStatement.place(of: column) == SelectStatement.system.count)
        }
    }

    /// Statements that insert whole rows number their parameters in the order of the list.
    @Test func haveTheParametersOfTheirPlaces() {
        #expect(SystemColumn.allCases.map(\.parameter) == Array(1...SystemColumn.allCases.count))
        #expect(SystemColumn.firstSlotParameter == SystemColumn.allCases.count + 1)
    }
}
