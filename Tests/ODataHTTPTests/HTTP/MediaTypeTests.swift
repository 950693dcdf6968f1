import ODataHTTP
import Testing

@Suite struct MediaTypeTests {
    @Test func readsParameters() throws {
        let type = try #require(
            MediaType("Application/JSON; OData.Metadata=Minimal ;IEEE754Compatible=\"true\"")
        )
        #expect(type.isType("application/json"))
        #expect(type.odataParameter("metadata") == "Minimal")
        #expect(type[parameter: "ieee754compatible"] == "true")
        #expect(type.odataParameter("streaming") == nil)
    }

    @Test(arguments: [
        ("multipart/mixed;boundary=b0785f9b-235f", "b0785f9b-235f"),
        ("multipart/mixed; boundary=\"a b;c\\\"d\"", "a b;c\"d"),
        ("multipart/mixed; boundary=batch(36522ad7)/=:x", "batch(36522ad7)/=:x"),
        ("multipart/mixed;boundary=", ""),
    ])
    func readsBoundaries(text: String, boundary: String) {
        #expect(MediaType(text)?[parameter: "boundary"] == boundary)
    }

    @Test(arguments: ["", "json", "application/", "/json", "a/b c", "a/b;x", "a/b;x=\"1"])
    func refusesWhatIsNone(text: String) {
        #expect(MediaType(text) == nil)
    }

    @Test func passesOverEmptyParameters() {
        #expect(
            MediaType("a/b; ;x=1;")
                == MediaType(type: "a", subtype: "b", parameters: [.init(name: "x", value: "1")])
        )
    }

    @Test(arguments: ["application/json", "a/b;x=1;y=\"a b\\\\\\\"\""]) func writesWhatItRead(
        text: String
    ) {
        #expect(MediaType(text)?.description == text)
    }

    // MARK: - Accept

    @Test func takesTheMostWanted() {
        let accept = AcceptHeader("application/xml;q=0.5, application/json;q=0.9, */*;q=0.1")
        let xml = MediaType(type: "application", subtype: "xml")
        let text = MediaType(type: "text", subtype: "plain")
        #expect(accept.choose(from: [xml, .json]) == .json)
        #expect(accept.choose(from: [text]) == text)
        #expect(accept.quality(of: xml) == 500)
    }

    @Test func theMostSpecificRangeCounts() throws {
        let accept = AcceptHeader(
            "application/json;odata.metadata=full;q=0,application/*;q=0.2,application/json"
        )
        let full = try #require(MediaType("application/json;odata.metadata=full"))
        #expect(accept.quality(of: full) == 0)
        #expect(accept.quality(of: .json) == 1000)
        #expect(accept.quality(of: MediaType(type: "application", subtype: "xml")) == 200)
        #expect(accept.choose(from: [full]) == nil)
    }

    @Test(arguments: [
        ("a/b;q=1.000", 1000), ("a/b;q=0.001", 1), ("a/b;q=.5", nil), ("a/b;q=1.001", nil),
        ("a/b;q=2", nil), ("a/b;q=-1", nil), ("a/b;q=0.1234", nil), ("a/b;q=", nil),
        ("a/b;q=0.", 0),
    ])
    func readsQualities(text: String, quality: Int?) {
        #expect(AcceptHeader(text).elements.first?.quality == quality)
    }

    @Test func passesOverWhatItCannotRead() {
        let accept = AcceptHeader(",, nonsense \"a,b\" , a/b;x=\"1,2\" ;q=0.3, /, c/d")
        #expect(accept.elements.map(\.range.type) == ["a", "c"])
        #expect(accept.elements.map(\.quality) == [300, 1000])
        #expect(accept.elements.first?.range[parameter: "x"] == "1,2")
    }
}
