import Foundation
import TestSupport
import Testing

/// A process that makes changes is killed at some moment: each change is there with its request, or neither is.
@Suite struct LocalKillTests {
    static let killCount = TestScale.size(4, soak: 300)

    /// Changes of one run, far more than a process makes before it is killed.
    private static let changeCount = 3_000

    @Test func leavesEachChangeWithItsRequest() async throws {
        let scratch = try await Library.store()
        var generator = SeededGenerator(seed: 7)
        var first = 1_000
        var acknowledged = 0
        for kill in 0..<Self.killCount {
            let lines = (first..<first + Self.changeCount).map {
                "post Books {\"ID\":\($0),\"Title\":\"t\($0)\"}"
            }
            try scratch.write(lines.joined(separator: "\n") + "\n", to: "lines")
            let wanted = Int.random(in: 0..<40, using: &generator)
            let tool = try RunningTool(
                ["shell", scratch.path("library.store")],
                input: scratch.path("lines")
            )
            for _ in 0..<wanted where await tool.line() != nil { acknowledged += 1 }
            _ = await tool.end(SIGKILL)
            while await tool.line() != nil { acknowledged += 1 }

            let check = try await Tool.run("check", "library.store", in: scratch)
            #expect(check.status == 0, "kill \(kill): \(check.output)\(check.errors)")
            let rows = try await Tool.run(
                "get",
                "library.store",
                "Books/$count?$filter=ID ge 1000",
                in: scratch
            )
            let requests = try await Tool.run(
                "get",
                "library.store",
                "RequestQueue/$count",
                in: scratch
            )
            let made = try #require(Int(rows.output.filter(\.isNumber)))
            #expect(rows.output == requests.output, "kill \(kill)")
            #expect(made >= acknowledged, "kill \(kill): a change that was answered is lost")
            // At most the one whose answer was on its way.
            #expect(made <= acknowledged + 1, "kill \(kill)")
            acknowledged = made
            first += Self.changeCount
        }
        #expect(acknowledged > 0)
    }
}
