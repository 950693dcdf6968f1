@testable import StoreUpload
@testable import StoreRecords
import ODataHTTP
import Testing

@testable import OfflineSync
@testable import OfflineValues
@testable import OfflineOData

/// What becomes of each kind of request for each answer: nothing that was not carried out is done, nothing that may have been is sent
/// again.
@Suite struct OutcomeTests {
    private static func response(_ status: Int, _ body: String = "") -> HTTPResponse {
        HTTPResponse(
            status: status,
            headers: ["Content-Type": "application/json"],
            body: Array(body.utf8)
        )
    }

    private static func name(_ kind: Outcome.Kind) -> String {
        switch kind {
        case .done: "done"
        case .refused: "refused"
        case .gone: "gone"
        case .notProcessed(let isForgotten): isForgotten ? "anew" : "pending"
        case .parked: "parked"
        case .lost: "lost"
        }
    }

    /// What an answer means to a request that stands alone; `others` to every kind that is not named.
    struct Meaning: Sendable, CustomTestStringConvertible {
        var status: Int
        var body = ""
        var others: String
        var named: [SentRequest: String] = [:]
        /// The same in a change set, where the status may be that of another member.
        var inSet: String?
        var testDescription: String { "\(status) \(body)" }
    }

    private static let told = #"{"error":{"code":"c","message":"m"}}"#
    private static let gone: [SentRequest: String] = [
        .update: "gone", .replace: "gone", .delete: "done", .removeLink: "done",
        .deleteStream: "done",
    ]

    static let meanings = [
        Meaning(status: 200, others: "done"),
        Meaning(
            status: 201,
            others: "done",
            named: [.update: "gone", .replace: "gone"],
            inSet: "done"
        ),
        Meaning(status: 202, others: "lost", named: [.call: "done"]),
        Meaning(status: 204, others: "done"),
        Meaning(status: 299, others: "done"),
        Meaning(status: 301, others: "pending"),
        Meaning(status: 302, others: "pending"),
        Meaning(status: 303, others: "lost"),
        Meaning(status: 307, others: "pending"),
        Meaning(status: 308, others: "pending"),
        Meaning(status: 400, others: "refused"),
        Meaning(status: 401, others: "pending"),
        Meaning(status: 403, others: "refused"),
        // A link: the service may have no such path.
        Meaning(
            status: 404,
            others: "refused",
            named: gone.filter { $0.key != .removeLink },
            inSet: "refused"
        ),
        Meaning(status: 405, others: "refused"),
        Meaning(status: 407, others: "pending"),
        Meaning(status: 408, others: "pending"),
        Meaning(status: 409, others: "refused"),
        Meaning(status: 410, others: "refused", named: gone, inSet: "refused"),
        Meaning(status: 412, others: "refused"),
        Meaning(status: 424, others: "parked"),
        Meaning(status: 425, others: "pending"),
        Meaning(status: 428, others: "refused"),
        Meaning(status: 429, others: "pending"),
        Meaning(status: 499, others: "refused"),
        Meaning(status: 500, others: "lost"),
        Meaning(status: 500, body: "<html></html>", others: "lost"),
        Meaning(status: 500, body: told, others: "refused"),
        Meaning(status: 501, others: "lost"),
        Meaning(status: 501, body: told, others: "refused"),
        Meaning(status: 502, body: told, others: "lost"),
        Meaning(status: 503, body: told, others: "lost"),
        Meaning(status: 504, body: told, others: "lost"),
    ]

    @Test(arguments: meanings) func understandsAnAnswer(_ meaning: Meaning) throws {
        let response = Self.response(meaning.status, meaning.body)
        for sent in SentRequest.allCases {
            let request = try sent.outgoing()
            let expected = meaning.named[sent] ?? meaning.others
            let alone = Outcome(request, response: response)
            #expect(Self.name(alone.kind) == expected, "\(sent)")
            #expect((alone.failure != nil) == alone.isLost, "\(sent)")
            let member = Outcome(request, response: response, isAlone: false)
            #expect(Self.name(member.kind) == meaning.inSet ?? expected, "\(sent) in a set")
        }
    }

    /// A gateway that has passed a request on and got no answer says 502 or 504; who says when to come again has not handled it.
    @Test(arguments: [(502, "lost"), (503, "pending"), (504, "lost")])
    func understandsWhenToComeAgain(_ status: Int, _ expected: String) throws {
        var response = Self.response(status)
        response.headers["Retry-After"] = "7"
        for sent in SentRequest.allCases {
            let outcome = Outcome(try sent.outgoing(), response: response)
            #expect(Self.name(outcome.kind) == expected, "\(sent)")
        }
    }

    /// A service that knows nothing of the id of a request: what is sent first has not been carried out, a repetition may have been.
    @Test(arguments: [400, 412, 501]) func knowsARepetitionThatIsNotRecognised(_ status: Int) throws
    {
        var response = Self.response(status)
        response.headers["Repeatability-Result"] = "Rejected"
        for sent in SentRequest.allCases {
            let first = Outcome(try sent.outgoing(), response: response)
            let again = Outcome(try sent.outgoing(), response: response, isRepetition: true)
            #expect(Self.name(first.kind) == "anew", "\(sent)")
            #expect(Self.name(again.kind) == "lost", "\(sent)")
            #expect([first.isUnrecognised, again.isUnrecognised] == [false, true])
        }
    }

