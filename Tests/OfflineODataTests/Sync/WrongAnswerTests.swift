import OfflineOData
import ODataHTTP
import Testing

/// Answers to a download that are not what was asked for, byte by byte: nothing is removed for them, and other queries are applied.
@Suite struct WrongAnswerTests {
    private static let orders = #"{"value":[{"ID":1,"Title":"a"},{"ID":2,"Title":"b"}]}"#
    private static let items = #"{"value":[{"ID":10}]}"#

    private func keys(_ provider: OfflineODataProvider, _ query: String) async throws -> [Int64] {
        try await provider.executeQuery(query).compactMap { $0["ID"]?.integerValue }.sorted()
    }

    private func shop(
        _ queries: [String] = ["Orders", "Items"],
        link: String = ""
    ) async throws -> (RecordedService, OfflineODataProvider) {
        let service = try RecordedService(metadata: ShopModel.v4())
        let end = link.isEmpty ? "}" : ",\"@odata.deltaLink\":\"\(link)\"}"
        service.set("GET Orders", RecordedService.json(Self.orders.dropLast() + end))
        service.set("GET Items", RecordedService.json(Self.items))
        return (service, try await service.opened(queries))
    }

    private func failure(_ provider: OfflineODataProvider) async throws -> OfflineODataError? {
        do {
            try await provider.download()
            return nil
        } catch let error as OfflineODataError {
            return error
        }
    }

