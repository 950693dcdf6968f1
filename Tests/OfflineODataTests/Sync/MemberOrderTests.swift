import OfflineOData
import Testing

/// The order of members means nothing (OData JSON 4.01 § 4.4): a link to the rest of a collection may stand anywhere in its entity.
@Suite struct MemberOrderTests {
    private static let items = #""Items":[{"ID":10,"Name":"a"}]"#
    private static let link = #""Items@odata.nextLink":"Orders(1)/Items?$skiptoken=1""#

    @Test(
        arguments: [
            #"{"ID":1,"Title":"t",\#(items),\#(link)}"#,
            #"{\#(items),"ID":1,"Title":"t",\#(link)}"#,
            #"{\#(link),"ID":1,"Title":"t",\#(items)}"#,
            #"{\#(items),\#(link),"Title":"t","ID":1}"#,
            #"{\#(link),\#(items),"Title":"t","ID":1}"#,
            #"{"ID":1,\#(items),"Items@odata.count":2,"Title":"t","Note":null,\#(link)}"#,
        ]
    )
    func readsTheRestOfACollection(_ order: String) async throws {
        let service = try RecordedService(metadata: ShopModel.v4())
        let query = "Orders?$expand=Items"
        service.set("GET " + query, RecordedService.json("{\"value\":[\(order)]}"))
        service.set(
            "GET Orders(1)/Items?$skiptoken=1",
            RecordedService.json(#"{"value":[{"ID":11,"Name":"b"}]}"#)
        )
        let provider = try await service.opened([query])
        let items = try await provider.executeQuery("Orders(1)/Items?$orderby=ID")
        #expect(items.map { $0["Name"] } == ["a", "b"])
        // A later load reads it the same way.
        try await provider.download()
        #expect(try await provider.executeQuery("Orders(1)/Items").count == 2)
    }
}
