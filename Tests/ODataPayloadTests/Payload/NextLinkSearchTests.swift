import ODataPayload
import Testing

/// The guess at the next page that the end of a page allows.
@Suite struct NextLinkSearchTests {
    @Test(
        arguments: [
            (
                #"{"value":[{"ID":1}],"@odata.nextLink":"Orders?$skiptoken=2"}"#,
                "Orders?$skiptoken=2"
            ),
            (#"{"value":[],"@nextLink" : "a\u0041"}"#, "aA"),
            (#"{"d":{"results":[],"__next":"b"}}"#, "b"),
            (#"{"value":[{"ID":1,"Lines@odata.nextLink":"c"}]}"#, nil),
            (#"{"ID":1,"Lines":[],"Lines@odata.nextLink":"c"}"#, nil),
            (#"{"ID":1,"Lines":[],"Lines@nextLink":"c"}"#, nil), (#"{"value":[]}"#, nil),
        ] as [(String, String?)]
    )
    func findsThatOfThePageOnly(_ page: String, _ link: String?) {
        #expect(NextLinkSearch.link(inTail: Array(page.utf8)) == link)
    }
}
