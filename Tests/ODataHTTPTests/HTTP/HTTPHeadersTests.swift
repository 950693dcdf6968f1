import ODataHTTP
import Testing

@Suite struct HTTPHeadersTests {
    @Test func findsNamesWithoutCase() {
        let headers: HTTPHeaders = ["Content-Type": "text/plain"]
        #expect(headers["content-type"] == "text/plain")
        #expect(headers["content-typ"] == nil)
    }

    @Test func setsEveryFieldOfAName() {
        var headers: HTTPHeaders = ["ETag": "1", "etag": "2"]
        headers["ETAG"] = "3"
        #expect(headers.values(of: "etag") == ["3"])
    }
}
