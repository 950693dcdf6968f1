import ODataPayload
import TestSupport
import Testing

/// What is refused, with its code and place.
@Suite struct PayloadRefusalTests {
    @Test func namesThePlaceOfAWrongType() throws {
        let payload = """
            {"value":[
            {"ID":"A"},
            {"ID":"B","Home":{"City":7}}]}
            """
        let error = try #require(try failure(payload))
        #expect(error.code == .wrongType)
        #expect(error.message == "expected String, found a number")
        #expect(error.path == "value[1]/Home/City")
        #expect(error.line == 3)
        #expect(error.column == 26)
        #expect(error.byteOffset == 48)
    }

    /// What services and gateways answer under the name of JSON.
    @Test(
        arguments: [
            (
                NamedBytes("HTML", "\r\n<!DOCTYPE html><html><body>Log on</body></html>"),
                "found an HTML page, most likely a logon page"
            ),
            (
                NamedBytes(
                    "Atom",
                    "<?xml version=\"1.0\"?><feed xmlns=\"http://www.w3.org/2005/Atom\"/>"
                ),
                "found Atom that is labelled as JSON"
            ),
            (NamedBytes("XML", "<?xml version=\"1.0\"?><a/>"), "found XML"),
            (NamedBytes("array", "[1]"), "found an array"),
            (
                NamedBytes("UTF-16 with a byte order mark", [0xFF, 0xFE, 0x7B, 0x00]),
                "in UTF-8, found UTF-16"
            ),
            (NamedBytes("UTF-16", [0x00, 0x7B]), "in UTF-8, found UTF-16"),
        ] as [(NamedBytes, String)]
    )
    func saysWhatStandsInThePlaceOfJSON(_ payload: NamedBytes, _ message: String) throws {
        let error = try #require(throws: PayloadError.self) {
            _ = try readPayload(payload.bytes, ShopModel.v4, set: "Customers")
        }
        #expect(error.code == .malformed)
        #expect(error.message.contains(message), "\(error.message)")
    }

    @Test func namesThePlaceInsideInlineEntities() throws {
        let error = try #require(try failure(#"{"ID":"A","Orders":[{"ID":1},{"ID":true}]}"#))
        #expect(error.path == "Orders[1]/ID")
        #expect(error.message == "expected Int64, found a Boolean")
    }

    @Test func countsLinesThatLeftTheWindow() throws {
        let items = (0..<30_000).map { "{\"ID\":\"\($0)\"},\n" }.joined()
        let error = try #require(try failure("{\"value\":[\n\(items){\"ID\":1}]}"))
        #expect(error.line == 30_002)
        #expect(error.column == 7)
        #expect(error.path == "value[30000]/ID")
    }

    @Test(arguments: [
        ("ID", "1"), ("ID", "true"), ("ID", "{}"), ("ID", "[]"), ("Age", #""5""#), ("Age", "5.5"),
        ("Age", "5.01"), ("Age", "2147483648.0"),
        ("Age", "15e-1"), ("Age", "1e5"),
        ("Age", "32768"), ("Age", "-32769"), ("Age", "true"), ("Age", "99999999999999999999999"),
        ("Rating", #""1.5""#),
        ("Rating", "1e999"), ("Rating", "[]"), ("Active", #""true""#), ("Active", "1"),
        ("Key", #""x""#), ("Key", "1"),
        ("Color", "true"), ("Color", #""1x""#), ("Home", "[]"), ("Home", "1"), ("Balance", #""x""#),
        ("Balance", "true"),
        ("Orders", "{}"), ("Orders", "1"), ("LastOrder", "[]"), ("LastOrder", #""x""#),
    ])
    func refusesWrongTypes(_ name: String, _ value: String) throws {
        let error = try #require(try failure(#"{"value":[{"\#(name)":\#(value)}]}"#))
        #expect(error.code == .wrongType)
        #expect(error.path == "value[0]/\(name)")
    }

    @Test(arguments: [
        "[]", "1", "null", "\"x\"", "<html>", "{value:[]}", #"{"value":[1]}"#, #"{"value":[null]}"#,
        #"{"value":[[]]}"#,
        #"{"value":[{}{}]}"#, #"{"value":[{},]}"#, #"{"value":[,{}]}"#, #"{"value":[{}],}"#,
        #"{"value" [{}]}"#,
        #"{"value":[{"ID"}]}"#, #"{"value":[{"ID":}]}"#, #"{"value":[{"ID":"a",}]}"#,
        #"{"value":[{"ID":"a" "Name":"b"}]}"#,
        #"{"value":[{"ID":"\x"}]}"#, #"{"value":[{"ID":"\u12"}]}"#, #"{"value":[{"ID":"\uD800"}]}"#,
        #"{"value":[{"ID":"\uDC00"}]}"#, #"{"value":[{"ID":"\uD800\u0041"}]}"#,
        #"{"value":[{"Age":01}]}"#,
        #"{"value":[{"Age":-}]}"#, #"{"value":[{"Age":+1}]}"#, #"{"value":[{"Rating":1.}]}"#,
        #"{"value":[{"Rating":.5}]}"#,
        #"{"value":[{"Rating":NaN}]}"#, #"{"value":[{"Active":tru}]}"#,
        #"{"value":[{"Active":trues}]}"#,
        #"{"value":[{"Name":nul}]}"#, #"{"value":[{"X":[1,]}]}"#, #"{"value":[{"X":{"a":1,}}]}"#,
        #"{"value":[{"X":[1}]}]}"#,
        #"{"value":[{"X":'a'}]}"#, #"{"value":[{"X":"\q"}]}"#, #"{"value":[{"Tags":[01]}]}"#,
        #"{"value":[{]}"#,
        "{\"value\":[{\"ID\":\"a\u{1}\"}]}", "{\"value\":[{\"ID\":\"a\n\"}]}",
    ])
    func refusesWhatIsNoJSON(_ payload: String) throws {
        let error = try #require(try failure(payload))
        #expect([.malformed, .wrongType].contains(error.code), "\(error)")
    }

    @Test(
        arguments: [
            NamedBytes("overlong form of U+0000", [0xC0, 0x80]),
            NamedBytes("no first byte of a character", [0xFF]),
            NamedBytes("surrogate", [0xED, 0xA0, 0x80]),
            NamedBytes("beyond U+10FFFF", [0xF4, 0x90, 0x80, 0x80]),
            NamedBytes("cut off", [0xE2, 0x82]), NamedBytes("continuation alone", [0x80]),
        ]
    )
    func refusesBytesThatAreNotUTF8(_ text: NamedBytes) throws {
        for (before, after) in [
            (#"{"value":[{"ID":""#, #""}]}"#), (#"{"value":[{"X":""#, #""}]}"#),
            (#"{"value":[{"Tags":[""#, #""]}]}"#),
            (#"{"value":[{"Z"#, #"":1}]}"#), (#"{"@odata.context":""#, #"","value":[]}"#),
        ] {
            let payload = Array(before.utf8) + text.bytes + Array(after.utf8)
            #expect(throws: PayloadError.self) {
                try readPayload(payload, ShopModel.v4, set: "Customers")
            }
        }
    }

    @Test(arguments: [
        #"{"ID":"a","ID":"b"}"#, #"{"ID":"a","Name":"b","ID":"c"}"#, #"{"X":1,"X":2}"#,
        #"{"Home":{"City":"a","City":"b"}}"#,
        #"{"@odata.etag":"a","ID":"x","@odata.etag":"b"}"#, #"{"value":[],"value":[]}"#,
        #"{"value":[],"@odata.count":1,"@odata.count":2}"#,
        #"{"Orders":[{"ID":1,"ID":2}]}"#, #"{"Home":{"City":"a"},"Name":"x","Home":{"City":"a"}}"#,
        #"{"a":1,"b":1,"c":1,"d":1,"e":1,"f":1,"g":1,"h":1,"i":1,"j":1,"a":2}"#,
    ])
    func refusesDuplicateMembers(_ payload: String) throws {
        #expect(try failure(payload)?.code == .duplicateMember)
    }

    /// Objects that are kept as they are written, or passed over, have each name once as well.
    @Test(arguments: [
        (#"{"X":{"a":1,"a":2}}"#, "X/a"), (#"{"X":[1,{"b":{"a":1,"c":[],"a":2}}]}"#, "X[1]/b/a"),
        (#"{"X":{"a":1,"\u0061":2}}"#, #"X/\u0061"#), (#"{"X":{"\u0061":1,"a":2}}"#, "X/a"),
        (#"{"X":{"\u0061":1,"\u0061":2}}"#, #"X/\u0061"#),
        (#"{"X":1,"\u0058":2}"#, #"\u0058"#), (#"{"Tags":[{"a":1,"a":2}]}"#, "Tags[0]/a"),
        (#"{"X":{"abcdefgh1abcdefgh":1,"abcdefgh1abcdefgh":2}}"#, "X/abcdefgh1abcdefgh"),
    ])
    func refusesDuplicateMembersOfWhatIsPassedOver(_ payload: String, _ path: String) throws {
        let error = try #require(try failure(payload))
        #expect(error.code == .duplicateMember)
        #expect(error.path == path)
    }

    @Test func refusesDuplicateMembersAmongMany() throws {
        let names = (0..<100).map { "n\($0)" }
        func object(_ names: [String]) -> String {
            #"{"X":{"# + names.map { "\"\($0)\":0" }.joined(separator: ",") + "}}"
        }
        #expect(try failure(object(names)) == nil)
        for name in [names[0], names[15], names[16], names[99]] {
            #expect(try failure(object(names + [name]))?.code == .duplicateMember)
            let escaped = #"\u006e"# + name.dropFirst()
            #expect(try failure(object(names + [escaped]))?.code == .duplicateMember)
            #expect(try failure(object([escaped] + names))?.code == .duplicateMember)
        }
    }

    /// Names that begin and end alike are held against each other byte by byte; equivalent letters are different names.
    @Test(arguments: [
        #"{"X":{"abcdefgh1abcdefgh":1,"abcdefgh2abcdefgh":2}}"#,
        "{\"X\":{\"\u{E9}\":1,\"e\u{301}\":2}}",
        #"{"X":{"a":1,"aa":2,"":3,"A":{"a":1}}}"#,
    ])
    func takesDifferentNames(_ payload: String) throws {
        #expect(try failure(payload) == nil)
    }

    @Test(arguments: ["{} {}", #"{"value":[]}]"#, #"{"value":[]}x"#, "{}\0"])
    func refusesTrailingBytes(_ payload: String) throws {
        #expect(try failure(payload)?.code == .trailingBytes)
    }

    @Test func reportsAnErrorInTheStream() throws {
        let error = try #require(
            try failure(#"{"value":[{"ID":"a"}],"error":{"code":"X1","message":"out of luck"}}"#)
        )
        #expect(error.code == .inStreamError)
        #expect(error.service?.code == "X1")
        #expect(error.message == "the service reports: out of luck")
    }

    @Test(arguments: [
        #"{"error":{"code":"X1","message":"m"}}"#,
        #"{"@odata.context":"x","value":[],"@odata.error":{"code":"X1","message":"m"}}"#,
        #"{"value":[{"@error":{"code":"X1","message":"m"}}]}"#,
        #"{"value":[{"@error":{"code":"X1","message":"m","innererror":{"a":1,"a":2}}}]}"#,
    ])
    func reportsErrorsInPlaceOfData(_ payload: String) throws {
        let error = try #require(try failure(payload))
        #expect(error.code == .inStreamError)
        #expect(error.service?.code == "X1")
    }

    @Test(arguments: [#"{"value":1}"#, #"{"value":{"ID":1}}"#, #"{"value":null}"#])
    func refusesValuesThatAreNoEntities(_ payload: String) throws {
        #expect(try failure(payload, set: "Orders")?.code == .unexpectedContent)
    }

    // MARK: Limits

    @Test func holdsTheLimitOfDepth() throws {
        var limits = PayloadLimits()
        limits.maximumDepth = 10
        func nested(_ count: Int) -> String {
            #"{"value":[{"X":"# + String(repeating: "[", count: count)
                + String(repeating: "]", count: count) + "}]}"
        }
        #expect(try failure(nested(9), limits: limits) == nil)
        #expect(try failure(nested(10), limits: limits)?.code == .limitExceeded)
        #expect(try failure(String(repeating: "[", count: 100_000))?.code == .malformed)
        #expect(
            try failure(#"{"a":"# + String(repeating: "[", count: 100_000))?.code == .limitExceeded
        )
        #expect(
            try failure(String(repeating: #"{"Orders":["#, count: 10_000))?.code == .limitExceeded
        )
    }

    @Test func holdsTheLimitOfSize() throws {
        var limits = PayloadLimits()
        limits.maximumItemBytes = 1_000
        func sized(_ count: Int) -> String {
            #"{"value":[{"ID":""# + String(repeating: "x", count: count - 9) + #""}]}"#
        }
        #expect(try failure(sized(1_000), limits: limits) == nil)
        #expect(try failure(sized(1_001), limits: limits)?.code == .limitExceeded)
    }

    @Test func holdsTheLimitOfMembers() throws {
        var limits = PayloadLimits()
        limits.maximumMembers = 5
        func members(_ count: Int) -> String {
            "{" + (0..<count).map { "\"m\($0)\":1" }.joined(separator: ",") + "}"
        }
        #expect(try failure(members(5), limits: limits) == nil)
        #expect(try failure(members(6), limits: limits)?.code == .limitExceeded)
    }

    @Test func holdsTheLimitOfEntities() throws {
        var limits = PayloadLimits()
        limits.maximumEntities = 2
        #expect(try failure(#"{"value":[{},{}]}"#, limits: limits) == nil)
        #expect(try failure(#"{"value":[{},{},{}]}"#, limits: limits)?.code == .limitExceeded)
    }

    // MARK: Cut and changed payloads

    @Test func saysThatAPayloadIsCutWhereverItIs() throws {
        let payload = Array(PayloadSamples.rich.utf8)
        for length in 0..<payload.count {
            let cut = Array(payload[..<length])
            do {
                _ = try readPayload(cut, ShopModel.v4, set: "Customers")
                Issue.record("read \(length) bytes without complaint")
            } catch let error as PayloadError {
                #expect(error.code == .truncated, "\(length): \(error)")
                #expect(error.byteOffset == length)
            }
        }
    }

    @Test func survivesChangedBytes() throws {
        var generator = SeededGenerator(seed: 99)
        let payload = Array(PayloadSamples.rich.utf8)
        let letters = Array("{}[]\",:\\ \n0-eEnt@x".utf8) + [0x00, 0x80, 0xC3, 0xFF]
        for _ in 0..<3_000 {
            var changed = payload
            for _ in 0..<Int.random(in: 1...3, using: &generator) {
                let place = Int.random(in: 0..<changed.count, using: &generator)
                switch Int.random(in: 0..<3, using: &generator) {
                case 0: changed[place] = letters.randomElement(using: &generator) ?? 0
                case 1: changed.remove(at: place)
                default: changed.insert(letters.randomElement(using: &generator) ?? 0, at: place)
                }
            }
            let pieces = Int.random(in: 1...300, using: &generator)
            let whole = outcome(changed, pieces: .max)
            #expect(whole == outcome(changed, pieces: pieces))
        }
    }

    /// The lines, or the code of the error.
    private func outcome(_ payload: [UInt8], pieces: Int) -> String {
        do {
            return try readPayload(payload, ShopModel.v4, set: "Customers", pieces: pieces).text
        } catch let error as PayloadError {
            return "\(error)"
        } catch {
            return "another error: \(error)"
        }
    }
}
