import OfflineOData
import ODataHTTP
import Testing

/// What is sent to services of version 2, held against bytes that are written here (OData 2.0 Operations; JSON Verbose Format).
@Suite struct OldVersionUploadTests {
    private static let guid = "5e97f5f8-43c9-41ee-901e-13be235f461f"
    private static let order = """
        {"__metadata":{"uri":"http://service.test/odata/Orders(guid'\(guid)')","type":"Shop.Order","etag":"W/\\"1\\""},
        "ID":"\(guid)","Total":"1.50","Big":"5","At":"/Date(0)/","Since":null,"Length":"PT1H","Data":null,
        "Items":{"__deferred":{"uri":"x"}}}
        """

    private func opened(_ change: (OfflineODataParameters) -> Void = { _ in }) async throws
        -> (RecordedService, OfflineODataProvider)
    {
        let service = try RecordedService(metadata: ShopModel.v2)
        service.set("GET Orders", RecordedService.json("{\"d\":{\"results\":[\(Self.order)]}}"))
        service.set(
            "GET Items",
            RecordedService.json(
                #"{"d":[{"__metadata":{"type":"Shop.Item"},"ID":"8","Name":"Lamp"}]}"#
            )
        )
        let provider = try await service.opened(["Orders", "Items"], change)
        service.clearLog()
        return (service, provider)
    }

    /// The only request of the last upload that was no batch.
    private func sent(_ service: RecordedService) throws -> HTTPRequest {
        try #require(service.log.last { !$0.url.hasSuffix("$batch") })
    }

