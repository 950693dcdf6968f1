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

    @Test func putsTheLinesOfAListTogether() {
        var headers: HTTPHeaders = ["Accept": "a", "Via": "x", "accept": "b, c", "via": "y"]
        #expect(headers.list("ACCEPT") == "a, b, c")
        #expect(headers.list("Age") == nil)
        headers.joinLines(of: ["Accept", "Age"])
        #expect(headers.values(of: "accept") == ["a, b, c"])
        #expect(headers.values(of: "via") == ["x", "y"])
    }
}
