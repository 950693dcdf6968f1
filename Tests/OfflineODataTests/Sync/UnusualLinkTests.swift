import OfflineOData
import ODataHTTP
import Testing

/// Services that give their entities other links than those of the convention (OData 4.01 Part 1 § 4, § 11.4): changes go where the
/// edit link leads, references and tombstones name an entity by its id.
@Suite struct UnusualLinkTests {
    private static let root = "http://service.test/odata/"

    private func opened(_ orders: String, _ more: [String] = []) async throws -> (
        RecordedService, OfflineODataProvider
    ) {
        let service = try RecordedService(metadata: ShopModel.v4())
        service.set("GET Orders", RecordedService.json("{\"value\":[\(orders)]}"))
        for query in more {
            service.set(
                "GET \(query)",
                RecordedService.json(
                    #"{"value":[{"ID":10,"@odata.id":"urn:item:ten","@odata.editLink":"goods/10"}]}"#
                )
            )
        }
        let provider = try await service.opened(["Orders"] + more)
        service.set("POST $batch", HTTPResponse(status: 404))
        service.clearLog()
        return (service, provider)
    }

    private func sent(_ service: RecordedService) -> [String] {
        service.log.filter { $0.method != "GET" && !$0.url.hasSuffix("$batch") }
            .map { "\($0.method) \($0.url)" }
    }

