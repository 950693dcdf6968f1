import Foundation
import Testing

/// Signals to a shell that reads its lines from a file: the rest of the script is not carried out.
@Suite struct ShellSignalTests {
    @Test(arguments: [SIGTERM, SIGINT])
    func endsTheScript(_ signal: Int32) async throws {
        let (service, root, scratch) = try await Library.service("--latency", "0.5")
        let open = ["open", "library.store", "--service", root, "--query", "B=Books"]
        try #require(try await Tool.run(open, in: scratch).status == 0)
        let lock = scratch.path("library.store-sync")
        try? FileManager.default.removeItem(atPath: lock)
        try scratch.write(
            """
            download --full
            patch 'Books(10)' '{"Title":"after the signal"}'

            """,
            to: "steps.txt"
        )
        let shell = try RunningTool(
            ["shell", scratch.path("library.store")],
            input: scratch.path("steps.txt")
        )
        while !scratch.exists("library.store-sync") { await Task.yield() }
        #expect(await shell.end(signal) == 8)
        let queue = try await Tool.run("queue", "library.store", "--json", in: scratch)
        #expect(queue.output == "[]\n")
        withExtendedLifetime(service) {}
    }
}
