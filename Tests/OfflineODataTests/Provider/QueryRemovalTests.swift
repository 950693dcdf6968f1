import OfflineOData
import Testing

/// What a defining query leaves when it is removed: nothing that no other one brings.
@Suite struct QueryRemovalTests {
    private static let order = #"{"ID":1,"Title":"a","Price":5"#
    private static let lines = #","Lines":[{"No":1,"Text":"x"},{"No":2,"Text":"y"}]}"#

    private static func opened(_ queries: [String]) async throws -> OfflineODataProvider {
        let service = try RecordedService(metadata: TalkModel.document)
        func set(_ url: String, _ members: String) {
            service.set("GET \(url)", RecordedService.json("{\"value\":[\(members)]}"))
        }
        set("Orders", order + "}")
        set("Orders?$expand=Lines", order + lines)
        set("Orders?$select=Title", #"{"ID":1,"Title":"a"}"#)
        set("Orders?$filter=ID%20eq%201", order + "}")
        return try await service.opened(queries)
    }

    private static func values(_ url: String, in provider: OfflineODataProvider) async throws
        -> Int
    {
        try await provider.executeQuery(url).count
    }

    @Test func takesContainedEntitiesThatNoOtherBrings() async throws {
        let provider = try await Self.opened(["Orders", "Orders?$expand=Lines"])
        #expect(try await Self.values("Orders(1)/Lines", in: provider) == 2)
        try await provider.removeDefiningQuery(named: "Q1")
        #expect(try await Self.values("Orders", in: provider) == 1)
        #expect(try await Self.values("Orders(1)/Lines", in: provider) == 0)
    }

    @Test func leavesContainedEntitiesThatAreChanged() async throws {
        let provider = try await Self.opened(["Orders", "Orders?$expand=Lines"])
        let change = HTTPRequest(
            method: "PATCH",
            url: "Orders(1)/Lines(1)",
            body: Array(#"{"Text":"mine"}"#.utf8)
        )
        try #require(await provider.respond(to: change).isSuccess)
        try await provider.removeDefiningQuery(named: "Q1")
        let left = try await provider.executeQuery("Orders(1)/Lines")
        #expect(left.map { $0["Text"] } == [.string("mine")])
    }

    @Test func takesValuesThatNoOtherReads() async throws {
        let provider = try await Self.opened(["Orders", "Orders?$select=Title"])
        try await provider.removeDefiningQuery(named: "Q0")
        let order = try #require(try await provider.executeQuery("Orders(1)").first)
        #expect(order["Title"] == .string("a"))
        #expect(order["Price"] ?? .null == .null)
    }

    /// One that reads everything of the entity keeps its values, and so does a change that waits.
    @Test(arguments: [false, true])
    func leavesValuesThatAreReadOrChanged(_ isChanged: Bool) async throws {
        let other = isChanged ? [] : ["Orders?$filter=ID%20eq%201"]
        let provider = try await Self.opened(["Orders", "Orders?$select=Title"] + other)
        if isChanged {
            var order = try #require(try await provider.executeQuery("Orders(1)").first)
            order["Price"] = .integer(7)
            try await provider.updateEntity(order)
        }
        try await provider.removeDefiningQuery(named: "Q0")
        let order = try #require(try await provider.executeQuery("Orders(1)").first)
        #expect(order["Price"] == .integer(isChanged ? 7 : 5))
    }
}
