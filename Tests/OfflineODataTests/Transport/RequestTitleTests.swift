import ODataClient
import Testing

/// Requests as errors name them.
@Suite struct RequestTitleTests {
    @Test(arguments: [
        ("http://h.test/As?$skiptoken=1", "GET http://h.test/As?$skiptoken=1"),
        ("http://me:secret@h.test/As?a=1", "GET http://h.test/As?a=1"),
        ("http://h.test/As?access_token=secret&a=1", "GET http://h.test/As?access_token=&a=1"),
    ])
    func namesURLsWithoutCredentials(_ url: String, _ title: String) {
        #expect(RequestTitle.text("GET", url) == title)
    }

    @Test func cutsTheMiddleOfLongURLs() {
        let filter = String(repeating: "x", count: 5_000)
        let title = RequestTitle.text("GET", "http://h.test/As?$filter=\(filter)&$skiptoken=7")
        #expect(title.count == 404)
        #expect(title.hasPrefix("GET http://h.test/As?$filter=xxx"))
        #expect(title.hasSuffix("xxx&$skiptoken=7"))
        #expect(title.contains("x…x"))
    }
}
