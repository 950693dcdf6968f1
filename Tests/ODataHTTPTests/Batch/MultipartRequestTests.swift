import ODataHTTP
import TestSupport
import Testing

@Suite struct MultipartRequestTests {
    static let type = "multipart/mixed; boundary=batch_1"

    /// After the example of OData 4.01 Part 1 § 11.7.7.2.
    static let literal = crlf(
        """
        --batch_1
        Content-Type: application/http
        Content-Transfer-Encoding: binary

        GET /service/Customers('ALFKI') HTTP/1.1
        Host: host.example


        --batch_1
        Content-Type: multipart/mixed; boundary=changeset_2

        --changeset_2
        Content-Type: application/http
        Content-Transfer-Encoding: binary
        Content-ID: 1

        POST /service/Customers HTTP/1.1
        Host: host.example
        Content-Type: application/json
        Content-Length: 13

        {"ID":"\u{E4}\u{F6}"}
        --changeset_2
        Content-Type: application/http
        Content-Transfer-Encoding: binary
        Content-ID: 2

        PATCH $1/Address HTTP/1.1
        Host: host.example
        Content-Type: application/json
        If-Match: W/"x"
        Content-Length: 2

        {}
        --changeset_2--

        --batch_1
        Content-Type: application/http
        Content-Transfer-Encoding: binary

        DELETE Customers('a%2Fb') HTTP/1.1


        --batch_1--

        """
    )

