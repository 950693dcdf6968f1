@testable import StoreRecords
import ODataSQL
import ODataTables
import Testing

/// Which columns a query brings.
@Suite struct QuerySelectionTests {
    @Test(
        arguments: [
            ("Orders", "Orders", "ID Title Price"), ("Orders?$select=Title", "Orders", "ID Title"),
            ("Orders?$select=Title", "Items", ""),
            ("Orders?$expand=Items", "Orders", "ID Title Price"),
            ("Orders?$expand=Items", "Items", "ID Text Code OrderID"),
            ("Orders?$expand=Items($select=Text)", "Items", "ID Text"),
            (
                "Items?$expand=Order($expand=Items($select=Code))&$select=Text", "Items",
                "ID Text Code"
            ),
            ("Items?$expand=Order($expand=Tags($select=Color))", "Tags", "Name Color"),
        ]
    )
    func findsTheColumnsAtEveryDepth(_ url: String, _ set: String, _ names: String) throws {
        let schema = try StoreSchema.make(SeamModel.document)
        let table = try #require(schema.layout.orderedTables.first { $0.name == set })
        let query = DefiningQuery(
            name: "Q",
            url: url,
            slot: 0,
            retrievesStreams: false,
            isLoaded: true,
            needsFullRead: false
        )
        let columns = QuerySelection.columns(of: query, table, in: schema)
        #expect(columns.sorted().map { table.columns[$0].name }.joined(separator: " ") == names)
    }
}
