import Foundation
import Testing

/// `upload --dry-run`: what would leave, without anything leaving.
@Suite struct UploadPreviewTests {
    /// A store with three waiting changes, the second of which waits for the first.
    private static func opened() async throws -> (service: RunningTool, scratch: Scratch) {
        let (service, root, scratch) = try await Library.service()
        let lines = [
            [
                "open", "library.store", "--service", root, "--query", "B=Books", "--query",
                "A=Authors",
            ],
            [
                "patch", "library.store", "Books(10)", #"{"Title":"X10"}"#, "--request-header",
                "X-Api-Key: hidden",
            ],
            ["patch", "library.store", "Books(10)", #"{"Title":"X11"}"#],
            ["post", "library.store", "Authors", #"{"ID":3,"Name":"Cy"}"#],
        ]
        for line in lines {
            let outcome = try await Tool.run(line, in: scratch)
            guard outcome.status == 0 else { throw ToolFailure(outcome: outcome) }
        }
        return (service, scratch)
    }

    /// The text with the boundary, which differs each time, replaced by a word, and without the port of the service.
    private static func steady(_ text: String) -> String {
        text.replacing(/batch_[0-9a-f]+/, with: "BOUNDARY")
            .replacing(/127\.0\.0\.1:\d+/, with: "HOST")
            .replacing(/W\/"\d+"/, with: "ETAG")
    }

    private static let message = """
        POST http://HOST/$batch HTTP/1.1
        Content-Type: multipart/mixed; boundary=BOUNDARY
        Accept: multipart/mixed
        OData-Version: 4.0
        Prefer: odata.continue-on-error
        OData-MaxVersion: 4.01

        --BOUNDARY
        Content-Type: application/http
        Content-Transfer-Encoding: binary
        Content-ID: 1

        PATCH Books(10) HTTP/1.1
        If-Match: ETAG
        Accept: application/json
        Content-Type: application/json
        OData-Version: 4.0
        Prefer: return=representation
        Content-Length: 15

        {"Title":"X10"}
        --BOUNDARY
        Content-Type: application/http
        Content-Transfer-Encoding: binary
        Content-ID: 2

        POST Authors HTTP/1.1
        Accept: application/json
        Content-Type: application/json
        OData-Version: 4.0
        Prefer: return=representation
        Content-Length: 20

        {"ID":3,"Name":"Cy"}
        --BOUNDARY--

        """

    @Test func showsTheMessagesWithoutCredentials() async throws {
        let (service, scratch) = try await Self.opened()
        let outcome = try await Tool.run(
            [
                "upload", "library.store", "--dry-run", "--bearer", "hidden", "--cookie",
                "session=hidden", "--query-option", "api_key=hidden",
            ],
            in: scratch
        )

        let text = Self.steady(outcome.output).replacing("\r\n", with: "\n")
        #expect(outcome.status == 0, "\(outcome.errors)")
        #expect(!text.contains("hidden"))
        #expect(
            text == "1 message would be sent\n\n1 of 1: requests 1, 3, 681 B\n"
                + Self.message.replacing(/(\$batch|Books\(10\)|POST Authors) HTTP/) {
                    "\($0.1)?api_key= HTTP"
                }
                + "\n\nwaiting for answers, or not chosen:\n  request 2 waits for 1\n"
        )
        withExtendedLifetime(service) {}
    }

    /// The files of a folder, without the log that SQLite keeps beside a store: empty after a command, it may stand or not.
    private static func files(_ scratch: Scratch) throws -> Set<String> {
        try scratch.names().filter { !$0.hasSuffix("-wal") && !$0.hasSuffix("-shm") }
    }

    @Test func sendsNothingAndChangesNothing() async throws {
        let (service, scratch) = try await Self.opened()
        let before = try Data(contentsOf: scratch.url("library.store"))
        let names = try Self.files(scratch)
        let outcome = try await Tool.run("upload", "library.store", "--dry-run", in: scratch)

        #expect(outcome.status == 0)
        #expect(try Data(contentsOf: scratch.url("library.store")) == before)
        let after = try Self.files(scratch)
        #expect(after == names)
        // The service needs not even be there.
        _ = await service.end()
        let away = try await Tool.run("upload", "library.store", "--dry-run", "--json", in: scratch)
        #expect(away.status == 0)
        let result = try #require(
            try JSONSerialization.jsonObject(with: Data(away.output.utf8)) as? [String: Any]
        )
        let requests = try #require(result["requests"] as? [[String: Any]])
        #expect(requests.map { $0["requestIDs"] as? [Int] } == [[1, 3]])
        #expect(requests.map { $0["bytes"] as? Int } == [663])
        let waiting = try #require(result["waiting"] as? [[String: Any]])
        #expect(waiting.map { $0["id"] as? Int } == [2])
        #expect(waiting.map { $0["waitsFor"] as? [Int] } == [[1]])
        let queue = try await Tool.run("queue", "library.store", "--json", in: scratch)
        #expect(queue.output.components(separatedBy: #""Status":"pending""#).count == 4)
    }

    @Test func writesEachMessageIntoAFile() async throws {
        let (service, scratch) = try await Self.opened()
        try scratch.makeDirectory("out")
        try scratch.write("old", to: "out/002.http")
        // What does not follow on is no file of an earlier preview.
        for name in ["notes.txt", "500.http", "0001.http"] {
            try scratch.write("mine", to: "out/" + name)
        }
        let outcome = try await Tool.run(
            ["upload", "library.store", "--dry-run", "--output", "out"],
            in: scratch
        )

        #expect(
            outcome.output.hasPrefix(
                "1 message would be sent\n\n1 of 1: requests 1, 3, 663 B  001.http\n"
            )
        )
        let names = try FileManager.default.contentsOfDirectory(atPath: scratch.path("out"))
        #expect(Set(names) == ["001.http", "notes.txt", "500.http", "0001.http"])
        let text = Self.steady(try scratch.read("out/001.http"))
        #expect(text.replacing("\r\n", with: "\n") == Self.message)
        #expect(text.contains("\r\n\r\n--BOUNDARY\r\n"))
        withExtendedLifetime(service) {}
    }

    @Test func refusesADirectoryWithoutDryRun() async throws {
        let outcome = try await Tool.run("upload", "x", "--output", "out")
        #expect(
            outcome
                == Tool.Outcome(
                    status: 2,
                    output: "",
                    errors: "error: --output goes with --dry-run only\n"
                )
        )
    }
}
