import ODataHTTP
import TestSupport
import Testing

@Suite struct MultipartResponseTests {
    static let type = "multipart/mixed; boundary=b"

    /// A read, a change set, the one answer to a failed change set, and an answer without body.
    static let literal = crlf(
        """
        --b
        Content-Type: application/http
        Content-Transfer-Encoding: binary

        HTTP/1.1 200 OK
        Content-Type: application/json
        Content-Length: 12

        {"value":[]}
        --b
        Content-Type: multipart/mixed; boundary=b1

        --b1
        Content-Type: application/http
        Content-ID: 1

        HTTP/1.1 201 Created
        Location: http://host/S(1)
        ETag: W/"1"

        {"ID":1}
        --b1
        Content-Type: application/http
        Content-ID: 2

        HTTP/1.1 204 No Content


        --b1--

        --b
        Content-Type: application/http

        HTTP/1.1 412 Precondition Failed
        Content-Type: application/json

        {"error":{}}
        --b--

        """
    )
    static let outline = ["200 12", "[1: 201 8, 2: 204 0]", "412 12"]

    static func read(_ text: String, type: String = type) throws -> BatchResponse {
        try BatchResponse(multipart: crlf(text), contentType: type)
    }

    @Test func readsAnswers() throws {
        let batch = try BatchResponse(multipart: Self.literal, contentType: Self.type)
        #expect(batch.outline == Self.outline)
        #expect(batch.isComplete)
        #expect(batch.parts[1].response.headers["location"] == "http://host/S(1)")
    }

    @Test func readsAnswersWithoutReturns() throws {
        let plain = Self.literal.filter { $0 != 0x0D }
        let batch = try BatchResponse(multipart: plain, contentType: Self.type)
        #expect(batch.outline == Self.outline)
        #expect(batch.isComplete)
    }

