import OfflinePolicies
import OfflineOData
import OfflineResources
import TestSupport
import Testing

/// The resource layer: endpoints, fetches and objects.
@Suite struct ResourceObjectTests {
    @Test func fetchesWithParametersHeadersAndLocalFilter() async throws {
        let items = VersionedItems([1: "one", 2: "two", 3: "three"])
        let bench = try await PolicyBench(PolicyEngineOptions(), items.answer)
        let fetch = bench.engine.endpoint("/Items").fetch()
            .parameter("$top", "5").header("X-Own", "1")
            .filter("Name", .startsWith, "t").filter("ID", .greaterThan, 2)
        #expect(fetch.url == "Items?$top=5")
        let objects = try #require(try await fetch.objects())
        #expect(objects.map { $0.url } == ["Items(3)"])
        #expect(!objects[0].isFromStore)
        // What is fetched and stored is all of it.
        #expect(try await bench.provider.executeQuery("Items").count == 3)
        #expect(bench.transport.requests.contains { $0.headers["X-Own"] == "1" })
    }

    static let type = ResourceObjectType(
        entitySet: "Items",
        columns: ["ID": .integer, "Name": .text, "Modified": .date],
        indexes: [["Name"], ["Modified", "ID"]]
    )

    /// A registered type makes indexes; a local search finds what the store holds by them, and never asks the service.
    @Test func searchesRegisteredTypesByIndex() async throws {
        let items = VersionedItems([1: "one", 2: "two", 3: "three"])
        items.change(3) { $0.modified = "2002-01-01T00:00:00Z" }
        let bench = try await PolicyBench(PolicyEngineOptions(), items.answer)
        _ = try await bench.engine.read("Items")
        try await bench.engine.register(Self.type)
        let asked = bench.service.asked.count
        let endpoint = bench.engine.endpoint("Items")
        func found(_ filters: LocalFilter...) async throws -> [String?] {
            try await endpoint.localObjects(filters).map(\.url)
        }
        #expect(
            try await found(LocalFilter(property: "Name", comparison: .equals, value: "two"))
                == ["Items(2)"]
        )
        #expect(
            try await found(
                LocalFilter(property: "Name", comparison: .startsWith, value: "t"),
                LocalFilter(property: "ID", comparison: .greaterThanOrEqual, value: 3)
            ) == ["Items(3)"]
        )
        #expect(
            try await found(
                LocalFilter(
                    property: "Modified",
                    comparison: .greaterThan,
                    value: "2001-12-31T23:00:00-01:00"
                )
            ) == []
        )
        #expect(
            try await found(LocalFilter(property: "Name", comparison: .equals, value: .null)) == []
        )
        #expect(bench.service.asked.count == asked)
        let plan = try await bench.provider.explainQuery("Items?$filter=Name eq 'two'")
        #expect(String(describing: plan).contains("$index:"))
    }

    @Test func refusesFiltersThatDoNotFitTheRegisteredType() async throws {
        let bench = try await PolicyBench(PolicyEngineOptions(), VersionedItems().answer)
        let endpoint = bench.engine.endpoint("Items")
        await #expect(throws: OfflineODataError.self) { try await endpoint.localObjects([]) }
        try await bench.engine.register(Self.type)
        let wrong = [
            LocalFilter(property: "Note", comparison: .equals, value: "x"),
            LocalFilter(property: "Name", comparison: .equals, value: 1),
            LocalFilter(property: "ID", comparison: .contains, value: 1),
        ]
        for filter in wrong {
            await #expect(throws: OfflineODataError.self) {
                try await endpoint.localObjects([filter])
            }
            await #expect(throws: OfflineODataError.self) {
                try await endpoint.fetch()
                    .filter(filter.property, filter.comparison, filter.value).execute()
            }
        }
        #expect(bench.service.asked.isEmpty)
        for type in [
            ResourceObjectType(entitySet: "Items", columns: ["Colour": .text]),
            ResourceObjectType(entitySet: "Nothing", columns: ["ID": .integer]),
            ResourceObjectType(entitySet: "Items", columns: [:], indexes: [["Name"]]),
        ] {
            await #expect(throws: OfflineODataError.self) { try await bench.engine.register(type) }
        }
    }

    @Test func editsInMemoryUntilSaved() async throws {
        let items = VersionedItems()
        let bench = try await PolicyBench(PolicyEngineOptions(), items.answer)
        let fetched = try await bench.engine.endpoint("Items").fetch(key: "2").object()
        var object = try #require(fetched)
        try object.addOrUpdateJSONProperty("Name", "mine")
        #expect(throws: OfflineODataError.self) { try object.addOrUpdateJSONProperty("", 1) }
        #expect(try await bench.provider.executeQuery("Items(2)").first?["Name"] == "two")
        bench.network.set(isReachable: false)
        object.setPolicy(ResourcePolicy(conflictResolutionPolicy: .preserveConflict))
        #expect(try await object.save() == .queued)
        #expect(object.jsonObject.contains("\"Name\":\"mine\""))
        #expect(try await object.jsonObjectPersistentState()?.contains("\"Name\":\"two\"") == true)
        #expect(try await object.hasOfflineUpdates())
        #expect(
            try await object.currentPolicy().conflictResolutionPolicy
                == ResolvedPolicy(.preserveConflict, from: .request)
        )
        items.change(2) { $0.name = "theirs" }
        bench.network.set(isReachable: true)
        try await bench.engine.synchronize()
        #expect(try await object.hasConflict())
        #expect(try await object.hasOfflineCommitError())
        #expect(try await object.jsonObjectPersistentState()?.contains("theirs") == true)
        try await object.reload(discardOfflineUpdates: true)
        #expect(object.entity["Name"] == "theirs")
        #expect(try await object.hasOfflineUpdates() == false)
    }

    @Test func createsAndDeletes() async throws {
        let items = VersionedItems()
        let bench = try await PolicyBench(PolicyEngineOptions(), items.answer)
        var object = bench.engine.endpoint("Items").createObject(["ID": 7, "Name": "seven"])
        #expect(object.url == nil)
        #expect(try await object.save() == .sent)
        #expect(items.items[7]?.name == "seven")
        try await object.pin(.high)
        #expect(try await object.delete() == .sent)
        #expect(items.items[7] == nil)
        bench.network.set(isReachable: false)
        var other = bench.engine.endpoint("Items").createObject(["ID": 8])
        await #expect(throws: OfflineODataError.self) { try await other.save(isKeptOffline: false) }
        #expect(try await other.save(isKeptOffline: true) == .queued)
    }
}