    @Test(arguments: [
        "{}", #"{"foo":1}"#, #"{"error":{"code":"x","message":"no"}}"#, "<html></html>",
        #"[{"ID":1}]"#, #"{"ID":1,"Title":"a"}"#, #"{"value":[{"Title":"a"}]}"#,
        #"{"value":[{"ID":null}]}"#, ##"{"value":[{"@odata.type":"#Shop.Item","ID":1}]}"##,
        #"{"@odata.context":"$metadata#Items","value":[{"ID":1}]}"#, "", "null",
        #"{"value":[{"ID":1,"@odata.etag":"W/\"1\r\nX: y\""}]}"#,
    ])
    func removesNothingForAWrongPage(_ body: String) async throws {
        let (service, provider) = try await shop()
        service.set("GET Orders", RecordedService.json(body))
        service.set("GET Items", RecordedService.json(#"{"value":[{"ID":10},{"ID":11}]}"#))
        let error = try #require(try await failure(provider))
        #expect(error.category == .server || error.category == .invalidInput)
        #expect(error.message.contains("Q0 (http://service.test/odata/Orders)"))
        #expect(try await keys(provider, "Orders") == [1, 2])
        #expect(try await keys(provider, "Items") == [10, 11])
        let result = try #require(error.download)
        #expect(result.queries.map { $0.error == nil } == [false, true])
        #expect(result.insertedCount == 1)
    }

    @Test(arguments: ["text/html", "application/xml", "application/atom+xml;type=feed"])
    func looksAtTheContentTypeFirst(_ type: String) async throws {
        let (service, provider) = try await shop()
        service.set(
            "GET Orders",
            HTTPResponse(
                status: 200,
                headers: ["Content-Type": type],
                body: Array(#"{"value":[]}"#.utf8)
            )
        )
        let error = try #require(try await failure(provider))
        let names = ["text/html": "a web page", "application/atom+xml;type=feed": "Atom"]
        #expect(error.message.contains(names[type] ?? type), "\(error.message)")
        #expect(try await keys(provider, "Orders") == [1, 2])
    }

    @Test(arguments: [400, 403, 404, 410, 500, 501])
    func appliesTheOtherQueries(_ status: Int) async throws {
        let (service, provider) = try await shop()
        service.set("GET Orders", HTTPResponse(status: status))
        service.set("GET Items", RecordedService.json(#"{"value":[{"ID":11}]}"#))
        let error = try #require(try await failure(provider))
        #expect(error.category == .server)
        #expect(try await keys(provider, "Orders") == [1, 2])
        #expect(try await keys(provider, "Items") == [11])
        #expect(error.download?.removedCount == 1)
        let event = try await provider.eventLog().first { $0.type == "Download" }
        #expect(event?.details?.contains("1 new, 0 changed, 1 removed") == true)
        #expect(event?.details?.contains("Q0 (http://service.test/odata/Orders) failed") == true)
    }

    @Test func appliesTheOtherQueriesWhereTheConnectionBreaks() async throws {
        let (service, provider) = try await shop()
        service.set("GET Orders", RecordedService.lost)
        service.set("GET Items", RecordedService.json(#"{"value":[{"ID":11}]}"#))
        #expect(try await failure(provider)?.category == .communication)
        #expect(try await keys(provider, "Orders") == [1, 2])
        #expect(try await keys(provider, "Items") == [11])
    }

    // MARK: One entity

    @Test(arguments: [204, 404, 410])
    func removesAnEntityThatIsGone(_ status: Int) async throws {
        let service = try RecordedService(metadata: ShopModel.v4())
        service.set("GET Orders(1)", RecordedService.json(#"{"ID":1,"Title":"a"}"#))
        service.set("GET Items", RecordedService.json(Self.items))
        let provider = try await service.opened(["Orders(1)", "Items"])
        #expect(try await keys(provider, "Orders") == [1])
        service.set("GET Orders(1)", HTTPResponse(status: status))
        service.set("GET Items", RecordedService.json(#"{"value":[{"ID":11}]}"#))
        let result = try await provider.download()
        #expect(result.queries.map(\.removedCount) == [1, 1])
        #expect(try await keys(provider, "Orders").isEmpty)
        #expect(try await keys(provider, "Items") == [11])
        // It comes back as any other.
        service.set("GET Orders(1)", RecordedService.json(#"{"Title":"again"}"#))
        try await provider.download()
        #expect(try await keys(provider, "Orders") == [1])
    }

    /// The same of a singleton (OData 4.01 Part 1 §§ 9.1.4, 11.2.2).
    @Test(arguments: [204, 404, 410])
    func removesASingletonThatIsGone(_ status: Int) async throws {
        let top = "<Singleton Name=\"Top\" Type=\"Shop.Order\"/></EntityContainer>"
        let service = try RecordedService(
            metadata: ShopModel.v4().replacing("</EntityContainer>", with: top)
        )
        service.set("GET Top", RecordedService.json(#"{"ID":1,"Title":"a"}"#))
        service.set("GET Items", RecordedService.json(Self.items))
        let provider = try await service.opened(["Top", "Items"])
        #expect(try await provider.executeQuery("Top").first?["Title"]?.stringValue == "a")
        service.set("GET Top", HTTPResponse(status: status))
        service.set("GET Items", RecordedService.json(#"{"value":[{"ID":11}]}"#))
        let result = try await provider.download()
        #expect(result.queries.map(\.removedCount) == [1, 1])
        #expect(result.queries.allSatisfy { $0.error == nil })
        let answer = await provider.respond(to: HTTPRequest(method: "GET", url: "Top"))
        #expect([204, 404].contains(answer.status))
        #expect(try await keys(provider, "Items") == [11])
        // It comes back as any other.
        service.set("GET Top", RecordedService.json(#"{"ID":1,"Title":"again"}"#))
        try await provider.download()
        #expect(try await provider.executeQuery("Top").first?["Title"]?.stringValue == "again")
    }

    @Test(arguments: [
        "{}", #"{"foo":1}"#, #"{"value":[]}"#, #"{"value":[{"ID":1}]}"#, "",
    ])
    func removesNoEntityForAWrongAnswer(_ body: String) async throws {
        let service = try RecordedService(metadata: ShopModel.v4())
        service.set("GET Orders(1)", RecordedService.json(#"{"ID":1,"Title":"a"}"#))
        let provider = try await service.opened(["Orders(1)"])
        service.set("GET Orders(1)", RecordedService.json(body))
        #expect(try await failure(provider) != nil)
        #expect(try await keys(provider, "Orders") == [1])
    }

    // MARK: Identity

    @Test func readsKeysFromIDsWhereTheyAreNotSelected() async throws {
        let service = try RecordedService(metadata: ShopModel.v4())
        service.set(
            "GET Orders?$select=Title",
            RecordedService.json(
                #"{"value":[{"@odata.id":"Orders(1)","Title":"a"},{"@odata.id":"http://service.test/odata/Orders(2)","Title":"b"}]}"#
            )
        )
        let provider = try await service.opened(["Orders?$select=Title"])
        #expect(try await keys(provider, "Orders") == [1, 2])
        service.set(
            "GET Orders?$select=Title",
            RecordedService.json(#"{"value":[{"@odata.id":"urn:x:1","Title":"a"}]}"#)
        )
        #expect(try await failure(provider) != nil)
        #expect(try await keys(provider, "Orders") == [1, 2])
    }

    // MARK: Links

    @Test func storesNoDeltaLinkToAnotherOrigin() async throws {
        let (service, provider) = try await shop(["Orders"], link: "http://evil.test/odata/O?d=1")
        service.set(
            "GET Orders",
            RecordedService.json(
                #"{"value":[{"ID":1}],"@odata.deltaLink":"http://evil.test/odata/Orders?d=2"}"#
            )
        )
        let result = try await provider.download()
        #expect(result.queries.first?.remarks.contains { $0.contains("evil.test") } == true)
        #expect(result.removedCount == 1)
        #expect(service.log.allSatisfy { $0.url.hasPrefix("http://service.test/") })
        #expect(try await keys(provider, "Orders") == [1])
    }

    @Test func readsInFullWhatIsNoAnswerToADeltaLink() async throws {
        let (service, provider) = try await shop(["Orders"], link: "Orders?d=1")
        service.set(
            "GET Orders?d=1",
            RecordedService.json(#"{"error":{"code":"expired","message":"no such token"}}"#)
        )
        service.set("GET Orders", RecordedService.json(#"{"value":[{"ID":2}]}"#))
        try await provider.download()
        #expect(try await keys(provider, "Orders") == [2])
    }

    @Test func readsEverythingInFullOnDemand() async throws {
        let (service, provider) = try await shop(["Orders"], link: "Orders?d=1")
        service.set(
            "GET Orders",
            RecordedService.json(#"{"value":[{"ID":2}],"@odata.deltaLink":"Orders?d=9"}"#)
        )
        service.clearLog()
        let result = try await provider.download(withSubset: nil, isFull: true)
        #expect(service.requests == ["GET $metadata", "GET Orders"])
        #expect(result.removedCount == 1)
        service.set("GET Orders?d=9", RecordedService.json(#"{"value":[]}"#))
        service.clearLog()
        try await provider.download()
        #expect(service.requests == ["GET $metadata", "GET Orders?d=9"])
    }

    // MARK: Much that is gone

    @Test func tellsThatMuchWasRemoved() async throws {
        let (service, provider) = try await shop(["Orders"])
        service.set("GET Orders", RecordedService.json(#"{"value":[]}"#))
        let result = try await provider.download()
        #expect(result.removedCount == 2)
        #expect(result.queries[0].remarks.contains { $0.hasPrefix("2 of 2 entities were removed") })
        let event = try await provider.eventLog().first { $0.type == "Download" }
        #expect(event?.details?.contains("2 of 2 entities were removed") == true)
    }

    /// More than a quarter of the entities of a query is remarked on, and fewer are not.
    @Test(arguments: [(1, 5, false), (1, 4, false), (1, 3, true), (2, 8, false), (2, 7, true)])
    func tellsWhereMoreThanAQuarterWasRemoved(_ gone: Int, _ all: Int, _ isTold: Bool) async throws
    {
        func page(_ keys: ClosedRange<Int>) -> HTTPResponse {
            let entities = keys.map { "{\"ID\":\($0)}" }.joined(separator: ",")
            return RecordedService.json("{\"value\":[\(entities)]}")
        }
        let service = try RecordedService(metadata: ShopModel.v4())
        service.set("GET Orders", page(1...all))
        let provider = try await service.opened(["Orders"])
        service.set("GET Orders", page((gone + 1)...all))
        let result = try await provider.download()
        #expect(result.removedCount == gone)
        let remarks = result.queries[0].remarks
        #expect(remarks.contains { $0.contains("entities were removed") } == isTold, "\(remarks)")
        let event = try await provider.eventLog().first { $0.type == "Download" }
        #expect(event?.details?.contains("\(gone) of \(all) entities were removed") == isTold)
    }

    // MARK: Leaving a query

    @Test func keepsTheRowOfAnEntityThatMovesToAnotherQuery() async throws {
        let service = try RecordedService(metadata: ShopModel.v4())
        let (open, done) = ("Orders?$filter=Title eq 'o'", "Orders?$filter=Title eq 'd'")
        service.set(
            "GET " + encoded(open),
            RecordedService.json(#"{"value":[{"ID":1,"Title":"o"}]}"#)
        )
        service.set("GET " + encoded(done), RecordedService.json(#"{"value":[]}"#))
        service.set(
            "GET Orders(1)/Items",
            RecordedService.json(#"{"value":[{"ID":10}]}"#)
        )
        let provider = try await service.opened([open, done])
        service.set("GET " + encoded(open), RecordedService.json(#"{"value":[]}"#))
        service.set(
            "GET " + encoded(done),
            RecordedService.json(#"{"value":[{"ID":1,"Title":"d"}]}"#)
        )
        let result = try await provider.download()
        #expect([result.insertedCount, result.updatedCount, result.removedCount] == [0, 1, 0])
        #expect(try await keys(provider, "Orders") == [1])
    }

    @Test func forgetsValuesThatNoQueryBringsAnyMore() async throws {
        let service = try RecordedService(metadata: ShopModel.v4())
        let (all, some) = ("Orders?$select=ID,Title", "Orders?$filter=ID gt 0&$select=ID,Note")
        service.set(
            "GET " + encoded(all),
            RecordedService.json(#"{"value":[{"ID":1,"Title":"a"}]}"#)
        )
        service.set(
            "GET " + encoded(some),
            RecordedService.json(#"{"value":[{"ID":1,"Note":"n"}]}"#)
        )
        let provider = try await service.opened([all, some])
        #expect(try await provider.executeQuery("Orders(1)").first?["Note"]?.stringValue == "n")
        service.set("GET " + encoded(some), RecordedService.json(#"{"value":[]}"#))
        try await provider.download()
        let order = try #require(try await provider.executeQuery("Orders(1)").first)
        #expect(order["Title"]?.stringValue == "a")
        #expect(order["Note"] == nil)
    }

    private func encoded(_ url: String) -> String {
        url.split(separator: " ", omittingEmptySubsequences: false).joined(separator: "%20")
    }
}
