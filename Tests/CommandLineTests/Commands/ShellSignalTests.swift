import Foundation
import TestSupport
import Testing

/// Signals to a shell that reads its lines from a file: the rest of the script is not carried out.
@Suite struct ShellSignalTests {
    @Test(arguments: [SIGTERM, SIGINT])
    func endsTheScript(_ signal: Int32) async throws {
        let store = try await StalledStore()
        let scratch = store.scratch
        try scratch.write(
            """
            download --full
            patch 'Parts(1)' '{"Name":"after the signal"}'

            """,
            to: "steps.txt"
        )
        let shell = try RunningTool(
            ["shell", scratch.path("a.store")],
            input: scratch.path("steps.txt")
        )
        for await _ in store.stalled { break }
        #expect(await shell.end(signal) == 8)
        let queue = try await Tool.run("queue", "a.store", "--json", in: scratch)
        #expect(queue.output == "[]\n")
    }

    /// `timeout` signals the process and its group: twice the same order.
    @Test(arguments: 1...3)
    func isOneOrderWhereItComesTwice(_ times: Int) async throws {
        let store = try await StalledStore()
        let scratch = store.scratch
        let path = scratch.path("a.store")
        let download = try RunningTool(["download", path, "--full", "--json"])
        for await _ in store.stalled { break }
        #expect(await download.end(SIGTERM, times: times) == 8)
        #expect(await download.line()?.contains(#""exitStatus":8"#) == true)
    }

    /// A store whose service has stopped to answer.
    private struct StalledStore {
        let scratch: Scratch
        /// The next answer that stalls.
        let stalled: AsyncStream<Void>
        private let server: PartsServer
        private let relay: TCPRelay

        init() async throws {
            scratch = try Scratch()
            server = try PartsServer()
            let (stalled, continuation) = AsyncStream.makeStream(of: Void.self)
            self.stalled = stalled
            relay = try TCPRelay(to: server.port) { continuation.yield() }
            let root = "http://127.0.0.1:\(relay.port)/"
            let open = ["open", "a.store", "--service", root, "--query", "P=Parts"]
            try #require(try await Tool.run(open, in: scratch).status == 0)
            relay.add(.stallResponse(after: 0))
        }
    }
}
