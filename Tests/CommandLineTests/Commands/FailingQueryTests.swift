import Foundation
import TestSupport
import Testing

/// Downloads of which one query fails: the others are applied, and the process says which one failed.
@Suite struct FailingQueryTests {
    private static let metadata = RawServer.answer(Library.metadata, type: "application/xml")
    private static let refused = RawServer.answer(
        #"{"error":{"code":"x","message":"not for you"}}"#,
        status: "403 Forbidden"
    )

    @Test(arguments: [["download", "s.store"], ["sync", "s.store"]])
    func namesTheQueryThatFailsAndAppliesTheOthers(_ words: [String]) async throws {
        // The server answers in the order of this list.
        let inTurn = ["--parallel", "1"]
        let command = words + inTurn
        let server = try RawServer(
            Self.metadata,
            RawServer.answer(#"{"value":[{"ID":1,"Name":"Ada"}]}"#),
            RawServer.answer(#"{"value":[{"ID":10,"Title":"Notes"}]}"#),
            // The second time.
            Self.metadata,
            Self.refused,
            RawServer.answer(#"{"value":[{"ID":11,"Title":"Maps"}]}"#),
            // The third time.
            Self.metadata,
            Self.refused,
            RawServer.answer(#"{"value":[{"ID":12,"Title":"Nets"}]}"#)
        )
        defer { server.stop() }
        let scratch = try Scratch()
        let queries = ["--query", "A=Authors", "--query", "B=Books"]
        let opened = try await Tool.run(
            ["open", "s.store", "--service", server.root] + queries + inTurn,
            in: scratch
        )
        #expect(opened.status == 0, "\(opened.errors)")
        let outcome = try await Tool.run(command, in: scratch)
        #expect(outcome.status == 1)
        #expect(outcome.output.contains("1 new, 0 changed, 1 removed"), "\(outcome.output)")
        #expect(outcome.errors.contains("A (\(server.root)Authors)"), "\(outcome.errors)")
        #expect(outcome.errors.contains("403"))
        let authors = try await Tool.run("get", "s.store", "Authors/$count", in: scratch)
        let books = try await Tool.run("get", "s.store", "Books(11)/Title/$value", in: scratch)
        #expect([authors.output, books.output] == ["1\n", "Maps\n"])

        let json = try await Tool.run(command + ["--json"], in: scratch)
        #expect(json.status == 1)
        #expect(json.output.contains(#""url":"\#(server.root)Authors""#), "\(json.output)")
        #expect(json.output.contains(#""error":"the service answered 403"#))
        #expect(json.output.contains(#""error":null"#))
        #expect(json.output.contains(#""error":{"exitStatus":1,"#), "\(json.output)")
    }

    @Test(arguments: ["Nope", "Books?$filter=Nope eq 1"])
    func endsAsInvalidWhereTheServiceHasNoSuchName(_ query: String) async throws {
        let server = try RawServer(Self.metadata)
        defer { server.stop() }
        let scratch = try Scratch()
        let line = ["open", "s.store", "--service", server.root, "--query", "Q=\(query)"]
        let outcome = try await Tool.run(line, in: scratch)
        #expect(outcome.status == 2)
        #expect(outcome.errors.contains("no Nope"), "\(outcome.errors)")
        #expect(!FileManager.default.fileExists(atPath: scratch.path("s.store")))
    }

    @Test(arguments: ["501 Not Implemented", "505 HTTP Version Not Supported"])
    func doesNotAskToCallAgainForWhatIsNotImplemented(_ answer: String) async throws {
        let server = try RawServer(RawServer.answer("", status: answer))
        defer { server.stop() }
        let line = ["open", "s.store", "--service", server.root, "--query", "B=Books"]
        let outcome = try await Tool.run(line, in: try Scratch())
        #expect(outcome.status == 1, "\(outcome.errors)")
        #expect(!outcome.errors.contains("calling the command again"))
    }

    /// The page that fails, not only its query.
    @Test(arguments: [
        (refused, "the service answered 403 to GET", 1),
        (RawServer.answer(#"{"value":[{"ID":"x"}]}"#), "expected Int32, found a string", 1),
        (RawServer.answer("{}", type: "text/plain"), "the content type text/plain", 1),
        (
            RawServer.answer("", status: "204 No Content"),
            "the service answered 204 to GET http://127.0.0.1:", 1
        ),
    ])
    func namesThePageThatFails(_ page: [RawServer.Step], _ reason: String, _ status: Int32)
        async throws
    {
        let next = "Authors?$skiptoken=page-2"
        let server = try RawServer(
            Self.metadata,
            RawServer.answer(#"{"value":[{"ID":1,"Name":"Ada"}],"@odata.nextLink":"\#(next)"}"#),
            page,
            page
        )
        defer { server.stop() }
        let scratch = try Scratch()
        let line = ["open", "s.store", "--service", server.root, "--query", "A=Authors"]
        let outcome = try await Tool.run(line, in: scratch)
        #expect(outcome.status == status)
        #expect(outcome.errors.contains("(\(server.root)Authors) failed: "), "\(outcome.errors)")
        #expect(outcome.errors.contains(reason), "\(outcome.errors)")
        #expect(outcome.errors.contains("GET \(server.root)\(next)"), "\(outcome.errors)")
    }
}
