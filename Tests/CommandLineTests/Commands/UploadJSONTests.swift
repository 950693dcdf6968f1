import Foundation
import Testing

/// `upload --json` and `sync --json`, and transactions where the service takes no batches.
@Suite struct UploadJSONTests {
    private static func opened(hasBatch: Bool = true) async throws
        -> (service: RunningTool, scratch: Scratch)
    {
        let (service, root, scratch) =
            try await hasBatch ? Library.service() : Library.service("--no-batch")
        let outcome = try await Tool.run(
            ["open", "library.store", "--service", root, "--query", "B=Books"],
            in: scratch
        )
        guard outcome.status == 0 else { throw ToolFailure(outcome: outcome) }
        return (service, scratch)
    }

    private static func patch(_ book: Int, _ scratch: Scratch, _ options: String...) async throws {
        let outcome = try await Tool.run(
            ["patch", "library.store", "Books(\(book))", "{\"Title\":\"X\(book)\"}"] + options,
            in: scratch
        )
        guard outcome.status == 0 else { throw ToolFailure(outcome: outcome) }
    }

    private static func object(_ text: String) throws -> [String: Any] {
        try #require(try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any])
    }

    @Test func countsWhatAnUploadDid() async throws {
        let (service, scratch) = try await Self.opened()
        try await Self.patch(10, scratch, "--category", "urgent")
        try await Self.patch(11, scratch, "--category", "later")
        let outcome = try await Tool.run(
            ["upload", "library.store", "--category", "urgent", "--json"],
            in: scratch
        )
        let result = try Self.object(outcome.output)
        #expect(outcome.status == 0)
        #expect(result["carriedOut"] as? Int == 1)
        #expect(result["refused"] as? Int == 0)
        #expect(result["unknownOutcome"] as? Int == 0)
        #expect(result["parked"] as? Int == 0)
        #expect(result["waiting"] as? Int == 1)
        #expect(result["requests"] as? Int == 1)
        #expect(result["seconds"] as? Double != nil)
        let words = try await Tool.run(
            ["upload", "library.store", "--category", "none"],
            in: scratch
        )
        #expect(words.output.hasPrefix("nothing uploaded: 1 still waiting"))
        let all = try await Tool.run(["sync", "library.store", "--json"], in: scratch)
        let upload = try #require(try Self.object(all.output)["upload"] as? [String: Any])
        #expect(upload["carriedOut"] as? Int == 1)
        withExtendedLifetime(service) {}
    }

    @Test func splitsATransactionThatCannotBeSent() async throws {
        let (service, scratch) = try await Self.opened(hasBatch: false)
        try await Self.patch(10, scratch, "--transaction", "t")
        try await Self.patch(11, scratch, "--transaction", "t")
        let refused = try await Tool.run(["upload", "library.store", "--json"], in: scratch)
        #expect(refused.status == 5)
        #expect(try Self.object(refused.output)["refusedIDs"] as? [Int] == [1, 2])
        let split = try await Tool.run(["errors", "split", "library.store", "2"], in: scratch)
        #expect(split.output.contains("requests 1, 2 are sent each by itself"))
        let sent = try await Tool.run(["upload", "library.store"], in: scratch)
        #expect(sent.status == 0)
        #expect(sent.output.hasPrefix("uploaded: 2 carried out"))
        withExtendedLifetime(service) {}
    }

    private static func run(_ arguments: [String], _ scratch: Scratch) async throws {
        let outcome = try await Tool.run(arguments, in: scratch)
        guard outcome.status == 0 else { throw ToolFailure(outcome: outcome) }
    }

    /// Two transactions, each of which waits for the other and has to delete what the other changes: they are refused, and named.
    @Test(arguments: [true, false])
    func namesTransactionsInACircleWithAStatus(hasBatch: Bool) async throws {
        let (service, scratch) = try await Self.opened(hasBatch: hasBatch)
        try await Self.patch(10, scratch, "--transaction", "s")
        try await Self.patch(11, scratch, "--transaction", "t")
        for (book, name) in [(10, "t"), (11, "s")] {
            let line = ["delete", "library.store", "Books(\(book))", "--transaction", name]
            try await Self.run(line, scratch)
        }
        let refused = try await Tool.run(["upload", "library.store"], in: scratch)
        #expect(refused.status == 5)
        #expect(refused.output.hasPrefix("uploaded: 0 carried out, 4 refused, "))
        let errors = try await Tool.run(["errors", "library.store", "--json"], in: scratch)
        #expect(errors.output.contains("s → t"), "\(errors.output)")
        for id in ["1", "2"] {
            try await Self.run(["errors", "split", "library.store", id], scratch)
        }
        let sent = try await Tool.run(["upload", "library.store"], in: scratch)
        #expect(sent.status == 0)
        #expect(sent.output.hasPrefix("uploaded: 4 carried out"))
        withExtendedLifetime(service) {}
    }

    /// What waits behind a refused request, or beside what does, is counted as parked, however often the upload is called.
    @Test func tellsOfAParkedFellow() async throws {
        let (service, scratch) = try await Self.opened()
        try await Self.run(
            ["post", "library.store", "Books", #"{"ID":10000,"Title":"New"}"#],
            scratch
        )
        try await Self.take(10_000, scratch)
        try await Self.patch(10_000, scratch, "--transaction", "t")
        try await Self.patch(11, scratch, "--transaction", "t")
        let first = try await Tool.run(["upload", "library.store"], in: scratch)
        #expect(first.status == 5)
        #expect(
            first.output.hasPrefix(
                "uploaded: 0 carried out, 1 refused, 2 parked behind refused requests, "
            ),
            "\(first.output)"
        )
        let again = try await Tool.run(["upload", "library.store"], in: scratch)
        #expect(again.output.hasPrefix("nothing uploaded: 2 parked, "), "\(again.output)")
        #expect(again.errors.contains("shows what a parked request waits for"))
        #expect(!(first.output + again.output).contains("nothing was waiting"))
        let json = try await Tool.run(["upload", "library.store", "--json"], in: scratch)
        #expect(try Self.object(json.output)["parked"] as? Int == 2)
        withExtendedLifetime(service) {}
    }

    /// Lets somebody else create a book at the service.
    private static func take(_ key: Int, _ scratch: Scratch) async throws {
        let status = try await Tool.run(["status", "library.store", "--json"], in: scratch)
        let root = try #require(try object(status.output)["serviceRoot"] as? String)
        try await run(["open", "other.store", "--service", root, "--query", "B=Books"], scratch)
        try await run(
            ["post", "other.store", "Books", "{\"ID\":\(key),\"Title\":\"Theirs\"}"],
            scratch
        )
        try await run(["upload", "other.store"], scratch)
    }
}
