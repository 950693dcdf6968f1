import ODataHTTP
import OfflineOData
import Testing

/// Reads that keep what they have worked out.
@Suite struct ReadingTests {
    /// The synchronous forms, which asynchronous code cannot call.
    private func read(_ key: ODataValue, _ store: SmallStore) throws -> EntityValue? {
        try store.provider.entity(in: "Parts", key: key)
    }

    private func answer(_ request: HTTPRequest, _ store: SmallStore) -> HTTPResponse {
        store.provider.respond(to: request)
    }

    private func query(_ url: String, _ store: SmallStore) throws -> [EntityValue] {
        try store.provider.executeQuery(url)
    }

    @Test func readsAnEntityByItsKey() async throws {
        let store = try await SmallStore()
        #expect(
            try await store.provider.entity(in: "Parts", key: "P1")?["InStock"]?.integerValue == 5
        )
        #expect(try read("P2", store)?["Number"]?.stringValue == "P2")
        #expect(try read("P2", store)?["Number"]?.stringValue == "P2")
        #expect(try read("P9", store) == nil)
        #expect(try await store.provider.entity(in: "Parts", key: "P9") == nil)
    }

    @Test func refusesKeysThatAreNone() async throws {
        let store = try await SmallStore()
        _ = try read("P1", store)
        for key in [ODataValue.integer(5), .null, .boolean(true)] where key.isNull {
            #expect(throws: OfflineODataError.self) { try read(key, store) }
        }
        await #expect(throws: OfflineODataError.self) {
            _ = try await store.provider.entity(in: "Nope", key: "P1")
        }
        await #expect(throws: OfflineODataError.self) {
            _ = try await store.provider.entity(in: "WorkOrders", key: "no number")
        }
    }

    @Test func seesWhatHasChangedSinceTheLastRead() async throws {
        let store = try await SmallStore()
        var part = try #require(try read("P1", store))
        part["InStock"] = 77
        try await store.provider.updateEntity(part)
        #expect(try read("P1", store)?["InStock"]?.integerValue == 77)
        #expect(try read("P1", store)?.hasPendingChanges == true)
        try await store.provider.deleteEntity(part)
        #expect(try read("P1", store) == nil)
        #expect(try query("Parts?$filter=Number eq 'P1'", store).isEmpty)
    }

    /// The first read finds no table; the change makes it.
    @Test func seesATableThatWasMadeAfterTheFirstRead() async throws {
        let store = try await SmallStore()
        #expect(try query("Customers", store).isEmpty)
        #expect(try query("Customers", store).isEmpty)
        let customer = EntityValue(
            entitySet: "Customers",
            ["Name": "New", "Since": "2020-01-01"]
        )
        try await store.provider.createEntity(customer)
        #expect(try query("Customers", store).map { $0["Name"]?.stringValue } == ["New"])
    }

    @Test func answersRequestsWhileTheCallerWaits() async throws {
        let store = try await SmallStore()
        for url in [
            "Parts", "Parts('P1')", "Parts/$count", "Nope", "Parts?$filter=", "Parts('P9')",
            "~/Parts?$top=1&$select=Name", "Parts?$apply=aggregate($count as N)",
        ] {
            let request = HTTPRequest(method: "GET", url: url)
            let (waiting, other) = (
                answer(request, store), await store.provider.respond(to: request)
            )
            #expect(waiting.status == other.status && waiting.body == other.body, "\(url)")
        }
        let change = HTTPRequest(method: "DELETE", url: "Parts('P1')")
        #expect(answer(change, store).status == 405)
        #expect(try read("P1", store) != nil)
    }

    @Test func explainsQueries() async throws {
        let store = try await SmallStore()
        let url = "Parts?$filter=InStock gt 3 and Name eq 'x''y'&$orderby=Number"
        let before = try await store.provider.explainQuery(url)
        #expect(before.statements.count == 1 && before.statements[0].values == ["3", "'x''y'"])
        try await store.provider.createIndex(on: "Parts", properties: ["Name"])
        let after = try await store.provider.explainQuery("Parts?$filter=Name eq 'x'")
        #expect(after.statements[0].plan.contains { $0.contains("$index:Parts:Name") })
        let levels = try await store.provider.explainQuery(
            "WorkOrders?$expand=Tasks($expand=WorkOrder)"
        )
        #expect(levels.statements.count == 3)
        let count = try await store.provider.explainQuery("Parts/$count")
        #expect(count.statements[0].sql.hasPrefix("SELECT count(*)"))
        await #expect(throws: OfflineODataError.self) {
            _ = try await store.provider.explainQuery("Nope")
        }
    }

    @Test func answersManyReadersAtOnce() async throws {
        let store = try await SmallStore()
        let counts = try await withThrowingTaskGroup(of: Int.self) { group in
            for index in 0..<50 {
                group.addTask {
                    try await store.provider.executeQuery("Parts?$filter=InStock lt \(index)").count
                }
            }
            return try await group.reduce(0, +)
        }
        // Three parts of which five are in stock.
        #expect(counts == 3 * 44)
    }
}
