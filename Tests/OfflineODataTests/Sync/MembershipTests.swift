import ODataHTTP
import OfflineOData
import TestSupport
import Testing

/// What a defining query holds by its expands, and loses with a delta that does not say so.
@Suite struct MembershipTests {
    private func opened(_ changes: String) async throws -> OfflineODataProvider {
        let service = try RecordedService(metadata: ShopModel.v4())
        service.set(
            "GET Orders?$expand=Items",
            RecordedService.json(
                #"""
                {"value":[{"ID":1,"Items":[{"ID":10},{"ID":11}]},{"ID":2,"Items":[{"ID":11},{"ID":12}]}],
                "@odata.deltaLink":"Orders?d=1"}
                """#
            )
        )
        service.set(
            "GET Orders?d=1",
            RecordedService.json(#"{"value":[\#(changes)],"@odata.deltaLink":"Orders?d=2"}"#)
        )
        let provider = try await service.opened(["Orders?$expand=Items"])
        try await provider.download()
        return provider
    }

    private func items(_ provider: OfflineODataProvider) async throws -> [Int64] {
        try await provider.executeQuery("Items").compactMap { $0["ID"]?.integerValue }.sorted()
    }

    @Test(arguments: [
        // A collection that comes is whole.
        (#"{"ID":1,"Items":[{"ID":11}]}"#, [11, 12]),
        (#"{"ID":1,"Items":[]}"#, [11, 12]),
        // Nothing is said of it.
        (#"{"ID":1,"Title":"new"}"#, [10, 11, 12]),
        // Another order leads there now.
        (#"{"ID":1,"Items":[]},{"ID":2,"Items":[{"ID":10}]}"#, [10]),
        (#"{"@removed":{"reason":"deleted"},"@id":"Orders(2)"}"#, [10, 11]),
        (#"{"@removed":{"reason":"changed"},"@id":"Orders(1)"}"#, [11, 12]),
        (
            #"{"@context":"$metadata#Orders/$deletedLink","source":"Orders(2)","relationship":"Items","target":"Items(12)"}"#,
            [10, 11]
        ),
    ])
    func losesWhatNothingLeadsToAnyMore(_ changes: String, _ left: [Int64]) async throws {
        #expect(try await items(opened(changes)) == left)
    }

    private func linkedOrders() async throws -> (RecordedService, OfflineODataProvider) {
        let service = try RecordedService(metadata: ShopModel.v4())
        service.set(
            "GET Orders?$expand=Items",
            RecordedService.json(
                #"""
                {"value":[{"ID":1,"Items":[{"ID":10},{"ID":11}]},{"ID":2,"Items":[{"ID":12}]}],
                "@odata.deltaLink":"Orders?d=1"}
                """#
            )
        )
        service.set(
            "GET Orders?d=1",
            RecordedService.json(
                #"{"value":[{"ID":1,"Items":[{"ID":11}]}],"@odata.deltaLink":"Orders?d=2"}"#
            )
        )
        service.set(
            "GET Orders?d=2",
            RecordedService.json(#"{"value":[],"@odata.deltaLink":"Orders?d=3"}"#)
        )
        return (service, try await service.opened(["Orders?$expand=Items"]))
    }

    /// A link made here held the entity while the delta said that nothing else leads there; nobody says it again.
    @Test func losesWhatALinkHeldThatWasTakenBack() async throws {
        let (_, provider) = try await linkedOrders()
        let second = try #require(try await provider.executeQuery("Orders(2)").first)
        let item = try #require(try await provider.executeQuery("Items(10)").first)
        try await provider.createLink(from: second, property: "Items", to: item)
        try await provider.download()
        #expect(try await items(provider) == [10, 11, 12])
        let request = try #require(try await provider.requestQueue().first)
        try await provider.dropRequest(request.id)
        try await provider.download()
        #expect(try await items(provider) == [11, 12])
    }

    /// What was taken back first is not forgotten for what was taken back later.
    @Test func losesWhatSeveralLinksHeldThatWereTakenBackOneByOne() async throws {
        let service = try RecordedService(metadata: ShopModel.v4())
        service.set(
            "GET Orders?$expand=Items",
            RecordedService.json(
                #"""
                {"value":[{"ID":1,"Items":[{"ID":10},{"ID":11},{"ID":13}]},{"ID":2,"Items":[{"ID":12}]}],
                "@odata.deltaLink":"Orders?d=1"}
                """#
            )
        )
        service.set(
            "GET Orders?d=1",
            RecordedService.json(
                #"{"value":[{"ID":1,"Items":[{"ID":11}]}],"@odata.deltaLink":"Orders?d=2"}"#
            )
        )
        service.set(
            "GET Orders?d=2",
            RecordedService.json(#"{"value":[],"@odata.deltaLink":"Orders?d=3"}"#)
        )
        let provider = try await service.opened(["Orders?$expand=Items"])
        let order = try #require(try await provider.executeQuery("Orders(2)").first)
        for key in [10, 13] {
            let item = try #require(try await provider.executeQuery("Items(\(key))").first)
            try await provider.createLink(from: order, property: "Items", to: item)
        }
        try await provider.download()
        #expect(try await items(provider) == [10, 11, 12, 13])
        for request in try await provider.requestQueue().reversed() {
            try await provider.dropRequest(request.id)
        }
        try await provider.download()
        #expect(try await items(provider) == [11, 12])
    }

    /// A link that was removed here is not there any more when the delta comes that tells of it.
    @Test func losesWhatALinkHeldThatWasRemovedHere() async throws {
        let (service, provider) = try await linkedOrders()
        let first = try #require(try await provider.executeQuery("Orders(1)").first)
        let item = try #require(try await provider.executeQuery("Items(10)").first)
        try await provider.deleteLink(from: first, property: "Items", to: item)
        service.set("POST $batch", HTTPResponse(status: 404))
        for url in [
            "DELETE Orders(1)/Items/$ref?$id=http://service.test/odata/Items(10)",
            "DELETE Orders(1)/Items(10)/$ref",
        ] {
            service.set(url, HTTPResponse(status: 204))
        }
        try await provider.upload()
        #expect(try await provider.requestQueueIsEmpty())
        #expect(try await provider.errorArchive().isEmpty)
        try await provider.download()
        #expect(try await items(provider) == [11, 12])
    }

    @Test func losesADependentThatItsPrincipalHasNoMore() async throws {
        let service = try await SampleService(sets: [])
        let order = try await service.create("WorkOrders", #"{"Title":"one"}"#, "WorkOrders")
        for title in ["stays", "goes"] {
            let made = await service.change("POST", order + "/Tasks", "{\"Title\":\"\(title)\"}")
            try #require(made.isSuccess)
        }
        let directory = try TemporaryDirectory()
        let provider = try service.provider(directory)
        try provider.add(
            definingQuery: OfflineODataDefiningQuery(name: "Q", query: "WorkOrders?$expand=Tasks")
        )
        try await provider.open()
        let doomed = try #require(
            try await provider.executeQuery("Tasks?$filter=Title eq 'goes'").first?["ID"]?
                .integerValue
        )
        let deleted = await service.change("DELETE", "Tasks(\(doomed))", "", ["If-Match": "*"])
        try #require(deleted.isSuccess)
        try await provider.download()
        let titles = try await provider.executeQuery("Tasks").map { $0["Title"]?.stringValue }
        #expect(titles == ["stays"])
    }

    @Test func losesAContainedEntity() async throws {
        let service = try await SampleService(sets: ["Customers"])
        let directory = try TemporaryDirectory()
        let provider = try service.provider(directory)
        try provider.add(
            definingQuery: OfflineODataDefiningQuery(
                name: "Q",
                query: "Customers?$expand=Contacts"
            )
        )
        try await provider.open()
        let customers = try await provider.executeQuery("Customers?$expand=Contacts")
        let one = try #require(customers.first { !($0["Contacts"]?.items ?? []).isEmpty })
        let id = try #require(one["ID"]?.stringValue)
        let contacts = one["Contacts"]?.items ?? []
        let contact = try #require(contacts.first?["ID"]?.integerValue)
        let url = "Customers('\(id)')/Contacts"
        let deleted = await service.change("DELETE", "\(url)(\(contact))", "", ["If-Match": "*"])
        try #require(deleted.isSuccess)
        try await provider.download()
        let left = try await provider.executeQuery(url).compactMap { $0["ID"]?.integerValue }
        #expect(left.count == contacts.count - 1)
        #expect(!left.contains(contact))
    }

    /// A delta that leaves out what became of nested entities: another query shows that one is not in its set any more.
    @Test func readsInFullWhatHoldsAnEntityThatItsSetDoesNotHave() async throws {
        let service = try RecordedService(metadata: ShopModel.v4())
        service.set("GET Items", RecordedService.json(#"{"value":[{"ID":10},{"ID":11}]}"#))
        service.set(
            "GET Orders?$expand=Items",
            RecordedService.json(
                #"{"value":[{"ID":1,"Items":[{"ID":10}]}],"@odata.deltaLink":"http://service.test/odata/later"}"#
            ),
            RecordedService.json(#"{"value":[{"ID":1,"Items":[]}]}"#)
        )
        service.set(
            "GET later",
            RecordedService.json(
                #"{"value":[],"@odata.deltaLink":"http://service.test/odata/later"}"#
            )
        )
        let provider = try await service.opened(["Items", "Orders?$expand=Items"])
        service.set("GET Items", RecordedService.json(#"{"value":[{"ID":11}]}"#))
        for _ in 0..<2 { try await provider.download() }
        #expect(try await provider.executeQuery("Items").map { $0["ID"]?.integerValue } == [11])
    }
}
