import OfflineOData
import ODataHTTP
import Testing

/// What is left of an entity when its changes were refused, taken back or overtaken.
@Suite struct SettledChangeTests {
    private func opened(_ changes: String) async throws -> (RecordedService, OfflineODataProvider) {
        let service = try RecordedService(metadata: ShopModel.v4())
        service.set(
            "GET Orders?$expand=Items",
            RecordedService.json(
                #"{"value":[{"ID":1,"Title":"a","Items":[{"ID":10}]}],"@odata.deltaLink":"Orders?d=1"}"#
            )
        )
        service.set(
            "GET Items",
            RecordedService.json(#"{"value":[{"ID":10}],"@odata.deltaLink":"Items?d=1"}"#)
        )
        service.set(
            "GET Orders?d=1",
            RecordedService.json("{\"value\":[\(changes)],\"@odata.deltaLink\":\"Orders?d=2\"}")
        )
        service.set(
            "GET Items?d=1",
            RecordedService.json(#"{"value":[],"@odata.deltaLink":"Items?d=1"}"#)
        )
        let provider = try await service.opened(["Orders?$expand=Items", "Items"])
        return (service, provider)
    }

    private func dropAll(_ provider: OfflineODataProvider) async throws {
        for entry in try await provider.requestQueue() + provider.errorArchive() {
            _ = try? await provider.dropRequest(entry.id, includingUnknownOutcome: true)
        }
    }

    private func titles(_ provider: OfflineODataProvider) async throws -> [String?] {
        try await provider.executeQuery("Orders?$orderby=ID").map { $0["Title"]?.stringValue }
    }

    /// A waiting link overwrites no value: what others have changed is seen at once, and is no conflict.
    @Test(arguments: ["", #""@odata.etag":"W/\"2\"","#])
    func valuesComeDownBesideAWaitingLink(_ etag: String) async throws {
        let (service, provider) = try await opened("{\(etag)\"ID\":1,\"Title\":\"theirs\"}")
        let order = try #require(try await provider.executeQuery("Orders(1)").first)
        let item = try #require(try await provider.executeQuery("Items(10)").first)
        try await provider.deleteLink(from: order, property: "Items", to: item)
        try await provider.download()
        let now = try #require(try await provider.executeQuery("Orders(1)?$expand=Items").first)
        #expect(now["Title"]?.stringValue == "theirs")
        #expect(now.hasPendingChanges && !now.hasConflict)
        #expect(now["Items"]?.items?.isEmpty == true)
        service.set("DELETE Orders(1)/Items/$ref?$id=Items(10)", HTTPResponse(status: 204))
        #expect(try await provider.upload().failedCount == 0)
        try await dropAll(provider)
        #expect(try await titles(provider) == ["theirs"])
    }

    /// With a changed value it is one, and stays one.
    @Test func valuesDoNotComeDownBesideAChangedOne() async throws {
        let (_, provider) = try await opened(#"{"@odata.etag":"W/\"2\"","ID":1,"Title":"theirs"}"#)
        var order = try #require(try await provider.executeQuery("Orders(1)").first)
        let item = try #require(try await provider.executeQuery("Items(10)").first)
        try await provider.deleteLink(from: order, property: "Items", to: item)
        order["Note"] = "mine"
        try await provider.updateEntity(order)
        try await provider.download()
        let now = try #require(try await provider.executeQuery("Orders(1)").first)
        #expect(now["Title"]?.stringValue == "a")
        #expect(now["Note"]?.stringValue == "mine")
        #expect(now.hasConflict)
    }

    @Test func whatSomebodyElseCreatedWithTheSameKeyStays() async throws {
        let (_, provider) = try await opened(#"{"ID":2,"Title":"theirs","Items":[]}"#)
        try await provider.createEntity(
            EntityValue(entitySet: "Orders", ["ID": 2, "Title": "mine"])
        )
        try await provider.download()
        #expect(try await titles(provider) == ["a", "mine"])
        let mine = try #require(try await provider.executeQuery("Orders?$filter=ID eq 2").first)
        #expect(mine.hasConflict)
        try await dropAll(provider)
        #expect(try await titles(provider) == ["a", "theirs"])
        let theirs = try #require(try await provider.executeQuery("Orders(2)").first)
        #expect(!theirs.hasConflict && !theirs.isLocal && !theirs.hasPendingChanges)
    }

    @Test(arguments: [true, false])
    func whatSomebodyElseCreatedAndDeletedIsGone(_ isDeletedHere: Bool) async throws {
        let (service, provider) = try await opened(#"{"ID":2,"Title":"theirs","Items":[]}"#)
        let made = try await provider.createEntity(
            EntityValue(entitySet: "Orders", ["ID": 2, "Title": "mine"])
        )
        try await provider.download()
        if isDeletedHere { try await provider.deleteEntity(made) }
        service.set(
            "GET Orders?d=2",
            RecordedService.json(
                #"{"value":[{"@removed":{"reason":"deleted"},"@id":"Orders(2)"}],"@odata.deltaLink":"Orders?d=3"}"#
            )
        )
        try await provider.download()
        try await dropAll(provider)
        #expect(try await titles(provider) == ["a"])
    }

    @Test func whatIsDeletedAndCreatedAnewHereMeetsWhatTheServiceHas() async throws {
        let (_, provider) = try await opened(#"{"ID":1,"Title":"theirs","Items":[]}"#)
        let order = try #require(try await provider.executeQuery("Orders(1)").first)
        try await provider.deleteEntity(order)
        try await provider.createEntity(
            EntityValue(entitySet: "Orders", ["ID": 1, "Title": "mine"])
        )
        try await provider.download()
        #expect(try await titles(provider) == ["mine"])
        try await dropAll(provider)
        #expect(try await provider.requestQueueIsEmpty())
        #expect(try await titles(provider) == ["theirs"])
    }

    @Test func whatTheServiceComputedWithAnUploadIsNoConflict() async throws {
        let (service, provider) = try await opened(
            #"{"@odata.etag":"\"2\"","ID":1,"Title":"b","Note":"computed"}"#
        )
        func retitle(_ title: String) async throws {
            var order = try #require(try await provider.executeQuery("Orders(1)").first)
            order["Title"] = .string(title)
            try await provider.updateEntity(order)
        }
        try await retitle("b")
        service.set(
            "PATCH Orders(1)",
            HTTPResponse(status: 204, headers: ["ETag": "\"2\""])
        )
        try await provider.upload()
        try await retitle("c")
        try await provider.download()
        let order = try #require(try await provider.executeQuery("Orders(1)").first)
        #expect(order["Note"]?.stringValue == "computed")
        #expect(order["Title"]?.stringValue == "c")
        #expect(!order.hasConflict)
        try await dropAll(provider)
        #expect(try await titles(provider) == ["b"])
    }

    @Test func whatIsGoneAtTheServiceGoesWithItsLastRequest() async throws {
        let (service, provider) = try await opened(
            #"{"@removed":{"reason":"deleted"},"@id":"Orders(1)"}"#
        )
        let order = try #require(try await provider.executeQuery("Orders(1)").first)
        let item = try #require(try await provider.executeQuery("Items(10)").first)
        try await provider.deleteLink(from: order, property: "Items", to: item)
        try await provider.download()
        #expect(try await provider.executeQuery("Orders(1)").first?.hasConflict == true)
        // Where there is no order there is no link: the request is as good as carried out.
        let end = "DELETE Orders(1)/Items/$ref?$id=\(service.root)Items(10)"
        service.set(end, HTTPResponse(status: 204))
        try await provider.upload()
        #expect(try await provider.requestQueueIsEmpty())
        #expect(try await titles(provider) == [])
    }

    @Test func anErrorThatIsAsGoodAsASuccessStopsABatchAllTheSame() async throws {
        let service = try RecordedService(metadata: ShopModel.v4())
        service.set("GET Orders", RecordedService.json(#"{"value":[{"ID":1},{"ID":2}]}"#))
        let provider = try await service.opened(["Orders"])
        for order in try await provider.executeQuery("Orders?$orderby=ID") {
            try await provider.deleteEntity(order)
        }
        func answer(_ status: String) -> HTTPResponse {
            HTTPResponse(
                status: 200,
                headers: ["Content-Type": "multipart/mixed; boundary=r"],
                body: Array(
                    "--r\r\nContent-Type: application/http\r\n\r\nHTTP/1.1 \(status)\r\n\r\n\r\n--r--"
                        .utf8
                )
            )
        }
        // The service does not go on after an error, and says nothing of the second request.
        service.set("POST $batch", answer("404 Not Found"), answer("204 No Content"))
        service.set("GET Orders(1)", RecordedService.json(#"{"ID":1}"#))
        service.set("GET Orders?$top=1", RecordedService.json(#"{"value":[{"ID":2}]}"#))
        service.clearLog()
        let result = try await provider.upload()
        #expect(result.succeededCount == 2)
        #expect(
            service.requests
                == ["GET Orders(1)", "POST $batch", "GET Orders?$top=1", "POST $batch"]
        )
        #expect(service.bodies(of: "POST $batch").last?.contains("Orders(1)") == false)
    }
}
