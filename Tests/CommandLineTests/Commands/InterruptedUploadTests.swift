import Foundation
import TestSupport
import Testing

/// `upload --json` and `sync --json` that fail half-way: one document says what was done, the status stays that of the failure.
@Suite struct InterruptedUploadTests {
    /// The service takes no batches: each change is a request.
    private static let document = Library.metadata.replacing(
        "<EntitySet Name=\"Authors\"",
        with: """
            <Annotation Term="Org.OData.Capabilities.V1.BatchSupported" Bool="false"/><EntitySet Name="Authors"
            """
    )
    private static let metadata = RawServer.answer(document, type: "application/xml")
    private static let authors = RawServer.answer(
        #"{"value":[{"@odata.etag":"\"1\"","ID":1,"Name":"Ada"},{"@odata.etag":"\"2\"","ID":2,"Name":"Bo"}]}"#
    )

    /// A store with a change of each author.
    private static func changed(_ server: RawServer) async throws -> Scratch {
        let scratch = try Scratch()
        for line in [
            ["open", "s.store", "--service", server.root, "--query", "Authors=Authors"],
            ["patch", "s.store", "Authors(1)", #"{"Name":"A"}"#],
            ["patch", "s.store", "Authors(2)", #"{"Name":"B"}"#],
        ] {
            let outcome = try await Tool.run(line, in: scratch)
            guard outcome.status == 0 else { throw ToolFailure(outcome: outcome) }
        }
        return scratch
    }

    private static func object(_ text: String) throws -> [String: Any] {
        try #require(try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any])
    }

    @Test func saysWhatAnUploadDidBeforeTheConnectionBroke() async throws {
        let updated = RawServer.answer(#"{"@odata.etag":"\"3\"","ID":1,"Name":"A"}"#)
        let server = try RawServer(Self.metadata, Self.authors, updated, [.read, .reset])
        defer { server.stop() }
        let scratch = try await Self.changed(server)
        let outcome = try await Tool.run(
            ["upload", "s.store", "--json", "--timeout", "5"],
            in: scratch
        )
        #expect(outcome.status == 4)
        let result = try Self.object(outcome.output)
        #expect(result["carriedOut"] as? Int == 1, "\(outcome.output)")
        #expect(result["waiting"] as? Int == 1, "\(outcome.output)")
        #expect(((result["error"] as? [String: Any])?["message"] as? String)?.isEmpty == false)
        #expect(outcome.errors.contains("error: "))
    }

    @Test func saysWhatAnUploadDidBeforeItWasCancelled() async throws {
        let updated = RawServer.answer(#"{"@odata.etag":"\"3\"","ID":1,"Name":"A"}"#)
        let server = try RawServer(Self.metadata, Self.authors, updated, [.read, .stall])
        defer { server.stop() }
        let scratch = try await Self.changed(server)
        let tool = try RunningTool(["upload", scratch.path("s.store"), "--json"])
        await server.waitForEnds(3)
        #expect(await tool.end(SIGINT) == 8)
        let result = try Self.object(try #require(await tool.line()))
        #expect(result["carriedOut"] as? Int == 1, "\(result)")
        #expect(result["waiting"] as? Int == 1, "\(result)")
        #expect((result["error"] as? [String: Any])?["exitStatus"] as? Int == 8)
    }

    /// An answer that breaks off belongs to a request, too.
    @Test func namesTheRequestWhoseAnswerBrokeOff() async throws {
        let cut =
            "HTTP/1.1 200 OK\r\nContent-Type: multipart/mixed; boundary=b\r\nContent-Length: 900\r\n\r\n--b"
        let metadata = RawServer.answer(Library.metadata, type: "application/xml")
        let server = try RawServer(metadata, Self.authors, [.read, .send(cut)])
        defer { server.stop() }
        let scratch = try await Self.changed(server)
        let outcome = try await Tool.run("upload", "s.store", "--timeout", "5", in: scratch)
        #expect(outcome.status == 4)
        #expect(outcome.errors.contains("(POST \(server.root)$batch)"), "\(outcome.errors)")
    }

    /// A command that a signal ends at once answers, too.
    @Test(arguments: [SIGINT, SIGTERM])
    func saysThatAComparisonWasCancelled(_ signal: Int32) async throws {
        let server = try RawServer([.read, .stall])
        defer { server.stop() }
        let scratch = try Scratch()
        try scratch.write(Library.metadata, to: "v1.xml")
        let tool = try RunningTool([
            "metadata", "diff", scratch.path("v1.xml"), "--service", server.root, "--json",
        ])
        while server.messages.isEmpty { await Task.yield() }
        #expect(await tool.end(signal) == 8)
        let result = try Self.object(try #require(await tool.line()))
        #expect((result["error"] as? [String: Any])?["exitStatus"] as? Int == 8)
    }

    @Test func saysThatNothingCameDownWhereTheUploadOfASyncFailed() async throws {
        let server = try RawServer(Self.metadata, Self.authors, [.read, .reset])
        defer { server.stop() }
        let scratch = try await Self.changed(server)
        let outcome = try await Tool.run(
            ["sync", "s.store", "--json", "--timeout", "5"],
            in: scratch
        )
        #expect(outcome.status == 4)
        let result = try Self.object(outcome.output)
        let upload = try #require(result["upload"] as? [String: Any])
        #expect(upload["carriedOut"] as? Int == 0)
        #expect(upload["waiting"] as? Int == 2)
        #expect(result["download"] is NSNull)
    }

    /// The metadata have become others meanwhile, which fit the store no more.
    @Test func saysWhatASyncUploadedWhereItsDownloadFailed() async throws {
        let other = RawServer.answer(
            Self.document.replacing(
                #"<Property Name="Name" Type="Edm.String""#,
                with: #"<Property Name="Name" Type="Edm.Int32""#
            ),
            type: "application/xml"
        )
        let (one, two) = (
            RawServer.answer(#"{"@odata.etag":"\"3\"","ID":1,"Name":"A"}"#),
            RawServer.answer(#"{"@odata.etag":"\"4\"","ID":2,"Name":"B"}"#)
        )
        let server = try RawServer(Self.metadata, Self.authors, one, two, other)
        defer { server.stop() }
        let scratch = try await Self.changed(server)
        let outcome = try await Tool.run(["sync", "s.store", "--json"], in: scratch)
        #expect(outcome.status == 3, "\(outcome.errors)")
        let result = try Self.object(outcome.output)
        let upload = try #require(result["upload"] as? [String: Any])
        #expect(upload["carriedOut"] as? Int == 2, "\(outcome.output)")
        #expect(result["download"] is NSNull)
    }
}
