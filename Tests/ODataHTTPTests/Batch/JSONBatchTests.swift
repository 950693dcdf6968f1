import ODataHTTP
import TestSupport
import Testing

@Suite struct JSONBatchTests {
    /// After the examples of OData 4.01 JSON § 19.1, with members in other orders.
    static let request = Array(
        #"""
        { "@some.annotation": {"a": [1, 2]},
          "requests": [
            {"id": "0", "method": "get", "url": "/service/Customers('ALFKI')"},
            {"body": {"Name": "\u00e4 \"x\"", "n": 1.50}, "url": "Customers", "atomicityGroup": "g1",
             "method": "POST", "id": "1",
             "headers": {"Content-Type": "application/json;odata.metadata=minimal", "prefer": "return=minimal"}},
            {"id": "2", "atomicityGroup": "g1", "dependsOn": ["1", "0"], "method": "patch", "url": "$1/Address",
             "headers": {"content-type": "application/json"}, "body": {}, "unknown": null},
            {"id": "3", "dependsOn": ["g1"], "if": "$1 eq null", "method": "put", "url": "Photos(1)/$value",
             "headers": {"content-type": "image/png"}, "body": "_-8"},
            {"id": "4", "method": "put", "url": "Notes(1)/Text/$value",
             "headers": {"content-type": "text/plain"}, "body": "a\nb"},
            {"id": "5", "method": "delete", "url": "Customers('A%2FB')", "headers": null, "body": null}
          ] }
        """#.utf8
    )

    @Test func readsRequests() throws {
        let batch = try BatchRequest(reading: Self.request, contentType: "application/json")
        #expect(
            batch.outline == [
                "0: GET /service/Customers('ALFKI') 0",
                "[1: POST Customers 35, 2: PATCH $1/Address 2]",
                "3: PUT Photos(1)/$value 2",
                "4: PUT Notes(1)/Text/$value 3",
                "5: DELETE Customers('A%2FB') 0",
            ]
        )
        #expect(batch.parts[1].request.body == Array(#"{"Name": "\u00e4 \"x\"", "n": 1.50}"#.utf8))
        #expect(batch.parts[1].request.headers["Prefer"] == "return=minimal")
        #expect(batch.parts[2].dependsOn == ["1", "0"])
        #expect(batch.parts[3].dependsOn == ["g1"])
        #expect(batch.parts[3].condition == "$1 eq null")
        #expect(batch.parts[3].request.body == [0xFF, 0xEF])
        #expect(batch.parts[4].request.body == Array("a\nb".utf8))
    }

    @Test func writesRequests() throws {
        let post = BatchPart(
            request: HTTPRequest(
                method: "POST",
                url: "Customers",
                headers: [
                    "Content-Type": "application/json", "Content-Length": "9", "A": "1", "a": "2",
                ],
                body: Array(#"{"ID":1.50}"#.utf8)
            )
        )
        let photo = BatchPart(
            contentID: "r1",
            dependsOn: ["g3"],
            request: HTTPRequest(
                method: "PUT",
                url: "P(1)/$value",
                headers: ["Content-Type": "image/png"],
                body: [0xFF, 0xEF]
            )
        )
        let get = BatchPart(request: HTTPRequest(method: "GET", url: "S?$top=1"))
        let encoded = try BatchRequest(items: [.request(get), .changeSet([post]), .request(photo)])
            .encoded(as: .json)
        #expect(encoded.contentType == "application/json")
        #expect(
            HTTPText.text(encoded.body)
                == #"{"requests":[{"id":"r2","method":"get","url":"S?$top=1"},"#
                + #"{"id":"r4","atomicityGroup":"g3","method":"post","url":"Customers","#
                + #""headers":{"content-type":"application/json","a":"1,2"},"body":{"ID":1.50}},"#
                + #"{"id":"r1","dependsOn":["g3"],"method":"put","url":"P(1)/$value","#
                + #""headers":{"content-type":"image/png"},"body":"_-8="}]}"#
        )
    }

    @Test func readsWhatItWrites() throws {
        let batch = try BatchRequest(json: Self.request)
        let again = try BatchRequest(json: batch.json().body)
        #expect(again.outline == batch.outline)
        #expect(again.parts.map(\.request.body) == batch.parts.map(\.request.body))
        #expect(again.parts.map(\.dependsOn) == batch.parts.map(\.dependsOn))
        #expect(again.parts.map(\.condition) == batch.parts.map(\.condition))
    }

    @Test(
        .enabled(if: SharedFolder.isPresent, "needs the folder shared beside the package"),
        arguments: ["lodata/23_batch-json.req.txt", "olingo4-tecsvc/31_batch-json.req.txt"]
    )
    func readsRecordedRequests(path: String) throws {
        let capture = try Capture(request: path)
        let batch = try BatchRequest(reading: capture.body, contentType: capture.contentType)
        #expect(batch.parts.prefix(2).map(\.contentID) == ["1", "2"])
        #expect(batch.parts[0].request.url.hasSuffix("?$top=1"))
        #expect(batch.parts[1].atomicityGroup == "g")
    }

    @Test func refusesHalfABatch() throws {
        for count in 0..<Self.request.count {
            #expect(throws: BatchError.self, "after \(count) bytes") {
                try BatchRequest(json: Array(Self.request.prefix(count)))
            }
        }
    }

    static let get = #""method":"get","url":"a"}"#

    @Test(arguments: [
        // No batch at all.
        "[]", "1", "null", #"{"requests":{}}"#, #"{}"#, #"{"requests":[1]}"#, #"{"requests":[]} x"#,
        #"{"requests":[],"requests":[]}"#, #"{"requests":[],}"#, #"{'requests':[]}"#,
        // Requests without what each must have, or with values of other types.
        #"{"requests":[{"method":"get","url":"a"}]}"#, #"{"requests":[{"id":"1","url":"a"}]}"#,
        #"{"requests":[{"id":"1","method":"get"}]}"#,
        #"{"requests":[{"id":1,"method":"get","url":"a"}]}"#,
        #"{"requests":[{"id":"1","method":"g t","url":"a"}]}"#,
        #"{"requests":[{"id":"1","id":"1",\#(get)]}"#, #"{"a":1,"requests":[],"a":2}"#,
        #"{"requests":[],"requests":[]}"#, #"{"requests":[],"r\u0065quests":[]}"#,
        #"{"requests":[{"id":"1","dependsOn":"2",\#(get)]}"#,
        #"{"requests":[{"id":"1","headers":[],\#(get)]}"#,
        #"{"requests":[{"id":"1","headers":{"content-type":"image/png"},"body":"?",\#(get)]}"#,
        #"{"requests":[{"id":"\uD800",\#(get)]}"#,
        // The order.
        #"{"requests":[{"id":"1",\#(get),{"id":"1",\#(get)]}"#,
        #"{"requests":[{"id":"1","dependsOn":["1"],\#(get)]}"#,
        #"{"requests":[{"id":"1","dependsOn":["2"],\#(get),{"id":"2",\#(get)]}"#,
        #"{"requests":[{"id":"1","atomicityGroup":"1",\#(get)]}"#,
        #"{"requests":[{"id":"1","atomicityGroup":"g",\#(get),{"id":"2",\#(get),{"id":"3","atomicityGroup":"g",\#(get)]}"#,
        #"{"requests":[{"id":"1","atomicityGroup":"g","dependsOn":["g"],\#(get)]}"#,
        #"{"requests":[{"id":"1","atomicityGroup":"g",\#(get),{"id":"g",\#(get)]}"#,
    ])
    func refusesMalformedRequests(text: String) {
        #expect(throws: BatchError(.malformed, "")) { try BatchRequest(json: Array(text.utf8)) }
    }

    /// Names are compared as bytes; those of a body are for its own reader to check.
    @Test func leavesOtherNamesAlone() throws {
        let text =
            "{\"\u{E9}\":1,\"e\u{301}\":2,\"requests\":[{\"id\":\"1\",\"\u{E9}\":1,\"e\u{301}\":2,"
            + "\"method\":\"post\",\"url\":\"a\",\"body\":{\"b\":1,\"b\":2}}]}"
        let batch = try BatchRequest(json: Array(text.utf8))
        #expect(batch.parts[0].request.body == Array(#"{"b":1,"b":2}"#.utf8))
    }

    @Test func keepsLimits() throws {
        var limits = BatchLimits()
        limits.parts = 1
        limits.jsonDepth = 10
        limits.headBytes = 30
        let one = #"{"requests":[{"id":"1",\#(Self.get)]}"#
        #expect(try BatchRequest(json: Array(one.utf8), limits: limits).parts.count == 1)
        let two = #"{"requests":[{"id":"1",\#(Self.get),{"id":"2",\#(Self.get)]}"#
        let deep = #"{"requests":[],"x":\#(String(repeating: "[", count: 100_000))"#
        let long =
            #"{"requests":[{"id":"1","headers":{"x":"\#(String(repeating: "y", count: 30))"},\#(Self.get)]}"#
        for text in [two, deep, long] {
            #expect(throws: BatchError(.tooLarge, "")) {
                try BatchRequest(json: Array(text.utf8), limits: limits)
            }
        }
    }

    @Test(arguments: [
        HTTPRequest(method: "POST", url: "a", body: Array("{".utf8)),
        HTTPRequest(method: "POST", url: "a", body: Array("{} {}".utf8)),
        HTTPRequest(
            method: "POST",
            url: "a",
            headers: ["Content-Type": "text/plain"],
            body: [0xFF]
        ),
        HTTPRequest(method: "POST", url: "a", headers: ["a b": "c"]),
    ])
    func doesNotWriteWhatJSONCannotSay(request: HTTPRequest) {
        #expect(throws: BatchError(.cannotBeWritten, "")) {
            try BatchRequest(items: [.request(BatchPart(request: request))]).json()
        }
    }

    @Test func doesNotWriteAnOrderThatIsNone() {
        let get = HTTPRequest(method: "GET", url: "a")
        let part = BatchPart(contentID: "1", dependsOn: ["2"], request: get)
        #expect(throws: BatchError(.cannotBeWritten, "")) {
            try BatchRequest(items: [.request(part)]).json()
        }
        let twice = BatchPart(contentID: "1", request: get)
        #expect(throws: BatchError(.cannotBeWritten, "")) {
            try BatchRequest(items: [.request(twice), .changeSet([twice])]).json()
        }
    }

    // MARK: - Responses

    static let response = Array(
        #"""
        {"@odata.context": "x", "responses": [
          {"id": "0", "status": 200, "headers": {"Content-Type": "application/json"}, "body": {"value": []}},
          {"status": 201, "atomicityGroup": "g1", "id": "1", "headers": {"location": "S(1)", "x-number": 7}},
          {"id": "3", "status": 424},
          {"id": "2", "status": "204", "atomicityGroup": "g1", "headers": null, "body": null},
          {"id": 4, "status": 200, "headers": {"content-type": "text/plain"}, "body": "a\tb"}
        ], "@nextLink": "batch?page=2"}
        """#.utf8
    )
    static let outline = ["0: 200 13", "[1: 201 0, 2: 204 0]", "3: 424 0", "4: 200 3"]

    @Test func readsResponses() throws {
        let batch = try BatchResponse(
            reading: Self.response,
            contentType: "application/json;odata.metadata=minimal"
        )
        #expect(batch.outline == Self.outline)
        #expect(batch.isComplete)
        #expect(batch.nextLink == "batch?page=2")
        #expect(batch.parts[1].response.headers["Location"] == "S(1)")
        #expect(batch.parts[1].response.headers["X-Number"] == "7")
    }

    @Test func givesWholeAnswersOfACutBody() throws {
        let whole = BatchResponse(json: Self.response)
        for count in 0..<Self.response.count {
            let cut = BatchResponse(json: Array(Self.response.prefix(count)))
            #expect(!cut.isComplete)
            for part in cut.parts {
                let twin = try #require(whole.parts.first { $0.contentID == part.contentID })
                #expect(part.response.status == twin.response.status)
                #expect(part.response.body == twin.response.body)
            }
        }
        let end = try #require(HTTPText.text(Self.response).firstRange(of: "{\"id\": \"3\""))
        let cut = BatchResponse(json: Array(HTTPText.text(Self.response)[..<end.lowerBound].utf8))
        #expect(cut.outline == ["0: 200 13", "[1: 201 0]"])
        #expect(cut.problem == BatchError(.incomplete, ""))
    }

    @Test func writesResponses() throws {
        let encoded = try BatchResponse(json: Self.response).encoded(as: .json)
        #expect(
            HTTPText.text(encoded.body)
                == #"{"responses":[{"id":"0","status":200,"headers":{"content-type":"application/json"},"#
                + #""body":{"value": []}},"#
                + #"{"id":"1","atomicityGroup":"g1","status":201,"headers":{"location":"S(1)","x-number":"7"}},"#
                + #"{"id":"2","atomicityGroup":"g1","status":204},{"id":"3","status":424},"#
                + #"{"id":"4","status":200,"headers":{"content-type":"text/plain"},"body":"a\tb"}],"#
                + #""@nextLink":"batch?page=2"}"#
        )
        #expect(BatchResponse(json: encoded.body).outline == Self.outline)
    }

    @Test(arguments: [#"{"id":"9"}"#, #"{"id":"9","status":"x"}"#, #"{"id":"9","status":7}"#, "7"])
    func stopsAtWhatItCannotUnderstand(element: String) {
        let text = #"{"responses":[{"id":"0","status":200},\#(element),{"id":"1","status":200}]}"#
        let batch = BatchResponse(json: Array(text.utf8))
        #expect(batch.outline == ["0: 200 0"])
        #expect(batch.problem == BatchError(.malformed, ""))
    }

    @Test func doesNotWriteAnAnswerWithoutName() {
        let part = BatchResponsePart(response: HTTPResponse(status: 200))
        #expect(throws: BatchError(.cannotBeWritten, "")) {
            try BatchResponse(items: [.response(part)]).json()
        }
    }

    @Test func survivesDamage() {
        for position in Self.response.indices {
            for byte: UInt8 in [0x00, 0x22, 0x5C, 0x5D, 0x7D, 0xFF] {
                var damaged = Self.response
                damaged[position] = byte
                #expect(BatchResponse(json: damaged).parts.count <= 5)
            }
        }
    }

    @Test func refusesOtherFormats() {
        #expect(throws: BatchError(.wrongContentType, "")) {
            try BatchRequest(reading: Self.request, contentType: "application/xml")
        }
        #expect(throws: BatchError(.wrongContentType, "")) {
            try BatchResponse(reading: Self.response, contentType: "nonsense")
        }
    }
}