    @Test func writesWhatItReads() throws {
        let batch = try BatchResponse(multipart: Self.literal, contentType: Self.type)
        let encoded = try batch.multipart(boundary: .counting())
        let text = HTTPText.text(encoded.body)
        #expect(
            text.hasPrefix(
                "--batch_2\r\nContent-Type: application/http\r\nContent-Transfer-Encoding: binary\r\n\r\nHTTP/1.1 200 OK\r\n"
            )
        )
        #expect(text.hasSuffix("\r\n\r\n{\"error\":{}}\r\n--batch_2--\r\n"))
        let again = try BatchResponse(multipart: encoded.body, contentType: encoded.contentType)
        #expect(again.outline == Self.outline)
    }

    // MARK: - Recorded

    @Test(
        .enabled(if: SharedFolder.isPresent, "needs the folder shared beside the package"),
        arguments: [
            ("lodata/22_batch.http", ["200 194", "[201 126, 404 109]", "[201 126]"]),
            ("olingo2-ref/24_batch.http", ["200 348", "400 113", "[1: 201 331]"]),
            ("olingo4-tecsvc/30_batch.http", ["200 173", "400 80"]),
        ]
    )
    func readsRecordedAnswers(path: String, outline: [String]) throws {
        let capture = try Capture(response: path)
        let batch = try BatchResponse(multipart: capture.body, contentType: capture.contentType)
        #expect(batch.outline == outline)
        #expect(batch.isComplete)
        for count in 0..<capture.body.count {
            let cut = try BatchResponse(
                multipart: Array(capture.body.prefix(count)),
                contentType: capture.contentType
            )
            expectPrefix(cut, of: batch, isWhole: capture.body[count...].allSatisfy { $0 <= 0x20 })
        }
    }

    @Test(
        .enabled(if: SharedFolder.isPresent, "needs the folder shared beside the package"),
        arguments: [
            "pyslet/26_batch.http", "lodata/23_batch-json.http",
            "olingo4-tecsvc/31_batch-json.http",
        ]
    )
    func refusesAnswersThatAreNoBatch(path: String) throws {
        let capture = try Capture(response: path)
        #expect(throws: BatchError(.wrongContentType, "")) {
            try BatchResponse(multipart: capture.body, contentType: capture.contentType)
        }
    }

    // MARK: - Cut

    /// Nothing but whole answers, in order, and the truth about the rest.
    private func expectPrefix(_ cut: BatchResponse, of whole: BatchResponse, isWhole: Bool) {
        #expect(cut.isComplete == isWhole)
        let bodies = cut.parts.map(\.response.body)
        #expect(bodies == whole.parts.prefix(bodies.count).map(\.response.body))
        #expect(cut.outline == Array(whole.outline.prefix(cut.items.count)))
        if !cut.isComplete { #expect(cut.problem == BatchError(.incomplete, "")) }
    }

    @Test func givesWholePartsOfACutAnswer() throws {
        let whole = try BatchResponse(multipart: Self.literal, contentType: Self.type)
        for count in 0..<Self.literal.count {
            let cut = try BatchResponse(
                multipart: Array(Self.literal.prefix(count)),
                contentType: Self.type
            )
            expectPrefix(cut, of: whole, isWhole: count >= Self.literal.count - 2)
        }
    }

    @Test func givesMembersOfABrokenChangeSet() throws {
        let text = HTTPText.text(Self.literal)
        let end = try #require(text.firstRange(of: "HTTP/1.1 204"))
        let batch = try BatchResponse(
            multipart: Array(text[..<end.upperBound].utf8),
            contentType: Self.type
        )
        #expect(batch.outline == ["200 12"])
        #expect(batch.brokenChangeSet.map(BatchResponse.outline) == ["1: 201 8"])
    }

    /// The cut inner boundary `--b1` must not pass for the outer one, `--b`.
    @Test func doesNotTakeACutBoundaryForAnother() throws {
        let text = HTTPText.text(Self.literal)
        let place = try #require(text.ranges(of: "\r\n--b1\r\n").last)
        let cut = Array(text[..<place.lowerBound].utf8) + Array("\r\n--b".utf8)
        let batch = try BatchResponse(multipart: cut, contentType: Self.type)
        #expect(batch.outline == ["200 12"])
        #expect(batch.brokenChangeSet.isEmpty)
    }

    // MARK: - Lenient

    static let head = "--b\nContent-Type: application/http\n\n"

    @Test(arguments: [
        // Preamble, epilogue, blanks after boundaries, no line end after the last.
        "preamble\n\n" + head + "HTTP/1.1 200 OK\n\nab\n--b-- \t\nepilogue\n--b\n",
        "\n--b \t\nContent-Type: application/http\n\nHTTP/1.1 200 OK\n\nab\n--b--",
        // Names in any case, types with parameters, folded fields.
        "--b\ncONTENT-tYPE: Application/HTTP;\n msgtype=response\n\nHTTP/1.1 200 OK\n\nab\n--b--",
        // No head of its own, no type, lines that are no fields.
        "--b\nHTTP/1.1 200 OK\n\nab\n--b--", "--b\n\nHTTP/1.1 200 OK\n\nab\n--b--",
        "--b\nContent-Type: text/plain\n\nHTTP/1.1 200 OK\n\nab\n--b--",
        head + "HTTP/1.1 200 OK\nwhat is this\n\nab\n--b--",
        // Empty lines before the status line, no reason, other versions.
        head + "\n\nHTTP/1.1 200\n\nab\n--b--", head + "HTTP/1.0  200  OK\n\nab\n--b--",
        head + "HTTP/2 200 \n\nab\n--b--",
        // Lengths: right with more line ends after, too long, too short, no number.
        head + "HTTP/1.1 200 OK\nContent-Length: 2\n\nab\n\n\n--b--",
        head + "HTTP/1.1 200 OK\nContent-Length: 999\n\nab\n--b--",
        head + "HTTP/1.1 200 OK\nContent-Length: 1\n\nab\n--b--",
        head + "HTTP/1.1 200 OK\nContent-Length: x\n\nab\n--b--",
        head + "HTTP/1.1 200 OK\nContent-Length: -1\n\nab\n--b--",
    ])
    func understandsTheManyWays(text: String) throws {
        let batch = try Self.read(text)
        #expect(batch.outline == ["200 2"])
        #expect(batch.isComplete)
        #expect(batch.parts.first?.response.body == Array("ab".utf8))
    }

    @Test func takesTheNameFromTheInnerHead() throws {
        let batch = try Self.read(Self.head + "HTTP/1.1 204 No Content\nContent-Id: 7\n--b--")
        #expect(batch.outline == ["7: 204 0"])
    }

    @Test func readsAChangeSetWithoutItsEnd() throws {
        let batch = try Self.read(
            "--b\nContent-Type: multipart/mixed;boundary=c\n\n--c\nContent-Type: application/http\n\n"
                + "HTTP/1.1 204 No Content\n\n\n--b--"
        )
        #expect(batch.isComplete)
        #expect(batch.items.count == 1)
        #expect(batch.parts.map(\.response.status) == [204])
    }

    @Test func readsAnEmptyAnswer() throws {
        #expect(try Self.read("--b--").isComplete)
        #expect(try Self.read("").problem == BatchError(.incomplete, ""))
        #expect(try Self.read("no boundary at all").problem == BatchError(.incomplete, ""))
    }

    @Test(arguments: [
        "HTTP/1.1 abc\n", "HTTP/1.1 99 x\n", "HTTP/1.1 2000 x\n", "{\"error\":{}}", "",
    ])
    func stopsAtWhatItCannotUnderstand(message: String) throws {
        let batch = try Self.read(
            Self.head + "HTTP/1.1 200 OK\n\nab\n" + Self.head + message + "\n--b--"
        )
        #expect(batch.outline == ["200 2"])
        #expect(batch.problem == BatchError(.malformed, ""))
    }

    @Test func stopsAtTheLimit() throws {
        var limits = BatchLimits()
        limits.parts = 1
        let part = Self.head + "HTTP/1.1 200 OK\n\nab\n"
        let batch = try BatchResponse(
            multipart: Array((part + part + "--b--").utf8),
            contentType: Self.type,
            limits: limits
        )
        #expect(batch.problem == BatchError(.tooLarge, ""))
    }

    /// Any byte may be anything: no crash, and an answer or an error.
    @Test func survivesDamage() throws {
        for position in Self.literal.indices {
            for byte: UInt8 in [0x00, 0x0A, 0x0D, 0x2D, 0x3A, 0xFF] {
                var damaged = Self.literal
                damaged[position] = byte
                let batch = try BatchResponse(multipart: damaged, contentType: Self.type)
                #expect(batch.parts.count <= 4)
            }
        }
    }

    @Test func doesNotWriteAStatusThatIsNone() {
        let part = BatchResponsePart(response: HTTPResponse(status: 20))
        #expect(throws: BatchError(.cannotBeWritten, "")) {
            try BatchResponse(items: [.response(part)]).multipart()
        }
    }
}
