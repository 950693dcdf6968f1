import ODataHTTP
import OfflineOData
import OfflineResources
import Testing

/// Entities created offline, in the collections that the same reads show offline.
@Suite struct JoiningTests {
    private func create(_ id: Int64, _ name: String, _ bench: PolicyBench) async throws {
        try await bench.provider.createEntity(
            EntityValue(entitySet: "Items", ["ID": .integer(id), "Name": .string(name)])
        )
    }

    @Test func createdEntitiesJoinTheCollectionsWhoseFilterTheyMeet() async throws {
        let bench = try await PolicyBench()
        let filtered = "Items?$filter=startswith(Name,'Item')"
        for url in ["Items", filtered, "Items?$filter=ID eq 1"] {
            _ = try await bench.engine.read(url)
        }
        bench.network.set(isReachable: false)
        try await create(7, "Item 7", bench)
        try await create(8, "Other", bench)
        #expect(try await bench.engine.read("Items").ids == [1, 2, 7, 8])
        #expect(try await bench.engine.read(filtered).ids == [1, 2, 7])
        #expect(try await bench.engine.read("Items?$filter=ID eq 1").ids == [1, 2])
        #expect(try await bench.engine.read("Items?$filter=ID eq 2").ids == nil)
    }

    /// What waits when a collection is fetched for the first time joins it as well.
    @Test func createdEntitiesJoinCollectionsThatAreFetchedLater() async throws {
        let bench = try await PolicyBench()
        _ = try await bench.engine.read("Items?$filter=ID eq 1")
        let later = OfflineODataRequestOptions()
        later.uploadCategory = "later"
        for (id, name) in [(7, "Item 7"), (8, "Other")] {
            try await bench.provider.createEntity(
                EntityValue(
                    entitySet: "Items",
                    ["ID": .integer(Int64(id)), "Name": .string(name)]
                ),
                options: later
            )
        }
        let filtered = "Items?$filter=startswith(Name,'Item')"
        for _ in 1...2 {
            #expect(try await bench.engine.read("Items").ids == [1, 2, 7, 8])
            #expect(try await bench.engine.read(filtered).ids == [1, 2, 7])
        }
        bench.network.set(isReachable: false)
        #expect(try await bench.engine.read(filtered).ids == [1, 2, 7])
    }

    @Test func keepsToWhatOnlyTheServiceKnows() async throws {
        let bench = try await PolicyBench()
        let urls = ["Items?$top=2", "Items?$skip=1", "Items?$search=lamp"]
        for url in urls { _ = try await bench.engine.read(url) }
        _ = try await bench.engine.read("Items?$top=3")
        bench.network.set(isReachable: false)
        try await create(7, "Item 7", bench)
        for url in urls { #expect(try await bench.engine.read(url).ids == [1, 2], "\(url)") }
        #expect(try await bench.engine.read("Items?$top=3").ids == [1, 2, 7])
    }

    @Test func changedMembersStayAndDeletedOnesLeave() async throws {
        let bench = try await PolicyBench()
        let url = "Items?$filter=startswith(Name,'Item')"
        _ = try await bench.engine.read(url)
        bench.network.set(isReachable: false)
        var first = try #require(try await bench.provider.executeQuery("Items(1)").first)
        first["Name"] = "Other"
        try await bench.provider.updateEntity(first)
        #expect(try await bench.engine.read(url).ids == [1, 2])
        let second = try #require(try await bench.provider.executeQuery("Items(2)").first)
        try await bench.provider.deleteEntity(second)
        #expect(try await bench.engine.read(url).ids == [1])
        try await bench.provider.undoPendingChanges("Items(2)")
        #expect(try await bench.engine.read(url).ids == [1, 2])
    }

    @Test func undoneCreationsLeave() async throws {
        let bench = try await PolicyBench()
        _ = try await bench.engine.read("Items")
        bench.network.set(isReachable: false)
        try await create(7, "Item 7", bench)
        try await bench.provider.undoPendingChanges("Items(7)")
        #expect(try await bench.engine.read("Items").ids == [1, 2])
    }

    @Test func staysThroughAFetchAndAnUploadUntilTheServiceTells() async throws {
        let bench = try await PolicyBench()
        _ = try await bench.engine.read("Items")
        bench.network.set(isReachable: false)
        try await create(7, "Item 7", bench)
        bench.network.set(isReachable: true)
        bench.service.set { _ in LiteralService.items([2, 3]) }
        #expect(try await bench.engine.read("Items").ids == [2, 3, 7])
        bench.service.set { request in
            guard request.method == "POST" else { return LiteralService.items([2, 3]) }
            guard !request.url.contains("$batch") else { return HTTPResponse(status: 501) }
            return LiteralService.json(
                #"{"@odata.context":"$metadata#Items/$entity","ID":7,"Name":"Item 7"}"#,
                status: 201
            )
        }
        let result = try await bench.provider.upload()
        #expect(result.succeededCount == 1)
        bench.network.set(isReachable: false)
        #expect(try await bench.engine.read("Items").ids == [2, 3, 7])
        bench.network.set(isReachable: true)
        #expect(try await bench.engine.read("Items").ids == [2, 3])
    }
}
