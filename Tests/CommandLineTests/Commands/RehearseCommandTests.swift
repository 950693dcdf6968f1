import Foundation
import TestSupport
import Testing

/// `rehearse`: an upgrade on a copy.
@Suite struct RehearseCommandTests {
    /// A store of the library with a waiting change, and two later versions of its metadata.
    private static func opened() async throws -> (service: RunningTool, scratch: Scratch) {
        let (service, root, scratch) = try await Library.service("--delta")
        for line in [
            [
                "open", "library.store", "--service", root, "--query", "B=Books", "--query",
                "A=Authors",
            ],
            ["patch", "library.store", "Books(10)", #"{"Title":"Mine"}"#],
            ["patch", "library.store", "Authors(1)", #"{"Name":"Eve"}"#],
        ] {
            let outcome = try await Tool.run(line, in: scratch)
            guard outcome.status == 0 else { throw ToolFailure(outcome: outcome) }
        }
        let title = #"<Property Name="Title" Type="Edm.String" Nullable="false"/>"#
        let pages = #"<Property Name="Pages" Type="Edm.Int32"/>"#
        try scratch.write(
            Library.metadata.replacing(title, with: title + pages),
            to: "more.xml"
        )
        try scratch.write(Library.metadata.replacing(title, with: pages), to: "less.xml")
        return (service, scratch)
    }

    private static func bytes(_ scratch: Scratch) throws -> [String: Data] {
        Dictionary(
            uniqueKeysWithValues: try scratch.names().filter { $0.hasPrefix("library.store") }
                .map { ($0, try Data(contentsOf: scratch.url($0))) }
        )
    }

    private static func object(_ text: String) throws -> [String: Any] {
        try #require(try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any])
    }

    @Test func triesAnAdditiveUpgrade() async throws {
        let (service, scratch) = try await Self.opened()
        let before = try Self.bytes(scratch)
        let outcome = try await Tool.run(
            "rehearse",
            "library.store",
            "more.xml",
            "--json",
            in: scratch
        )

        let result = try Self.object(outcome.output)
        #expect(outcome.status == 0, "\(outcome.errors)")
        #expect(result["verdict"] as? String == "additive")
        #expect(result["possible"] as? Bool == true)
        #expect(result["rows"] as? Int == 5)
        #expect((result["bytesBefore"] as? Int ?? 0) > 0)
        #expect((result["bytesAfter"] as? Int ?? 0) > 0)
        #expect(result["seconds"] as? Double != nil)
        #expect(result["queriesReadInFull"] as? [String] == ["B"])
        let changes = try #require(result["changes"] as? [[String: Any]])
        #expect(changes.map { $0["path"] as? String } == ["Library.Book/Pages"])
        let queue = try #require(result["queue"] as? [[String: Any]])
        #expect(queue.map { $0["fits"] as? Bool } == [true, true])
        #expect(try Self.bytes(scratch) == before)
        withExtendedLifetime(service) {}
    }

    @Test func namesWhatStandsAgainstAnUpgrade() async throws {
        let (service, scratch) = try await Self.opened()
        let before = try Self.bytes(scratch)
        let outcome = try await Tool.run("rehearse", "library.store", "less.xml", in: scratch)

        #expect(outcome.status == 3)
        #expect(outcome.output.contains("  - property Library.Book/Title"))
        #expect(
            outcome.output.hasSuffix(
                """
                the store cannot be upgraded; it would stay as it is
                queue: 2 requests, 1 affected
                  1  PATCH Books(10): Library.Book has no property 'Title'

                """
            ),
            "\(outcome.output)"
        )
        #expect(try Self.bytes(scratch) == before)
        withExtendedLifetime(service) {}
    }

    @Test func leavesRequestsAloneThatDoNotNameTheProperty() async throws {
        let (service, scratch) = try await Self.opened()
        let line = ["patch", "library.store", "Books(11)", #"{"AuthorID":null}"#]
        #expect(try await Tool.run(line, in: scratch).status == 0)
        let outcome = try await Tool.run("rehearse", "library.store", "less.xml", in: scratch)
        #expect(outcome.output.contains("queue: 3 requests, 1 affected\n"), "\(outcome.output)")
        withExtendedLifetime(service) {}
    }

    @Test func namesCreationsThatLackWhatIsWantedNow() async throws {
        let (service, scratch) = try await Self.opened()
        for line in [
            ["post", "library.store", "Books", #"{"ID":40,"Title":"New"}"#],
            ["put", "library.store", "Books(11)", #"{"Title":"All"}"#],
            ["put", "library.store", "Books(11)/Author/$ref", #"{"@odata.id":"Authors(1)"}"#],
        ] {
            #expect(try await Tool.run(line, in: scratch).status == 0)
        }
        let title = #"<Property Name="Title" Type="Edm.String" Nullable="false"/>"#
        let pages = #"<Property Name="Pages" Type="Edm.Int32" Nullable="false"/>"#
        let editor = #"<NavigationProperty Name="Editor" Type="Library.Author" Nullable="false"/>"#
        try scratch.write(
            Library.metadata.replacing(title, with: title + pages + editor),
            to: "wanted.xml"
        )
        let outcome = try await Tool.run("rehearse", "library.store", "wanted.xml", in: scratch)
        #expect(
            outcome.output.contains(
                "  3  POST Books: it gives no value to Pages, Editor, which the new metadata wants one of\n"
            ),
            "\(outcome.output)"
        )
        #expect(outcome.output.contains("  PUT Books(11): it gives no value to Pages, which"))
        #expect(outcome.output.contains("queue: 5 requests, 2 affected\n"))
        withExtendedLifetime(service) {}
    }

    /// A property whose type has changed is there, in another form.
    @Test func namesWhatHasAnotherForm() async throws {
        let (service, scratch) = try await Self.opened()
        let title = #"<Property Name="Title" Type="Edm.String""#
        try #require(Library.metadata.contains(title))
        try scratch.write(
            Library.metadata.replacing(title, with: #"<Property Name="Title" Type="Edm.Int32""#),
            to: "other.xml"
        )
        let outcome = try await Tool.run("rehearse", "library.store", "other.xml", in: scratch)
        #expect(outcome.status == 3)
        #expect(
            outcome.output.contains(
                "PATCH Books(10): expected Int32, found a string in Title"
            ),
            "\(outcome.output)"
        )
        withExtendedLifetime(service) {}
    }

    /// A process holds the store open, so that its log is beside it; not a byte of either changes.
    @Test func leavesTheWriteAheadLogAlone() async throws {
        let (service, scratch) = try await Self.opened()
        let (reader, root) = try await RunningTool.service([scratch.path("library.store")])
        let port = try #require(root.firstMatch(of: /:(\d+)\//).flatMap { UInt16($0.1) })
        let connection = try TCPSocket(connectingTo: port)
        let body = #"{"Title":"Logged"}"#
        let head = """
            PATCH /Books(11) HTTP/1.1\r
            Host: 127.0.0.1:\(port)\r
            Content-Type: application/json\r
            Content-Length: \(body.utf8.count)\r
            \r

            """
        #expect(connection.send(head + body))
        let answer = HTTPText.text(connection.receiveMessage())
        #expect(answer.hasPrefix("HTTP/1.1 20"), "\(answer)")
        let before = try Self.bytes(scratch)
        #expect((before["library.store-wal"]?.count ?? 0) > 0)
        let outcome = try await Tool.run(
            "rehearse",
            "library.store",
            "more.xml",
            "--json",
            in: scratch
        )

        #expect(try Self.bytes(scratch) == before)
        let queue = try #require(try Self.object(outcome.output)["queue"] as? [[String: Any]])
        #expect(queue.count == 3)
        withExtendedLifetime((service, reader)) {}
    }

    @Test func refusesWhatIsNoStore() async throws {
        let scratch = try Library.files()
        let none = try await Tool.run("rehearse", "no.store", "metadata.xml", in: scratch)
        #expect(none.status == 2)
        #expect(none.errors.hasPrefix("error: there is no store at no.store"))
        try scratch.write(String(repeating: "no database ", count: 100), to: "text.store")
        let text = try await Tool.run("rehearse", "text.store", "metadata.xml", in: scratch)
        #expect(text.status != 0)
        #expect(text.errors.contains("text.store"), "\(text.errors)")
        #expect(!text.errors.contains("rehearsal-"), "\(text.errors)")
    }
}