    /// The context says what a relative link is held against (OData JSON 4.01 § 4.5.1); nothing is asked for at another place before.
    @Test func asksForPagesAtNoOtherPlace() async throws {
        let service = try RecordedService(metadata: ShopModel.v4())
        let context = #""@odata.context":"http://service.test/odata/$metadata#Orders""#
        for (page, next) in [("Orders", "snap/1/1"), ("snap/1/1", "snap/1/2")] {
            service.set(
                "GET \(page)",
                RecordedService.json(
                    "{\(context),\"value\":[{\"ID\":\(page.count)}],\"@odata.nextLink\":\"\(next)\"}"
                )
            )
        }
        service.set("GET snap/1/2", RecordedService.json("{\(context),\"value\":[{\"ID\":1}]}"))
        let provider = try await service.opened(["Orders"])
        #expect(
            service.requests == ["GET $metadata", "GET Orders", "GET snap/1/1", "GET snap/1/2"]
        )
        #expect(try await provider.executeQuery("Orders").count == 3)
    }

    /// Dot segments are no part of an address (RFC 3986 § 5.2.4).
    @Test(arguments: ["../odata/Orders(1)", "http://service.test/x/../odata/./Orders(1)"])
    func findsWhatAnIDWithDotSegmentsMeans(_ id: String) async throws {
        let service = try RecordedService(metadata: ShopModel.v4())
        service.set(
            "GET Orders",
            RecordedService.json(#"{"value":[{"ID":1}],"@odata.deltaLink":"d1"}"#)
        )
        let removed = "{\"@removed\":{\"reason\":\"deleted\"},\"@id\":\"\(id)\"}"
        service.set(
            "GET d1",
            RecordedService.json("{\"value\":[\(removed)],\"@odata.deltaLink\":\"d2\"}")
        )
        let provider = try await service.opened(["Orders"])
        try await provider.download()
        #expect(try await provider.executeQuery("Orders").isEmpty)
    }

    /// Links as services write them, and where a change goes.
    @Test(arguments: [
        (#""@odata.editLink":"Orders/1""#, root + "Orders/1"),
        (#""@odata.editLink":"Orders(1)/Shop.Order""#, root + "Orders(1)/Shop.Order"),
        (#""@odata.editLink":"v2/Order-1""#, root + "v2/Order-1"),
        (#""@odata.editLink":"/other/Orders(1)""#, "http://service.test/other/Orders(1)"),
        (#""@editLink":"http://service.test/other/1?v=2""#, "http://service.test/other/1?v=2"),
        (#""@odata.id":"Orders/1""#, root + "Orders/1"),
        (#""@odata.id":"urn:order:1","@odata.editLink":"o/1""#, root + "o/1"),
        // An id that is no address, and links of the convention, change nothing.
        (#""@odata.id":"urn:order:1""#, root + "Orders(1)"),
        (#""@odata.id":"http://service.test/odata/Orders(1)""#, root + "Orders(1)"),
        (#""@odata.editLink":"Orders(ID=1)""#, root + "Orders(1)"),
        // Gateways do not tell services their outer name.
        (#""@odata.editLink":"http://inner:8080/odata/Orders(1)""#, root + "Orders(1)"),
        (#""@odata.editLink":"http://inner:8080/svc/Orders(1)""#, root + "Orders(1)"),
        (#""@odata.editLink":"http://inner:8080/odata/o/1""#, root + "o/1"),
        // Credentials go to no other origin.
        (#""@odata.editLink":"http://evil.test/x/1""#, root + "Orders(1)"),
    ])
    func changesAnEntityWhereItsEditLinkLeads(_ links: String, _ url: String) async throws {
        let (service, provider) = try await opened("{\"ID\":1,\"Title\":\"a\",\(links)}")
        service.set("PATCH \(url.dropFirst(Self.root.count))", HTTPResponse(status: 204))
        var order = try #require(try await provider.executeQuery("Orders(1)").first)
        order["Title"] = "b"
        try await provider.updateEntity(order)
        _ = try? await provider.upload()
        #expect(sent(service) == ["PATCH \(url)"])
    }

    @Test func deletesWhereTheEditLinkLeads() async throws {
        let (service, provider) = try await opened(#"{"ID":1,"@odata.editLink":"Orders/1"}"#)
        service.set("DELETE Orders/1", HTTPResponse(status: 204))
        let order = try #require(try await provider.executeQuery("Orders(1)").first)
        try await provider.deleteEntity(order)
        try await provider.upload()
        #expect(sent(service) == ["DELETE \(Self.root)Orders/1"])
        #expect(try await provider.requestQueueIsEmpty())
    }

    /// In a batch too.
    @Test func saysTheEditLinkInABatch() async throws {
        let (service, provider) = try await opened(#"{"ID":1,"@odata.editLink":"Orders/1"}"#)
        service.set("POST $batch", HTTPResponse(status: 503))
        var order = try #require(try await provider.executeQuery("Orders(1)").first)
        order["Title"] = "b"
        try await provider.updateEntity(order)
        _ = try? await provider.upload()
        let body = try #require(service.bodies(of: "POST $batch").first)
        #expect(body.contains("PATCH Orders/1 HTTP/1.1\r\n"))
    }

    /// A link is set below the edit link of its source, and names its target by the id.
    @Test func namesTheTargetOfALinkByItsID() async throws {
        let (service, provider) = try await opened(
            #"{"ID":1,"@odata.editLink":"Orders/1"}"#,
            ["Items"]
        )
        service.set("POST Orders/1/Items/$ref", HTTPResponse(status: 204))
        let order = try #require(try await provider.executeQuery("Orders(1)").first)
        let item = try #require(try await provider.executeQuery("Items(10)").first)
        try await provider.createLink(from: order, property: "Items", to: item)
        try await provider.upload()
        #expect(sent(service) == ["POST \(Self.root)Orders/1/Items/$ref"])
        #expect(
            service.bodies(of: "POST Orders/1/Items/$ref") == [#"{"@odata.id":"urn:item:ten"}"#]
        )
        #expect(try await provider.requestQueueIsEmpty())
    }

    /// What a new entity is bound to is named by its id, else by its edit link; texts that only look like a binding stay.
    @Test(arguments: [
        (#""@odata.id":"urn:item:ten","@odata.editLink":"goods/10""#, "urn:item:ten"),
        (#""@odata.editLink":"goods/10""#, "goods/10"),
        (#""@odata.editLink":"/other/goods/10""#, "http://service.test/other/goods/10"),
        (#""@odata.editLink":"Items(10)""#, "Items(10)"),
    ])
    func bindsToWhatTheServiceCallsAnEntity(_ links: String, _ name: String) async throws {
        let service = try RecordedService(metadata: ShopModel.v4())
        service.set("GET Orders", RecordedService.json(#"{"value":[{"ID":1}]}"#))
        service.set(
            "GET Items",
            RecordedService.json("{\"value\":[{\"ID\":10,\(links)},{\"ID\":11}]}")
        )
        let provider = try await service.opened(["Orders", "Items"])
        service.set("POST $batch", HTTPResponse(status: 404))
        service.set("POST Orders", RecordedService.json(#"{"ID":7}"#, status: 201))
        service.set("PATCH Orders(1)", HTTPResponse(status: 204))
        let bindings = #""Items@odata.bind":["Items(10)","Items(11)"]"#
        let text = #""Title":"Items@odata.bind\":[\"Items(10)\"]""#
        for (method, url) in [("POST", "Orders"), ("PATCH", "Orders(1)")] {
            let answer = await provider.respond(
                to: HTTPRequest(
                    method: method,
                    url: url,
                    headers: ["Content-Type": "application/json"],
                    body: Array("{\(text),\(bindings)}".utf8)
                )
            )
            #expect(answer.isSuccess, "\(answer.text)")
        }
        try await provider.upload()
        let sent = "{\(text),\"Items@odata.bind\":[\"\(name)\",\"Items(11)\"]}"
        #expect(service.bodies(of: "POST Orders") == [sent])
        #expect(service.bodies(of: "PATCH Orders(1)") == [sent])
        #expect(try await provider.requestQueueIsEmpty())
    }

    /// An entity that was created is changed where the answer says.
    @Test(arguments: [
        HTTPResponse(
            status: 201,
            headers: ["Content-Type": "application/json", "Location": root + "o/77"],
            body: Array(#"{"ID":7,"Title":"new"}"#.utf8)
        ),
        HTTPResponse(
            status: 201,
            headers: ["Content-Type": "application/json"],
            body: Array(#"{"ID":7,"Title":"new","@odata.editLink":"o/77"}"#.utf8)
        ),
        // Without a body the key is not known; the address is.
        HTTPResponse(status: 204, headers: ["Location": root + "o/77"]),
    ])
    func changesWhatItCreatedWhereTheAnswerSays(_ answer: HTTPResponse) async throws {
        let (service, provider) = try await opened(#"{"ID":1}"#)
        service.set("POST Orders", answer)
        service.set("PATCH o/77", HTTPResponse(status: 204))
        var order = try await provider.createEntity(
            EntityValue(entitySet: "Orders", ["Title": "new"])
        )
        try await provider.upload()
        order["Title"] = "changed"
        try await provider.updateEntity(order)
        try await provider.upload()
        #expect(sent(service) == ["POST \(Self.root)Orders", "PATCH \(Self.root)o/77"])
        #expect(try await provider.requestQueueIsEmpty())
    }

    /// Tombstones and entries of deltas name an entity by its id alone.
    @Test func findsWhatADeltaNamesByItsID() async throws {
        let service = try RecordedService(metadata: ShopModel.v4())
        service.set(
            "GET Orders",
            RecordedService.json(
                #"""
                {"value":[{"ID":1,"Title":"a","@odata.id":"urn:o:1"},{"ID":2,"@odata.id":"urn:o:2"},
                {"ID":3,"@odata.id":"urn:o:3"}],"@odata.deltaLink":"Orders?d=1"}
                """#
            )
        )
        service.set(
            "GET Orders?d=1",
            RecordedService.json(
                #"""
                {"value":[{"@odata.id":"urn:o:1","Title":"b"},
                {"@odata.context":"$metadata#Orders/$deletedEntity","id":"urn:o:2","reason":"deleted"}],
                "@odata.deltaLink":"Orders?d=2"}
                """#
            )
        )
        service.set(
            "GET Orders?d=2",
            RecordedService.json(
                #"""
                {"value":[{"@removed":{"reason":"deleted"},"@id":"urn:o:3"}],"@odata.deltaLink":"Orders?d=3"}
                """#
            )
        )
        let provider = try await service.opened(["Orders"])
        try await provider.download()
        let orders = try await provider.executeQuery("Orders?$orderby=ID")
        #expect(orders.map { $0["ID"]?.integerValue } == [1, 3])
        #expect(orders.first?["Title"]?.stringValue == "b")
        try await provider.download()
        #expect(try await provider.executeQuery("Orders").count == 1)
    }

    /// A link that the service has given up is used no more.
    @Test func forgetsLinksThatComeNoMore() async throws {
        let (service, provider) = try await opened(#"{"ID":1,"@odata.editLink":"Orders/1"}"#)
        service.set("GET Orders", RecordedService.json(#"{"value":[{"ID":1,"Title":"x"}]}"#))
        try await provider.download()
        service.clearLog()
        service.set("PATCH Orders(1)", HTTPResponse(status: 204))
        var order = try #require(try await provider.executeQuery("Orders(1)").first)
        order["Title"] = "b"
        try await provider.updateEntity(order)
        try await provider.upload()
        #expect(sent(service) == ["PATCH \(Self.root)Orders(1)"])
    }
}
