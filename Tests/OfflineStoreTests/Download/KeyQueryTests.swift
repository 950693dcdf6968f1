import Testing

@testable import StoreRecords

/// Queries that find out what is not there any more.
@Suite struct KeyQueryTests {
    @Test(
        arguments: [
            ("Orders", "Orders?$select=ID"),
            (
                "Orders?$filter=Price%20lt%205&$orderby=Title&$select=Title",
                "Orders?$filter=Price%20lt%205&$select=ID"
            ),
            ("Orders?x=1&$count=true", "Orders?x=1&$select=ID"),
            // What comes with others, or only some in an order, is read as it is.
            ("Orders?$expand=Tags", "Orders?$expand=Tags"),
            ("Orders?$top=5", "Orders?$top=5"),
            ("Orders?$skip=5", "Orders?$skip=5"),
        ]
    )
    func asksForTheKeysOfWhatTheQueryBrings(_ url: String, _ keys: String) throws {
        let schema = try StoreSchema.make(SeamModel.document)
        let query = DefiningQuery(
            name: "Q",
            url: url,
            slot: 0,
            retrievesStreams: false,
            isLoaded: true,
            needsFullRead: false
        )
        #expect(KeyQuery.url(of: query, in: schema) == keys)
    }

    @Test func leavesOutTheCountOfVersion2() throws {
        let schema = try StoreSchema.make(SeamModel.oldDocument)
        let query = DefiningQuery(
            name: "Q",
            url: "Orders?$inlinecount=allpages&x=1",
            slot: 0,
            retrievesStreams: false,
            isLoaded: true,
            needsFullRead: false
        )
        #expect(KeyQuery.url(of: query, in: schema) == "Orders?x=1&$select=ID")
    }
}
