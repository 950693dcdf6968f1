import Foundation
import TestSupport
import Testing

@Suite struct ServeCommandTests {
    @Test func servesAStoreAndQueuesItsChanges() async throws {
        let scratch = try await Library.store()
        let (service, root) = try await RunningTool.service([scratch.path("library.store")])

        let read = try await Self.send("GET", root + "Books(11)?$select=Title")
        let changed = try await Self.send("PATCH", root + "Books(11)", #"{"Title": "Y"}"#)
        let status = await service.end(SIGINT)
        let queue = try await Tool.run("queue", "library.store", "--json", in: scratch)

        #expect(read.status == 200)
        #expect(read.body.contains(#""Title":"Maps""#))
        #expect([200, 204].contains(changed.status))
        #expect(status == 8)
        #expect(queue.output.contains(#""RequestMethod":"PATCH","RequestURL":"Books(11)""#))
    }

    @Test func keepsADatabase() async throws {
        let scratch = try Library.files()
        let arguments = [
            "--metadata", scratch.path("metadata.xml"), "--database", scratch.path("library.db"),
        ]
        let (first, root) = try await RunningTool.service(arguments)
        let created = try await Self.send("POST", root + "Authors", #"{"ID": 1, "Name": "Ada"}"#)
        _ = await first.end()

        let (second, secondRoot) = try await RunningTool.service(arguments)
        let read = try await Self.send("GET", secondRoot + "Authors(1)/Name/$value")

        #expect(created.status == 201)
        #expect(read.body == "Ada")
        withExtendedLifetime(second) {}
    }

    @Test func leavesADatabaseWholeInItsFile() async throws {
        let scratch = try Library.files()
        let arguments = [
            "--metadata", scratch.path("metadata.xml"), "--database", scratch.path("library.db"),
        ]
        let (service, root) = try await RunningTool.service(arguments)
        _ = try await Self.send("POST", root + "Authors", #"{"ID": 1, "Name": "Ada"}"#)
        #expect(await service.end(SIGTERM) == 8)
        try FileManager.default.copyItem(
            at: scratch.url("library.db"),
            to: scratch.url("copy.db")
        )

        let (second, copyRoot) = try await RunningTool.service(
            ["--metadata", scratch.path("metadata.xml"), "--database", scratch.path("copy.db")]
        )
        let read = try await Self.send("GET", copyRoot + "Authors(1)/Name/$value")
        #expect(read.body == "Ada")
        withExtendedLifetime(second) {}
    }

    @Test(
        arguments: [
            (
                "[{\"match\":\"GET /Books\",\"action\":\"status\",\"status\":403}]", 1,
                "the service answered 403"
            ),
            (
                "[{\"match\":\"GET /Books\",\"action\":\"garbage\"}]", 4,
                "the service cannot be reached: "
            ),
        ] as [(String, Int32, String)]
    )
    func failsAsAPlanSaysOnce(_ plan: String, _ status: Int32, _ message: String) async throws {
        let faults = try Scratch()
        try faults.write(plan, to: "faults.json")
        let (service, root, scratch) = try await Library.service(
            "--faults",
            faults.path("faults.json")
        )
        let open = ["open", "library.store", "--service", root, "--query", "B=Books"]

        let first = try await Tool.run(open, in: scratch)
        let second = try await Tool.run(open, in: scratch)

        #expect(first.status == status)
        #expect(first.errors.contains("the query B (\(root)Books) failed: " + message))
        #expect(second.status == 0)
        withExtendedLifetime(service) {}
    }

    @Test(arguments: [
        "[{\"action\":\"status\"}]",
        "[{\"match\":\"GET /Books\",\"action\":\"drop-before\"}]",
        "[{\"match\":\"GET /Books\",\"action\":\"truncate-body\",\"bytes\":40}]",
    ])
    func getsOverAFaultThatPasses(_ plan: String) async throws {
        let faults = try Scratch()
        try faults.write(plan, to: "faults.json")
        let (service, root, scratch) = try await Library.service(
            "--faults",
            faults.path("faults.json")
        )
        let outcome = try await Tool.run(
            ["open", "library.store", "--service", root, "--query", "B=Books"],
            in: scratch
        )

        #expect(outcome.status == 0)
        withExtendedLifetime(service) {}
    }

    @Test(arguments: [
        ("{}", "faults.json: line 1: an array of faults is expected"),
        ("[\n {}]", "faults.json: line 2: 'action' is one of "),
        ("[{\"action\":\"delay\",\"when\":1}]", "faults.json: line 1: a fault has no 'when'"),
        ("[{\"action\":\"delay\",\"nth\":\"1\"}]", "faults.json: line 1: 'nth' is a whole number"),
        (
            "[{\"action\":\"drop-before\",\"nth\":0}]",
            "faults.json: line 1: 'nth' is a whole number, 1 or more"
        ),
        (
            "[{\"action\":\"status\",\"status\":9999}]",
            "faults.json: line 1: 'status' is a whole number, 200 to 599"
        ),
        (
            "[{\"action\":\"delay\",\"match\":\"GET\"}]",
            "faults.json: line 1: 'match' is a method and "
        ),
        ("[", "faults.json: line 1, column 2: Not well-formed JSON"),
    ])
    func refusesAPlan(_ plan: String, _ message: String) async throws {
        let scratch = try Library.files()
        try scratch.write(plan, to: "faults.json")

        let outcome = try await Tool.run(
            "serve",
            "--metadata",
            "metadata.xml",
            "--faults",
            "faults.json",
            in: scratch
        )

        #expect(outcome.status == 2)
        #expect(outcome.errors.hasPrefix("error: " + message))
    }

    @Test func demandsItsToken() async throws {
        let (service, root, _) = try await Library.service("--token", "secret")

        let without = try await Self.send("GET", root)
        let with = try await Self.send("GET", root, authorization: "Bearer secret")

        #expect(without.status == 401)
        #expect(with.status == 200)
        withExtendedLifetime(service) {}
    }

    @Test func cancelsAtASignal() async throws {
        let server = try PartsServer()
        let scratch = try Scratch()
        let (stalled, continuation) = AsyncStream.makeStream(of: Void.self)
        let relay = try TCPRelay(to: server.port) { continuation.yield() }
        // In the rows, and only once.
        relay.add(.stallResponse(after: PartsServer.metadata.utf8.count + 200))
        let open = [
            "open", scratch.path("parts.store"), "--service", "http://127.0.0.1:\(relay.port)/",
            "--query", "P=Parts", "--map-links",
        ]

        let opening = try RunningTool(open)
        for await _ in stalled { break }
        let status = await opening.end(SIGINT)
        let state = try await Tool.run("status", "parts.store", "--json", in: scratch)
        let second = try await Tool.run(open)

        #expect(status == 8)
        #expect(state.output.contains(#""interrupted":"open""#), "\(state)")
        #expect(second.status == 0, "\(second.errors)")
    }

    // MARK: Requests

    private static func send(
        _ method: String,
        _ url: String,
        _ body: String = "",
        authorization: String? = nil
    ) async throws -> (status: Int, body: String) {
        let rest = url.dropFirst("http://127.0.0.1:".count)
        let port = try #require(UInt16(rest.prefix { $0 != "/" }))
        let target = rest.drop { $0 != "/" }
        var head =
            "\(method) \(target) HTTP/1.1\r\nHost: 127.0.0.1:\(port)\r\nConnection: close\r\n"
        if let authorization { head += "Authorization: \(authorization)\r\n" }
        if !body.isEmpty {
            head += "Content-Type: application/json\r\nContent-Length: \(body.utf8.count)\r\n"
        }
        let request = head + "\r\n" + body
        let answer = try await onThread {
            let socket = try TCPSocket(connectingTo: port)
            defer { socket.close() }
            _ = socket.send(request)
            return socket.receiveAll()
        }
        let start = try #require(HTTPText.bodyStart(answer))
        let status = Int(HTTPText.text(Array(answer.dropFirst(9).prefix(3)))) ?? 0
        return (status, HTTPText.text(Array(answer[start...])))
    }
}