    @Test func takesAnAnswerFromMemoryAsTheFirst() throws {
        var response = Self.response(412)
        response.headers["Repeatability-Result"] = "accepted"
        let outcome = Outcome(
            try SentRequest.create.outgoing(),
            response: response,
            isRepetition: true
        )
        #expect(Self.name(outcome.kind) == "refused")
        #expect(outcome.isRepeatabilityShown)
    }

    // MARK: Conflicts

    /// The refusals for which the service's version is read.
    @Test(
        arguments: [
            (.create, [400, 403, 409, 412, 422, 428]), (.createMedia, []), (.call, []),
            (.addLink, []),
            (.setLink, []), (.removeLink, []), (.update, [409, 412, 428]),
            (.replace, [409, 412, 428]),
            (.delete, [409, 412, 428]), (.upsert, [409, 412, 428]), (.putStream, [412, 428]),
            (.deleteStream, [412, 428]),
        ] as [(SentRequest, [Int])]
    )
    func readsTheOtherVersion(_ sent: SentRequest, _ statuses: [Int]) throws {
        let found = try [400, 403, 409, 412, 422, 428].filter {
            Outcome(try sent.outgoing(), response: Self.response($0)).isConflict
        }
        #expect(found == statuses)
    }

    // MARK: Stops

    /// Answers after which the round ends: with an error at once, or after a pause.
    @Test(
        arguments: [
            (200, nil), (400, nil), (404, nil), (412, nil), (500, nil), (501, nil), (401, "server"),
            (407, "server"), (301, "server"), (302, "server"), (307, "server"), (308, "server"),
            (502, "communication"), (503, "communication"), (504, "communication"),
            (408, "later 7"), (425, "later 7"), (429, "later 7"),
        ] as [(Int, String?)]
    )
    func endsARound(_ status: Int, _ expected: String?) throws {
        var response = Self.response(status)
        response.headers["Retry-After"] = "7"
        let outcome = Outcome(try SentRequest.update.outgoing(), response: response)
        let stop = UnitAnswer([outcome], answers: [response]).stop
        let found = stop.map { stop in
            stop.isTemporary ? "later \(stop.retryAfter ?? "")" : "\(stop.error.category)"
        }
        #expect(found == expected)
    }

    // MARK: Messages

    /// What a request carries on the wire, by version.
    @Test(
        arguments: [
            (
                .v4, .update,
                "PATCH accept json; content json; OData-Version 4.0; prefer return=representation"
            ),
            (
                .v4, .create,
                "POST accept json; content json; OData-Version 4.0; prefer return=representation"
            ),
            (.v4, .delete, "DELETE accept json"),
            (.v4, .addLink, "POST accept json; content json; OData-Version 4.0"),
            (.v4, .putStream, "PUT accept json"),
            (
                .v2, .update,
                "PATCH accept json,atom+xml;q=0.9,xml;q=0.8; content json; DataServiceVersion 2.0"
            ),
            (
                .v2, .create,
                "POST accept json,atom+xml;q=0.9,xml;q=0.8; content json; DataServiceVersion 2.0"
            ),
            (
                .v3, .update,
                "PATCH accept json;odata=verbose,atom+xml;q=0.9,xml;q=0.8; content json;odata=verbose; DataServiceVersion 3.0; prefer return-content"
            ),
            (
                .v3, .create,
                "POST accept json;odata=verbose,atom+xml;q=0.9,xml;q=0.8; content json;odata=verbose; DataServiceVersion 3.0"
            ),
        ] as [(ODataVersion, SentRequest, String)]
    )
    func writesAMessage(_ version: ODataVersion, _ sent: SentRequest, _ expected: String) throws {
        let settings = UploadSettings(batchSize: 1, isRepeatable: false)
        let message = try sent.outgoing().message(url: "Orders(1)", version: version, settings)
        let fields = [
            ("accept", "Accept"), ("content", "Content-Type"), ("OData-Version", "OData-Version"),
            ("DataServiceVersion", "DataServiceVersion"), ("prefer", "Prefer"),
        ].compactMap { name, field in
            message.headers[field].map {
                "\(name) " + $0.replacing("application/", with: "")
            }
        }
        #expect(message.method + " " + fields.joined(separator: "; ") == expected)
    }

    /// Methods in a header, where a firewall lets only POST through.
    @Test(arguments: SentRequest.allCases) func tunnelsMethods(_ sent: SentRequest) throws {
        var settings = UploadSettings(batchSize: 1, isRepeatable: false)
        settings.tunnelsMethods = true
        let request = try sent.outgoing()
        let message = request.message(url: "Orders(1)", version: .v4, settings)
        #expect(message.method == "POST")
        #expect(
            message.headers["X-HTTP-Method"] == (request.method == "POST" ? nil : request.method)
        )
    }

    /// The id of a request goes along only where it was noted as sent with it.
    @Test func namesARequest() throws {
        let settings = UploadSettings(batchSize: 1, isRepeatable: true)
        for flags: QueueEntry.Flags in [[], .identified] {
            let request = try SentRequest.create.outgoing {
                $0.flags = flags
                $0.unit = "u"
                $0.firstSent = "2026-01-01T00:00:00Z"
            }
            let message = request.message(url: "Orders", version: .v4, settings)
            let isNamed = flags == .identified
            #expect(message.headers["Repeatability-Request-ID"] == (isNamed ? "u" : nil))
            #expect(
                message.headers["Repeatability-First-Sent"]
                    == (isNamed ? "Thu, 01 Jan 2026 00:00:00 GMT" : nil)
            )
        }
    }
}
