import ODataModel
import ODataURL
import Testing

@Suite struct WrittenTreeTests {
    private func tree(_ url: String, _ version: ODataVersion = .v401) throws -> String {
        try WrittenRequest(parsing: url, version: version).json()
    }

    private func filter(_ text: String, _ version: ODataVersion = .v401) throws -> String {
        let tree = try tree("?$filter=" + text, version)
        let start = #"{"version":"\#(version.rawValue)","path":[],"options":{"$filter":"#
        #expect(tree.hasPrefix(start))
        return String(tree.dropFirst(start.count).dropLast(2))
    }

    @Test func showsPathAndOptions() throws {
        let expected = """
            {"version":"4.01","path":[{"name":"Orders","offset":0,"parentheses":[[{"name":"ID","value":\
            {"kind":"literal","offset":10,"type":"integer","value":"5"}}]]},{"name":"$count","offset":13}],\
            "options":{"$top":3,"$select":[{"path":"A/B","offset":35}],"custom":[{"name":"x","value":"1"}]}}
            """
        #expect(try tree("Orders(ID=5)/$count?$top=3&$select=A/B&x=1") == expected)
    }

    @Test func keepsChainsFlat() throws {
        let expected = #"""
            {"kind":"or","offset":9,"operands":[{"kind":"path","offset":9,"segments":[{"kind":"name","offset":9,"name":"a"}]},{"kind":"path","offset":14,"segments":[{"kind":"name","offset":14,"name":"b"}]},{"kind":"path","offset":19,"segments":[{"kind":"name","offset":19,"name":"c"}]}]}
            """#
        #expect(try filter("a or b or c") == expected)
    }

    @Test(arguments: [
        ("5", "integer", "5"), ("-5", "integer", "-5"), ("5.50", "decimal", "5.50"),
        ("5e3", "double", "5e3"), ("INF", "double", "INF"), ("-INF", "double", "-INF"),
        ("NaN", "double", "NaN"), ("null", "null", "null"), ("TRUE", "boolean", "true"),
        ("'it''s'", "string", "it's"), ("2020-02-29", "date", "2020-02-29"),
        ("12:30:01.5", "timeOfDay", "12:30:01.5"),
        ("2020-01-01T10:00:00%2B02:00", "dateTimeOffset", "2020-01-01T10:00:00+02:00"),
        ("2020-01-01T10:00:00-02:00", "dateTimeOffset", "2020-01-01T10:00:00-02:00"),
        ("a1234567-89ab-cdef-0123-456789abcdef", "guid", "a1234567-89ab-cdef-0123-456789abcdef"),
        ("duration'P1D'", "duration", "P1D"), ("binary'AQI='", "binary", "AQI="),
        ("geography'SRID=0;Point(1 2)'", "geography", "SRID=0;Point(1 2)"),
    ])
    func tellsLiteralsApart(_ text: String, _ kind: String, _ value: String) throws {
        let expected =
            #"{"kind":"literal","offset":9,"type":"\#(kind)","value":"\#(value)"}"#
        #expect(try filter(text) == expected)
    }

    @Test(arguments: [
        ("5L", "int64", "5"), ("5M", "fixedDecimal", "5"), ("5.5m", "fixedDecimal", "5.5"),
        ("5f", "single", "5"), ("5.5d", "double", "5.5"), ("1e3", "double", "1e3"),
        ("datetime'2020-01-01T00:00'", "dateTime", "2020-01-01T00:00"),
        ("datetimeoffset'2020-01-01T00:00:00Z'", "dateTimeOffset", "2020-01-01T00:00:00Z"),
        ("guid'a'", "guid", "a"), ("time'PT1H'", "time", "PT1H"),
        ("X'00FF'", "hexadecimal", "00FF"),
    ])
    func tellsOlderLiteralsApart(_ text: String, _ kind: String, _ value: String) throws {
        let expected =
            #"{"kind":"literal","offset":9,"type":"\#(kind)","value":"\#(value)"}"#
        #expect(try filter(text, .v2) == expected)
    }

    @Test func bindsOperatorsByPrecedence() throws {
        let text = try filter("not a eq b and c add d mul e lt -f in (1)")
        let kinds = text.split(separator: "\"").filter {
            ["and", "eq", "not", "lt", "add", "mul", "negate", "in"].contains($0)
        }
        #expect(kinds.map(String.init) == ["and", "eq", "not", "lt", "add", "mul", "negate", "in"])
    }

    @Test func decodesOnlyAfterCutting() throws {
        let request = try WrittenRequest(parsing: "Set('a%2Fb%3Fc')/Name?x=%26%3D")
        #expect(request.path.map(\.text) == ["Set('a/b?c')", "Name"])
        #expect(request.options.custom.first?.value == "&=")
    }

    @Test func keepsSlashesInsideParentheses() throws {
        let request = try WrittenRequest(parsing: "Set/$filter(A/B eq 'x/y')/$count")
        #expect(request.path.map(\.name) == ["Set", "$filter", "$count"])
    }

    @Test func keepsKeysGivenAsSegments() throws {
        let request = try WrittenRequest(parsing: "Set/O'Neil/12:30/a(b")
        #expect(request.path.map(\.name) == ["Set", nil, nil, nil])
    }

    @Test func readsOptionsOfQueryBodies() throws {
        let options = try WrittenRequest.options(parsing: "$filter=a eq 1&$top=2")
        #expect(options.top == 2)
        #expect(options.filter != nil)
    }

    @Test func errorsAreJSONToo() {
        do throws(ODataURLError) {
            _ = try WrittenRequest(parsing: "Set?$fliter=a")
            Issue.record("the option does not exist")
        } catch {
            let expected = """
                {"offset":4,"code":"syntax","message":"unknown system query option","found":"$fliter",\
                "expected":[],"suggestion":"$filter"}
                """
            #expect(error.json() == expected)
        }
    }
}
