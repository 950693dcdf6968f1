import OfflineOData
import Testing

/// Tombstones and the ids in them: what names no entity of this service removes nothing, and is reported.
@Suite struct TombstoneTests {
    private func shop(_ changes: String) async throws -> OfflineODataProvider {
        let service = try RecordedService(metadata: ShopModel.v4())
        service.set(
            "GET Orders?$expand=Items",
            RecordedService.json(
                #"""
                {"value":[{"ID":1,"Items":[{"ID":10}]},{"ID":2,"Items":[{"ID":11}]}],
                "@odata.deltaLink":"Orders?d=1"}
                """#
            )
        )
        service.set(
            "GET Orders?d=1",
            RecordedService.json(#"{"value":[\#(changes)],"@odata.deltaLink":"Orders?d=2"}"#)
        )
        return try await service.opened(["Orders?$expand=Items"])
    }

    private func keys(_ provider: OfflineODataProvider, _ url: String) async throws -> [Int64] {
        try await provider.executeQuery(url)
            .compactMap { ($0["ID"] ?? $0["Number"])?.integerValue }.sorted()
    }

    @Test(arguments: [
        "Orders", "Items", "http://service.test/odata/Orders", "/odata/Orders", "Orders/$count",
        "Orders(1)/Items", "Orders(1)/Title", "Orders(1)/$ref", "Orders(1)/Items/$ref",
        "Orders/Shop.Order", "Orders?$filter=ID eq 1", "Strangers(1)", "urn:x:1",
        "http://other.test/Orders(1)", "/other/Orders(1)", "$metadata#Orders(1)",
        "Orders($local='00000000-0000-0000-0000-000000000001')", "$all", "$root",
    ])
    func removesNothingForAnIDThatNamesNoEntity(_ id: String) async throws {
        let provider = try await shop(#"{"@removed":{"reason":"deleted"},"@id":"\#(id)"}"#)
        let result = try await provider.download()
        #expect(try await keys(provider, "Orders") == [1, 2])
        #expect(try await keys(provider, "Items") == [10, 11])
        #expect(result.removedCount == 0)
        let remark = try #require(result.queries[0].remarks.first)
        #expect(remark.contains("\"\(id)\""), "\(remark)")
        let event = try await provider.eventLog().first { $0.type == "Download" }
        #expect(event?.details?.contains(remark) == true)
    }

    @Test(arguments: ["deleted", "changed"])
    func doesTheSameWhateverTheReason(_ reason: String) async throws {
        let provider = try await shop(#"{"@removed":{"reason":"\#(reason)"},"@id":"Orders"}"#)
        #expect(try await provider.download().queries[0].remarks.count == 1)
        #expect(try await keys(provider, "Orders") == [1, 2])
    }

    @Test func namesTheFirstOfManyIDs() async throws {
        let changes = (1...9).map { #"{"@removed":{"reason":"deleted"},"@id":"urn:x:\#($0)"}"# }
        let provider = try await shop(changes.joined(separator: ","))
        let remarks = try await provider.download().queries[0].remarks
        #expect(
            remarks == [
                "9 removals name no entity of this service, so that nothing was removed for them:"
                    + " \"urn:x:1\", \"urn:x:2\", \"urn:x:3\" and 6 more"
            ]
        )
    }

    @Test(arguments: [
        "Orders(1)", "http://service.test/odata/Orders(1)", "/odata/Orders(1)", "Orders(ID=1)",
        "https://gateway.test/odata/Orders(1)", "Orders(1)/Shop.Order", "./Orders(1)",
    ])
    func removesTheEntityThatAnIDNames(_ id: String) async throws {
        let provider = try await shop(#"{"@removed":{"reason":"deleted"},"@id":"\#(id)"}"#)
        let result = try await provider.download()
        #expect(try await keys(provider, "Orders") == [2])
        #expect(result.queries[0].remarks.isEmpty)
    }

    /// Services report entities that the store never had, or has deleted itself.
    @Test func saysNothingOfAnEntityThatTheStoreDoesNotHave() async throws {
        let provider = try await shop(#"{"@removed":{"reason":"deleted"},"@id":"Orders(99)"}"#)
        let result = try await provider.download()
        #expect(result.removedCount == 0)
        #expect(result.queries[0].remarks.isEmpty)
    }

    @Test func reportsALinkOfWhatIsNoEntity() async throws {
        let provider = try await shop(
            ##"{"@context":"#Orders/$deletedLink","source":"Orders","relationship":"Items","target":"Items(10)"}"##
        )
        let result = try await provider.download()
        #expect(result.queries[0].remarks.first?.contains("\"Orders\"") == true)
        #expect(try await keys(provider, "Items") == [10, 11])
    }

    // MARK: Contained entities

    private func depot(_ changes: String) async throws
        -> OfflineODataProvider
    {
        let service = try RecordedService(metadata: DepotModel.v4)
        service.set(
            "GET Orders?$expand=Lines",
            RecordedService.json(
                #"""
                {"value":[{"ID":1,"Lines":[{"Number":1},{"Number":2}]},{"ID":2,"Lines":[{"Number":1}]}],
                "@odata.deltaLink":"O?d=1"}
                """#
            )
        )
        service.set(
            "GET O?d=1",
            RecordedService.json(#"{"value":[\#(changes)],"@odata.deltaLink":"O?d=2"}"#)
        )
        return try await service.opened(["Orders?$expand=Lines"])
    }

    @Test(arguments: [
        ("Orders(1)/Lines", [1, 2], [1]), ("Orders(1)/Lines(2)", [1], [1]),
        ("Orders(2)/Lines(1)", [1, 2], []),
    ])
    func removesAContainedEntityByItsKey(_ id: String, _ first: [Int64], _ second: [Int64])
        async throws
    {
        let provider = try await depot(#"{"@removed":{"reason":"deleted"},"@id":"\#(id)"}"#)
        try await provider.download()
        #expect(try await keys(provider, "Orders(1)/Lines") == first)
        #expect(try await keys(provider, "Orders(2)/Lines") == second)
        #expect(try await keys(provider, "Orders") == [1, 2])
    }

    /// A key alone belongs to the collection that was asked for, and not to the set that its context begins with.
    @Test func readsAKeyAloneRelativeToTheCollection() async throws {
        let service = try RecordedService(metadata: DepotModel.v4)
        service.set("GET Orders", RecordedService.json(#"{"value":[{"ID":1},{"ID":2}]}"#))
        service.set(
            "GET Orders(1)/Lines",
            RecordedService.json(
                ##"{"@context":"$metadata#Orders(1)/Lines","value":[{"Number":1},{"Number":2}],"@odata.deltaLink":"L?d=1"}"##
            )
        )
        service.set(
            "GET L?d=1",
            RecordedService.json(
                ##"{"@context":"$metadata#Orders(1)/Lines/$delta","value":[{"@removed":{"reason":"deleted"},"Number":2}],"@deltaLink":"L?d=2"}"##
            )
        )
        // The query for the entities around comes behind: the order of the queries does not matter.
        let provider = try await service.opened(["Orders(1)/Lines", "Orders"])
        #expect(try await keys(provider, "Orders(1)/Lines") == [1, 2])
        let result = try await provider.download()
        #expect(try await keys(provider, "Orders") == [1, 2])
        #expect(try await keys(provider, "Orders(1)/Lines") == [1])
        #expect(result.queries[0].remarks.isEmpty)
    }

    @Test func refusesAQueryInsideOfAnEntityThatNoQueryBrings() async throws {
        let service = try RecordedService(metadata: DepotModel.v4)
        service.set("GET Orders(1)/Lines", RecordedService.json(#"{"value":[{"Number":1}]}"#))
        await #expect {
            _ = try await service.opened(["Orders(1)/Lines"])
        } throws: {
            ($0 as? OfflineODataError)?.message.contains("add a query that brings the entity")
                == true
        }
    }

    @Test func readsAKeyAloneWithoutAnyContext() async throws {
        let provider = try await shop(#"{"@removed":{"reason":"deleted"},"ID":1}"#)
        let result = try await provider.download()
        #expect(try await keys(provider, "Orders") == [2])
        #expect(result.queries[0].remarks.isEmpty)
    }

    // MARK: Local changes

    @Test func marksAnEntityThatIsDeletedHereToo() async throws {
        let provider = try await shop(#"{"@removed":{"reason":"deleted"},"@id":"Orders(1)"}"#)
        let order = try #require(try await provider.executeQuery("Orders(1)").first)
        try await provider.deleteEntity(order)
        let result = try await provider.download()
        #expect(result.conflictCount == 0)
        #expect(result.queries[0].remarks.isEmpty)
        #expect(try await keys(provider, "Orders") == [2])
    }
}
