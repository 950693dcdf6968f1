import Foundation
import TestSupport
import Testing

/// Reads by policies, and what a store keeps of them, from the command line.
@Suite struct PolicyReadTests {
    private let scratch: Scratch
    private let service: RunningTool

    init() async throws {
        let (service, root, scratch) = try await Library.service()
        let outcome = try await Tool.run(
            ["open", "library.store", "--service", root, "--query", "A=Authors"],
            in: scratch
        )
        guard outcome.status == 0 else { throw ToolFailure(outcome: outcome) }
        (self.service, self.scratch) = (service, scratch)
    }

    private func run(_ words: String...) async throws -> Tool.Outcome {
        try await Tool.run(words, in: scratch)
    }

    @Test func readsFromServiceAndStore() async throws {
        let url = "Books?$filter=ID eq 10&$select=ID"
        let none = try await run("get", "library.store", url, "--fetch-policy", "FETCH_FROM_CACHE")
        #expect(none.status == 6)
        let fresh = try await run(
            "get",
            "library.store",
            url,
            "--fetch-policy",
            "FETCH_FROM_SERVICE_IF_ONLINE",
            "--policy",
            "expirationPolicy=EXPIRE_AFTER",
            "--policy",
            "expireAfter=3600"
        )
        #expect(fresh.status == 0)
        #expect(fresh.errors == "from the service\n")
        #expect(fresh.output.contains("\"ID\":10"))
        let kept = try await run("get", "library.store", url, "--offline")
        #expect(kept.status == 0)
        #expect(kept.errors.hasPrefix("from the store, fetched 20"))
        #expect(kept.output == fresh.output)
        let listing = try await run("policy", "show", "library.store", "--json")
        let item = try #require(try JSONValue(listing.output).items.first)
        #expect(item["url"]?.text == "'\(url)'")
        #expect(item["state"]?.text == "'current'")
        let policy = try await run("policy", "show", "library.store", url, "--json")
        #expect(
            policy.output.contains(
                "{\"name\":\"expireAfter\",\"value\":3600,\"level\":\"request\",\"pattern\":null}"
            )
        )
        _ = await service.end()
        let unreachable = try await run(
            "get",
            "library.store",
            "Books(11)",
            "--fetch-policy",
            "FETCH_FROM_SERVICE"
        )
        #expect(unreachable.status == 4)
    }

    @Test func keepsAConfigurationAndPoliciesOfResources() async throws {
        try scratch.write(
            "{\"synchronization\":{\"policies\":[{\"path\":\"Books/*\",\"fetchPolicy\":\"FETCH_FROM_CACHE\"}]}}",
            to: "policies.json"
        )
        #expect(
            try await run("policy", "use", "library.store", "policies.json").output
                == "kept: 1 path\n"
        )
        let shown = try await run("policy", "show", "library.store", "Books(10)", "--json")
        #expect(shown.output.contains("\"level\":\"path\",\"pattern\":\"Books/*\""))
        #expect(try await run("get", "library.store", "Books(10)", "--offline").status == 6)
        let set = try await run(
            "policy",
            "set",
            "library.store",
            "Books(10)",
            "fetchPolicy=FETCH_FROM_SERVICE",
            "--pin",
            "high"
        )
        #expect(set.output == "set: Books(10)\n")
        let listed = try await run("policy", "show", "library.store", "--json")
        #expect(
            listed.output.contains("\"fetchPolicy\":\"FETCH_FROM_SERVICE\""),
            "\(listed.output)"
        )
        #expect(try await run("policy", "refresh", "library.store", "Books(10)").status == 0)
        let evicted = try await run("policy", "evict", "library.store", "Books(10)")
        #expect(evicted.output == "1 read and 1 entity deleted\n")
        withExtendedLifetime(service) {}
    }

    /// The store has the first entity, and the policy takes no copy of it.
    @Test(arguments: [("Authors(1)", "FETCH_FROM_SERVICE"), ("Books(10)", "FETCH_WITH_REFRESH")])
    func saysThatAPolicyNeedsANetwork(_ url: String, _ policy: String) async throws {
        let read = try await run(
            "get",
            "library.store",
            url,
            "--fetch-policy",
            policy,
            "--offline"
        )
        #expect(read.status == 4)
        #expect(read.errors.contains("no network"))
        #expect(read.errors.contains(policy))
        withExtendedLifetime(service) {}
    }

    @Test(arguments: ["Nope", "Books("])
    func keepsNothingOfARefreshThatMakesNoSense(_ url: String) async throws {
        let before = try await run("policy", "show", "library.store", "--json").output
        #expect(try await run("policy", "refresh", "library.store", url).status == 2)
        #expect(try await run("policy", "show", "library.store", "--json").output == before)
        withExtendedLifetime(service) {}
    }

    @Test func refusesWhatIsNoPolicy() async throws {
        let wrong = try await run("get", "library.store", "Books", "--fetch-policy", "CACHE")
        #expect(wrong.status == 2)
        #expect(wrong.errors.contains("FETCH_FROM_CACHE"))
        #expect(try await run("policy", "set", "library.store", "Books", "x").status == 2)
        #expect(try await run("policy", "evict", "library.store").status == 2)
        #expect(try await run("policy", "show", "nowhere.store").status != 0)
        withExtendedLifetime(service) {}
    }

    /// An answer of the service is no communication error, but for those that say that it is overloaded or that nobody answered a proxy.
    @Test(arguments: [(500, 1), (401, 1), (403, 1), (502, 4), (503, 4)])
    func tellsTheErrorOfTheService(_ status: Int, _ exit: Int32) async throws {
        let sink = try BodySink([
            "GET /$metadata": "200 \(Self.metadata)",
            "GET /Parts": #"\#(status) {"error":{"code":"x","message":"not today"}}"#,
        ])
        defer { sink.stop() }
        let root = "http://127.0.0.1:\(sink.port)/"
        let opened = try await run("open", "parts.store", "--service", root)
        try #require(opened.status == 0, "\(opened.errors)")
        let read = try await run(
            "get",
            "parts.store",
            "Parts",
            "--fetch-policy",
            "FETCH_FROM_SERVICE"
        )
        #expect(read.status == exit)
        #expect(read.errors.contains("not today"))
        #expect(!read.errors.contains("from the store"))
    }

    private static let metadata = """
        <edmx:Edmx Version="4.0" xmlns:edmx="http://docs.oasis-open.org/odata/ns/edmx"><edmx:DataServices>
        <Schema Namespace="M" xmlns="http://docs.oasis-open.org/odata/ns/edm">
        <EntityType Name="Part"><Key><PropertyRef Name="ID"/></Key>
        <Property Name="ID" Type="Edm.Int32" Nullable="false"/></EntityType>
        <EntityContainer Name="C"><EntitySet Name="Parts" EntityType="M.Part"/></EntityContainer>
        </Schema></edmx:DataServices></edmx:Edmx>
        """

    @Test func refusesAPolicyThatIsGivenTwice() async throws {
        let read = try await run(
            "get",
            "library.store",
            "Books",
            "--fetch-policy",
            "FETCH_FROM_CACHE",
            "--policy",
            "fetchPolicy=FETCH_FROM_SERVICE"
        )
        #expect(read.status == 2)
        #expect(read.errors.contains("fetchPolicy is given twice"))
    }
}
