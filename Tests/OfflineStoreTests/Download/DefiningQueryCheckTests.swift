@testable import StoreRecords
import ODataURL
import Testing

/// Queries that bring no entities, known by their grammar alone.
@Suite struct DefiningQueryCheckTests {
    @Test(
        arguments: [
            "$batch", "Orders/$count", "$crossjoin(Orders,Items)", "Orders(1)/$links/Items",
            "$metadata", "Orders(1)/Items/$ref", "Orders(1)/Title/$value",
            "Orders?$apply=groupby((Title))",
            "Orders?$apply=filter(ID gt 1)/aggregate($count as N)",
            "Orders?$apply=compute(ID add 1 as Next)",
        ]
    )
    func refusesOtherResults(_ url: String) throws {
        let error = try #require(throws: StoreError.self) {
            try DefiningQueryCheck.check("Q", url: url)
        }
        #expect(error.message.contains("the defining query Q brings no entities"))
    }

    @Test(arguments: ["Orders(", "Orders?$top=-1", "Orders\0", "Orders?$filter=ID gt"])
    func refusesWhatIsNoURL(_ url: String) {
        #expect(throws: ODataURLError.self) { try DefiningQueryCheck.check("Q", url: url) }
    }

    @Test(
        arguments: [
            "Orders", "Orders(1)", "Orders?$count=true",
            "Orders?$apply=filter(ID gt 1)/orderby(ID)",
            "Orders?$apply=identity/skip(1)/top(2)/search(a)",
            "Orders?$inlinecount=allpages", "",
        ]
    )
    func leavesTheRest(_ url: String) throws {
        try DefiningQueryCheck.check("Q", url: url)
    }
}