    @Test func readsTheExample() throws {
        let batch = try BatchRequest(multipart: Self.literal, contentType: Self.type)
        #expect(
            batch.outline == [
                "GET /service/Customers('ALFKI') 0",
                "[1: POST /service/Customers 13, 2: PATCH $1/Address 2]",
                "DELETE Customers('a%2Fb') 0",
            ]
        )
        #expect(batch.parts[2].request.headers["if-match"] == "W/\"x\"")
        #expect(batch.parts[1].request.body == Array("{\"ID\":\"äö\"}".utf8))
    }

    @Test func writesTheExample() throws {
        let part = BatchPart(
            request: HTTPRequest(
                method: "GET",
                url: "Customers('a%2Fb')?$top=1",
                headers: ["Accept": "application/json"]
            )
        )
        let post = BatchPart(
            contentID: "1",
            request: HTTPRequest(
                method: "POST",
                url: "Customers",
                headers: ["Content-Type": "application/json", "Content-Length": "99"],
                body: Array("{}".utf8)
            )
        )
        let encoded = try BatchRequest(items: [.request(part), .changeSet([post])])
            .multipart(boundary: .counting())
        #expect(encoded.contentType == "multipart/mixed; boundary=batch_2")
        let expected = crlf(
            """
            --batch_2
            Content-Type: application/http
            Content-Transfer-Encoding: binary

            GET Customers('a%2Fb')?$top=1 HTTP/1.1
            Accept: application/json


            --batch_2
            Content-Type: multipart/mixed; boundary=changeset_1

            --changeset_1
            Content-Type: application/http
            Content-Transfer-Encoding: binary
            Content-ID: 1

            POST Customers HTTP/1.1
            Content-Type: application/json
            Content-Length: 2

            {}
            --changeset_1--

            --batch_2--

            """
        )
        #expect(HTTPText.text(encoded.body) == HTTPText.text(expected))
    }

    @Test func readsWhatItWrites() throws {
        let batch = try BatchRequest(multipart: Self.literal, contentType: Self.type)
        let encoded = try batch.multipart(boundary: .counting())
        let again = try BatchRequest(multipart: encoded.body, contentType: encoded.contentType)
        #expect(again.outline == batch.outline)
        #expect(again.parts.map(\.request.headers) == batch.parts.map(\.request.headers))
        #expect(again.parts.map(\.request.body) == batch.parts.map(\.request.body))
    }

    @Test(
        .enabled(if: SharedFolder.isPresent, "needs the folder shared beside the package"),
        arguments: [
            ("lodata/22_batch.req.txt", "Categories"),
            ("olingo2-ref/24_batch.req.txt", "Buildings"),
            ("olingo4-tecsvc/30_batch.req.txt", "ESTwoPrim"),
            ("pyslet/26_batch.req.txt", "Categories"),
        ]
    )
    func readsRecordedRequests(path: String, set: String) throws {
        let capture = try Capture(request: path)
        let batch = try BatchRequest(multipart: capture.body, contentType: capture.contentType)
        #expect(batch.items.count == 3)
        #expect(batch.outline.first == "GET \(set)?$top=1 0")
        #expect(batch.parts.map(\.contentID) == [nil, "1", "2", "1"])
        #expect(batch.parts.map(\.request.method) == ["GET", "POST", "DELETE", "POST"])
        #expect(batch.parts[2].request.url == "\(set)(987654)")
    }

    @Test func refusesHalfABatch() {
        // The end of the last line is no part of the batch.
        for count in 0..<(Self.literal.count - 2) {
            #expect(throws: BatchError.self, "after \(count) bytes") {
                try BatchRequest(
                    multipart: Array(Self.literal.prefix(count)),
                    contentType: Self.type
                )
            }
        }
    }

    @Test(arguments: [
        "application/json", "multipart/mixed", "multipart/mixed;boundary=",
        "multipart/form-data;boundary=b", "",
    ])
    func refusesContentTypes(type: String) {
        #expect(throws: BatchError(.wrongContentType, "")) {
            try BatchRequest(multipart: Self.literal, contentType: type)
        }
    }

    static let head = "--b\nContent-Type: application/http\n\n"
    static let malformed = [
        // No type, a wrong type, a wrong encoding.
        "--b\n\nGET a HTTP/1.1\n\n--b--",
        "--b\nContent-Type: text/plain\n\nGET a HTTP/1.1\n\n--b--",
        "--b\nContent-Type: application/http\nContent-Transfer-Encoding: base64\n\nR0VU\n--b--",
        // Heads and start lines.
        "--b\nContent-Type: application/http\nno field\n\nGET a HTTP/1.1\n\n--b--",
        head + "GET a HTTP/1.1\nno field\n\n--b--", head + "GET a HTTP/1.1\n: x\n\n--b--",
        // White space before a colon (RFC 9112 § 5.1).
        head + "GET a HTTP/1.1\nAccept : */*\n\n--b--",
        head + "GET a HTTP/1.1\nAccept\t: */*\n\n--b--",
        head + "GET a\n\n--b--", head + "GET HTTP/1.1\n\n--b--", head + "\n--b--", head + "--b--",
        head + "G(T a HTTP/1.1\n\n--b--", head + "GET a\u{1}b HTTP/1.1\n\n--b--",
        // Change sets without boundary, and in each other.
        "--b\nContent-Type: multipart/mixed\n\n--c\n--c--\n--b--",
        "--b\nContent-Type: multipart/mixed;boundary=c\n\n--c\nContent-Type: multipart/mixed;boundary=d\n\n--d--\n--c--\n--b--",
    ]

    @Test(arguments: malformed) func refusesMalformedParts(text: String) {
        #expect(throws: BatchError(.malformed, "")) {
            try BatchRequest(multipart: crlf(text), contentType: "multipart/mixed;boundary=b")
        }
    }

    @Test func refusesAChangeSetWithoutItsEnd() {
        let text = "--b\nContent-Type: multipart/mixed;boundary=c\n\n--c\n\n--b--"
        #expect(throws: BatchError(.incomplete, "")) {
            try BatchRequest(multipart: crlf(text), contentType: "multipart/mixed;boundary=b")
        }
    }

    @Test func tellsThePlace() throws {
        let text = Self.head + "GET a HTTP/1.1\n\n\n" + Self.head + "oops\n--b--"
        let error = try #require(throws: BatchError.self) {
            try BatchRequest(multipart: Array(text.utf8), contentType: "multipart/mixed;boundary=b")
        }
        #expect(Array(text.utf8)[error.offset...].starts(with: Array("oops".utf8)))
    }

    @Test func keepsLimits() throws {
        var limits = BatchLimits()
        limits.parts = 2
        limits.headBytes = 60
        let part = Self.head + "GET a HTTP/1.1\nX: y\n\n\n"
        func read(_ text: String) throws -> Int {
            let type = "multipart/mixed;boundary=b"
            return try BatchRequest(multipart: Array(text.utf8), contentType: type, limits: limits)
                .parts.count
        }
        #expect(try read(part + part + "--b--") == 2)
        #expect(throws: BatchError(.tooLarge, "")) { try read(part + part + part + "--b--") }
        let long = Self.head + "GET a HTTP/1.1\nX: \(String(repeating: "y", count: 60))\n\n\n--b--"
        #expect(throws: BatchError(.tooLarge, "")) { try read(long) }
    }

    @Test(arguments: [
        HTTPRequest(method: "GET", url: "a b"), HTTPRequest(method: "GET", url: ""),
        HTTPRequest(method: "GET", url: "a\r\nX: y"), HTTPRequest(method: "G T", url: "a"),
        HTTPRequest(method: "", url: "a"),
        HTTPRequest(method: "GET", url: "a", headers: ["X": "y\nZ: z"]),
        HTTPRequest(method: "GET", url: "a", headers: ["X ": "y"]),
    ])
    func doesNotWriteWhatWouldBeMisread(request: HTTPRequest) {
        #expect(throws: BatchError(.cannotBeWritten, "")) {
            try BatchRequest(items: [.request(BatchPart(request: request))]).multipart()
        }
        #expect(throws: BatchError(.cannotBeWritten, "")) {
            try BatchRequest(items: [.changeSet([BatchPart(contentID: "1\r\n", request: request)])])
                .multipart()
        }
    }

    @Test func takesAnotherBoundaryWhereTheBodyHoldsOne() throws {
        let body = Array("x\n--batch_1\n--batch_2--".utf8)
        let part = BatchPart(request: HTTPRequest(method: "POST", url: "a", body: body))
        let encoded = try BatchRequest(items: [.request(part)]).multipart(boundary: .counting())
        #expect(encoded.contentType == "multipart/mixed; boundary=batch_3")
        let again = try BatchRequest(multipart: encoded.body, contentType: encoded.contentType)
        #expect(again.parts.first?.request.body == body)
    }

    @Test(arguments: ["", "a b", "a\"", String(repeating: "a", count: 71)])
    func refusesUnusableBoundaries(boundary: String) {
        #expect(throws: BatchError(.cannotBeWritten, "")) {
            try BatchRequest().multipart(boundary: BatchBoundary { _ in boundary })
        }
    }

    @Test func makesRandomBoundaries() throws {
        let types = try (0..<10).map { _ in try BatchRequest().multipart().contentType }
        #expect(Set(types).count == 10)
    }
}