    /// What a new entity is bound to is named where the service says that it is.
    @Test func bindsByALinkOfTheServicesOwn() async throws {
        let (service, provider) = try await opened()
        service.set(
            "GET Orders",
            RecordedService.json(
                "{\"d\":{\"results\":[\(Self.order.replacing("Orders(guid'\(Self.guid)')", with: "o/1"))]}}"
            )
        )
        try await provider.download()
        service.set("POST $batch", HTTPResponse(status: 404))
        let answer = await provider.respond(
            to: HTTPRequest(
                method: "POST",
                url: "Items",
                headers: ["Content-Type": "application/json"],
                body: Array("{\"ID\":\"9\",\"Order@odata.bind\":\"Orders(\(Self.guid))\"}".utf8)
            )
        )
        #expect(answer.isSuccess, "\(answer.text)")
        _ = try? await provider.upload()
        #expect(
            service.bodies(of: "POST Items") == [
                #"{"__metadata":{"type":"Shop.Item"},"ID":"9","Order":{"__metadata":{"uri":"http://service.test/odata/o/1"}}}"#
            ]
        )
    }

    @Test func createsEveryEntityThatIsGivenInline() async throws {
        let (service, provider) = try await opened()
        service.set("POST $batch", HTTPResponse(status: 404))
        let answer = await provider.respond(
            to: HTTPRequest(
                method: "POST",
                url: "Orders",
                headers: ["Content-Type": "application/json"],
                body: Array(
                    #"{"Big":"1","Items":[{"ID":"1","Name":"a"},{"ID":"2","Name":"b"}]}"#.utf8
                )
            )
        )
        #expect(answer.isSuccess, "\(answer.text)")
        _ = try? await provider.upload()
        #expect(
            service.bodies(of: "POST Orders") == [
                #"{"__metadata":{"type":"Shop.Order"},"Big":"1","Items":[{"__metadata":{"type":"Shop.Item"},"ID":"1","Name":"a"},{"__metadata":{"type":"Shop.Item"},"ID":"2","Name":"b"}]}"#
            ]
        )
    }

    @Test func sendsAMergeWithItsETag() async throws {
        let (service, provider) = try await opened()
        var order = try #require(try await provider.executeQuery("Orders").first)
        order["Total"] = .number("12.50")
        order["Big"] = 9_007_199_254_740_993
        order["At"] = "2024-02-29T12:00:00Z"
        order["Length"] = "01:30:00"
        order["Data"] = "AQID"
        try await provider.updateEntity(order)
        service.set("MERGE Orders(guid'\(Self.guid)')", HTTPResponse(status: 204))
        try await provider.upload()
        let request = try sent(service)
        #expect(request.method == "MERGE")
        #expect(request.url == "http://service.test/odata/Orders(guid'\(Self.guid)')")
        #expect(request.headers["If-Match"] == "W/\"1\"")
        #expect(request.headers["DataServiceVersion"] == "2.0")
        #expect(request.headers["MaxDataServiceVersion"] == "2.0")
        #expect(request.headers["OData-Version"] == nil)
        #expect(request.headers["OData-MaxVersion"] == nil)
        #expect(request.headers["Prefer"] == nil)
        #expect(
            String(decoding: request.body, as: UTF8.self)
                // A service that reads the body before the URL finds the entity by its key.
                == "{\"ID\":\"\(Self.guid)\","
                + #""Total":"12.50","Big":"9007199254740993","At":"/Date(1709208000000)/","Length":"PT1H30M","Data":"AQID"}"#
        )
        #expect(try await provider.requestQueueIsEmpty())
    }

    @Test func bindsAnEntityByItsURI() async throws {
        let (service, provider) = try await opened()
        service.set(
            "POST Items",
            RecordedService.json(#"{"d":{"ID":"9","Name":"Door"}}"#, status: 201)
        )
        let order = try #require(try await provider.executeQuery("Orders").first)
        let item = try await provider.createEntity(
            EntityValue(entitySet: "Items", ["ID": 9, "Name": "Door"])
        )
        try await provider.createLink(from: item, property: "Order", to: order)
        service.set("PUT Items(9L)/$links/Order", HTTPResponse(status: 204))
        try await provider.upload()
        let sent = service.log.filter { !$0.url.hasSuffix("$batch") }
        #expect(sent.map(\.method) == ["POST", "PUT"])
        #expect(
            sent.map { String(decoding: $0.body, as: UTF8.self) } == [
                #"{"__metadata":{"type":"Shop.Item"},"ID":"9","Name":"Door"}"#,
                "{\"uri\":\"http://service.test/odata/Orders(guid'\(Self.guid)')\"}",
            ]
        )
        #expect(sent.last?.url == "http://service.test/odata/Items(9L)/$links/Order")
        #expect(try await provider.requestQueueIsEmpty())
    }

    @Test func removesALinkByKey() async throws {
        let (service, provider) = try await opened()
        let order = try #require(try await provider.executeQuery("Orders").first)
        let item = try #require(try await provider.executeQuery("Items(8)").first)
        try await provider.createLink(from: order, property: "Items", to: item)
        try await provider.deleteLink(from: order, property: "Items", to: item)
        let links = "Orders(guid'\(Self.guid)')/$links/Items"
        service.set("POST \(links)", HTTPResponse(status: 204))
        service.set("DELETE \(links)(8L)", HTTPResponse(status: 204))
        try await provider.upload()
        let sent = service.requests.filter { $0 != "POST $batch" }
        #expect(sent == ["POST \(links)", "DELETE \(links)(8L)"] || sent.isEmpty)
        #expect(try await provider.requestQueueIsEmpty())
    }

    @Test func putsEachIndependentRequestIntoAChangeSetOfItsOwn() async throws {
        let (service, provider) = try await opened()
        for number in [20, 21] {
            try await provider.createEntity(
                EntityValue(entitySet: "Items", ["ID": .integer(Int64(number))])
            )
        }
        let answer = [20, 21].map { number in
            """
            --r\r\nContent-Type: multipart/mixed; boundary=c\(number)\r\n\r\n\
            --c\(number)\r\nContent-Type: application/http\r\n\r\nHTTP/1.1 201 Created\r\n\
            Content-Type: application/json\r\n\r\n{"d":{"ID":"\(number)"}}\r\n--c\(number)--\r\n
            """
        }
        service.set(
            "POST $batch",
            HTTPResponse(
                status: 202,
                headers: ["Content-Type": "multipart/mixed; boundary=r"],
                body: Array((answer.joined() + "--r--").utf8)
            )
        )
        #expect(try await provider.upload().succeededCount == 2)
        let body = try #require(service.bodies(of: "POST $batch").first)
        #expect(body.components(of: "Content-Type: multipart/mixed; boundary=changeset_") == 2)
        #expect(body.components(of: "POST Items HTTP/1.1") == 2)
    }

    @Test func tunnelsMethodsWhereTold() async throws {
        let (service, provider) = try await opened { $0.tunnelsMethods = true }
        let item = try #require(try await provider.executeQuery("Items(8)").first)
        try await provider.deleteEntity(item)
        service.set("POST Items(8L)", HTTPResponse(status: 204))
        try await provider.upload()
        let request = try sent(service)
        #expect(request.method == "POST")
        #expect(request.headers["X-HTTP-Method"] == "DELETE")
        #expect(try await provider.requestQueueIsEmpty())
    }

    @Test func keepsTheKeyOfALocationWhereTheAnswerIsAtom() async throws {
        let (service, provider) = try await opened()
        try await provider.createEntity(EntityValue(entitySet: "Items", ["Name": "by Atom"]))
        service.set(
            "POST Items",
            HTTPResponse(
                status: 201,
                headers: [
                    "Location": "http://inner.host:8000/odata/Items(77L)",
                    "Content-Type": "application/atom+xml",
                ],
                body: Array("<entry xmlns='http://www.w3.org/2005/Atom'/>".utf8)
            )
        )
        try await provider.upload()
        #expect(
            try await provider.executeQuery("Items(77)").first?["Name"]?.stringValue == "by Atom"
        )
    }
}

extension String {
    /// How often a text stands in this one.
    func components(of text: String) -> Int {
        ranges(of: text).count
    }
}
