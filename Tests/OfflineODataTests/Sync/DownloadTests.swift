import OfflineOData
import ODataHTTP
import Synchronization
import Testing

/// Downloads from a service whose answers are written here, byte by byte.
@Suite struct DownloadTests {
    private func service(_ answers: [String: String]) throws -> RecordedService {
        let service = try RecordedService(metadata: ShopModel.v4())
        for (request, body) in answers { service.set(request, RecordedService.json(body)) }
        return service
    }

    private func keys(_ provider: OfflineODataProvider, _ query: String) async throws -> [Int64] {
        try await provider.executeQuery(query).compactMap { $0["ID"]?.integerValue }.sorted()
    }

    /// A policy that never really waits, and tells what it was asked to wait for.
    private func policy(_ waits: Waits, attempts: Int = 3) -> OfflineODataRetryPolicy {
        var policy = OfflineODataRetryPolicy()
        policy.maximumAttempts = attempts
        policy.jitter = { 1 }
        policy.sleep = { waits.add($0) }
        return policy
    }

    final class Waits: Sendable {
        private let list = Mutex<[Duration]>([])
        var all: [Duration] { list.guarded { $0 } }
        func add(_ duration: Duration) { list.guarded { $0.append(duration) } }
    }

    @Test func followsLinksInsideOfEntities() async throws {
        let service = try service([
            "GET Orders?$expand=Items":
                #"{"value":[{"ID":1,"Items":[{"ID":10}],"Items@odata.nextLink":"Orders(1)/Items?$skip=1"},{"ID":2,"Items":[]}]}"#,
            "GET Orders(1)/Items?$skip=1":
                #"{"value":[{"ID":11}],"@odata.nextLink":"Items?$skip=2"}"#,
            "GET Orders(1)/Items?$skip=2": #"{"value":[{"ID":12}]}"#,
        ])
        let provider = try await service.opened(["Orders?$expand=Items"])
        #expect(try await keys(provider, "Orders(1)/Items") == [10, 11, 12])
        #expect(try await keys(provider, "Orders(2)/Items") == [])
        #expect(service.requests.count == 4)
    }

    @Test func asksForAPageAgainThatBrokeOff() async throws {
        let body = #"{"value":[{"ID":1,"Title":"a"},{"ID":2,"Title":"b"}]}"#
        let service = try service([:])
        service.set(
            "GET Orders",
            RecordedService.cut(body, after: 30),
            HTTPResponse(status: 503, headers: ["Retry-After": "7"]),
            RecordedService.json(body)
        )
        let waits = Waits()
        let provider = try await service.opened(["Orders"]) { $0.retryPolicy = policy(waits) }
        #expect(try await keys(provider, "Orders") == [1, 2])
        #expect(waits.all == [.milliseconds(500), .seconds(7)])
    }

    @Test func goesOnAtThePageWhereALaterDownloadWasCut() async throws {
        let service = try service(["GET Orders": #"{"value":[{"ID":1}]}"#])
        let provider = try await service.opened(["Orders"])
        service.set(
            "GET Orders",
            RecordedService.json(#"{"value":[{"ID":1},{"ID":2}],"@odata.nextLink":"Orders?p=2"}"#)
        )
        let second = #"{"value":[{"ID":3},{"ID":4}]}"#
        service.set("GET Orders?p=2", RecordedService.cut(second, after: 20))
        await #expect(throws: OfflineODataError.self) { try await provider.download() }
        #expect(try await keys(provider, "Orders") == [1])
        service.set("GET Orders?p=2", RecordedService.json(second))
        service.clearLog()
        try await provider.download()
        #expect(try await keys(provider, "Orders") == [1, 2, 3, 4])
        #expect(service.requests == ["GET $metadata", "GET Orders?p=2"])
    }

    /// The pages of the entities are in; of a collection inside of one the rest is still to come.
    @Test func goesOnInACollectionWhereALaterDownloadWasCut() async throws {
        let query = "Orders?$expand=Items"
        let service = try service(["GET \(query)": #"{"value":[{"ID":1,"Items":[]}]}"#])
        let provider = try await service.opened([query])
        service.set(
            "GET \(query)",
            RecordedService.json(
                #"{"value":[{"ID":1,"Items":[{"ID":10}],"Items@odata.nextLink":"Orders(1)/Items?p=2"}],"@odata.deltaLink":"Orders?d=1"}"#
            )
        )
        service.set(
            "GET Orders(1)/Items?p=2",
            RecordedService.json(
                #"{"value":[{"ID":11}],"@odata.nextLink":"Items?p=3"}"#
            )
        )
        service.set(
            "GET Orders(1)/Items?p=3",
            RecordedService.unreachable,
            RecordedService.json(#"{"value":[{"ID":12}]}"#)
        )
        service.set(
            "GET Orders?d=1",
            RecordedService.json(#"{"value":[],"@odata.deltaLink":"Orders?d=2"}"#)
        )
        await #expect(throws: OfflineODataError.self) { try await provider.download() }
        service.clearLog()
        try await provider.download()
        #expect(try await keys(provider, "Orders(1)/Items") == [10, 11, 12])
        #expect(
            service.requests == ["GET $metadata", "GET Orders(1)/Items?p=3", "GET Orders?d=1"]
        )
    }

    @Test func asksWhatHasChangedSinceTheFirstHalfOfADownload() async throws {
        let service = try service(["GET Orders": #"{"value":[{"ID":1}]}"#])
        let provider = try await service.opened(["Orders"])
        service.set(
            "GET Orders",
            RecordedService.json(#"{"value":[{"ID":1}],"@odata.nextLink":"Orders?p=2"}"#)
        )
        service.set("GET Orders?p=2", RecordedService.unreachable)
        await #expect(throws: OfflineODataError.self) { try await provider.download() }
        #expect(try await provider.hasPendingDownload())
        try await provider.upload()
        #expect(try await provider.hasPendingDownload())
        service.set(
            "GET Orders?p=2",
            RecordedService.json(#"{"value":[{"ID":2}],"@odata.deltaLink":"Orders?d=1"}"#)
        )
        service.set(
            "GET Orders?d=1",
            RecordedService.json(
                #"{"value":[{"ID":1,"Title":"since"}],"@odata.deltaLink":"Orders?d=2"}"#
            )
        )
        service.clearLog()
        try await provider.download()
        #expect(service.requests == ["GET $metadata", "GET Orders?p=2", "GET Orders?d=1"])
        let order = try await provider.executeQuery("Orders(1)").first
        #expect(order?["Title"]?.stringValue == "since")
        #expect(try await !provider.hasPendingDownload())
    }

    /// Two queries, of which the first was read to its end before the download was cancelled at the second.
    private func cutBetweenQueries(_ first: String) async throws
        -> (RecordedService, OfflineODataProvider)
    {
        let service = try service([
            "GET Orders": #"{"value":[{"ID":1}]}"#, "GET Items": #"{"value":[{"ID":10}]}"#,
        ])
        let transport = CutTransport(service)
        let provider = try await service.opened(["Orders", "Items"]) { $0.transport = transport }
        service.set("GET Orders", RecordedService.json(first))
        transport.cut("Items")
        await #expect(throws: CancellationError.self) { try await provider.download() }
        #expect(try await keys(provider, "Orders") == [1])
        transport.cut(nil)
        service.set("GET Items", RecordedService.json(#"{"value":[{"ID":11}]}"#))
        service.clearLog()
        return (service, provider)
    }

    /// What was read long ago does not appear as if it were of now: it is read again.
    @Test func readsAgainWhatWasCompleteBeforeTheCut() async throws {
        let (service, provider) = try await cutBetweenQueries(#"{"value":[{"ID":1},{"ID":2}]}"#)
        service.set("GET Orders", RecordedService.json(#"{"value":[{"ID":1},{"ID":3}]}"#))
        let result = try await provider.download()
        #expect(service.requests == ["GET $metadata", "GET Orders", "GET Items"])
        #expect(try await keys(provider, "Orders") == [1, 3])
        #expect(try await keys(provider, "Items") == [11])
        #expect(result.queries.allSatisfy { !"\($0.remarks)".contains("first pages") })
    }

    /// Where the service tells what has changed since, that is asked for in the same download.
    @Test func asksWhatHasChangedSinceWhatWasCompleteBeforeTheCut() async throws {
        let (service, provider) = try await cutBetweenQueries(
            #"{"value":[{"ID":1},{"ID":2}],"@odata.deltaLink":"Orders?d=1"}"#
        )
        service.set(
            "GET Orders?d=1",
            RecordedService.json(
                #"{"value":[{"@removed":{},"@id":"Orders(2)"},{"ID":3}],"@odata.deltaLink":"Orders?d=2"}"#
            )
        )
        try await provider.download()
        #expect(service.requests == ["GET $metadata", "GET Items", "GET Orders?d=1"])
        #expect(try await keys(provider, "Orders") == [1, 3])
    }

    /// Pages of two downloads make one result: its age is told, where nothing says what has changed meanwhile.
    @Test(arguments: [true, false])
    func tellsTheAgeOfWhatWasReadBeforeACut(isFirst: Bool) async throws {
        let service = try service(["GET Orders": #"{"value":[{"ID":1}]}"#])
        let provider = try service.provider()
        try provider.add(definingQuery: OfflineODataDefiningQuery(name: "Q0", query: "Orders"))
        if !isFirst { try await provider.open() }
        service.set(
            "GET Orders",
            RecordedService.json(#"{"value":[{"ID":1}],"@odata.nextLink":"Orders?p=2"}"#)
        )
        service.set("GET Orders?p=2", RecordedService.unreachable)
        await #expect(throws: OfflineODataError.self) {
            if isFirst { try await provider.open() } else { try await provider.download() }
        }
        service.set("GET Orders?p=2", RecordedService.json(#"{"value":[{"ID":2}]}"#))
        if isFirst { try await provider.open() } else { try await provider.download() }
        let details = try await provider.eventLog().first?.details ?? ""
        let pattern =
            /the first pages were read at \d{4}-\d\d-\d\dT[^ ]+, before the loading was cut/
        #expect(details.contains(pattern), "\(details)")
        // The next read is of one moment.
        service.set("GET Orders", RecordedService.json(#"{"value":[{"ID":1}]}"#))
        #expect(
            try await provider.download().queries[0].remarks.allSatisfy {
                !$0.contains("first pages")
            }
        )
    }

    /// A page that was staged before another query brought newer values of its entities is read again.
    @Test(arguments: [true, false])
    func beginsAnewWhereAnotherQueryMayHaveBroughtNewerValues(isSameSet: Bool) async throws {
        let (cut, other) = ("Orders?$filter=ID%20lt%205", isSameSet ? "Orders" : "Items")
        let service = try service([
            "GET \(cut)": #"{"value":[{"ID":1,"Title":"a"}]}"#,
            "GET \(other)": #"{"value":[{"ID":1}]}"#,
        ])
        let provider = try await service.opened(["Orders?$filter=ID lt 5", other])
        let first = #"{"value":[{"ID":1,"Title":"old"}],"@odata.nextLink":"Orders?p=2"}"#
        service.set("GET \(cut)", RecordedService.json(first))
        service.set("GET Orders?p=2", RecordedService.unreachable)
        let newer = isSameSet ? #"{"value":[{"ID":1,"Title":"new"}]}"# : #"{"value":[{"ID":1}]}"#
        service.set("GET \(other)", RecordedService.json(newer))
        await #expect(throws: OfflineODataError.self) { try await provider.download() }
        service.set("GET Orders?p=2", RecordedService.json(#"{"value":[]}"#))
        service.set(
            "GET \(cut)",
            RecordedService.json(#"{"value":[{"ID":1,"Title":"new"}]}"#)
        )
        service.clearLog()
        try await provider.download()
        #expect(service.requests.dropFirst().first == (isSameSet ? "GET \(cut)" : "GET Orders?p=2"))
        let title = try await provider.executeQuery("Orders(1)").first?["Title"]?.stringValue
        #expect(title == (isSameSet ? "new" : "old"))
    }

    @Test func beginsAnewAfterAnUploadBetween() async throws {
        let service = try service(["GET Orders": #"{"value":[{"ID":1}]}"#])
        let provider = try await service.opened(["Orders"])
        service.set(
            "GET Orders",
            RecordedService.json(#"{"value":[{"ID":1}],"@odata.nextLink":"Orders?p=2"}"#)
        )
        service.set("GET Orders?p=2", RecordedService.unreachable)
        await #expect(throws: OfflineODataError.self) { try await provider.download() }
        service.set("PATCH Orders(1)", RecordedService.json(#"{"ID":1,"Title":"mine"}"#))
        var order = try #require(try await provider.executeQuery("Orders(1)").first)
        order["Title"] = "mine"
        try await provider.updateEntity(order)
        try await provider.upload()
        service.set("GET Orders", RecordedService.json(#"{"value":[{"ID":1,"Title":"mine"}]}"#))
        service.clearLog()
        try await provider.download()
        #expect(service.requests == ["GET $metadata", "GET Orders"])
        #expect(
            try await provider.executeQuery("Orders(1)").first?["Title"]?.stringValue == "mine"
        )
    }

    @Test func skipsAResultThatHasNotChanged() async throws {
        let service = try service([:])
        service.set(
            "GET Orders",
            HTTPResponse(
                status: 200,
                headers: ["ETag": "\"x\""],
                body: Array(#"{"value":[{"ID":1}]}"#.utf8)
            ),
            HTTPResponse(status: 304)
        )
        let provider = try await service.opened(["Orders"])
        try await provider.download()
        #expect(service.log.last?.headers["If-None-Match"] == "\"x\"")
        #expect(try await keys(provider, "Orders") == [1])
    }

    /// The ETag of an entity need not change with what is related to it: 304 would say nothing of that.
    @Test func asksWithoutConditionWhereAQueryExpands() async throws {
        let service = try service([:])
        service.set(
            "GET Orders(1)?$expand=Items",
            HTTPResponse(
                status: 200,
                headers: ["ETag": "\"x\""],
                body: Array(#"{"ID":1,"Items":[]}"#.utf8)
            )
        )
        let provider = try await service.opened(["Orders(1)?$expand=Items"])
        try await provider.download()
        #expect(service.log.last?.url.hasSuffix("Orders(1)?$expand=Items") == true)
        #expect(service.log.last?.headers["If-None-Match"] == nil)
    }

    /// Some services state ETags that are no ETags.
    @Test(arguments: ["\"m1\"", "12", "1e5"])
    func asksForTheMetadataOnlyWhereItHasChanged(_ etag: String) async throws {
        let service = try service(["GET Orders": #"{"value":[{"ID":1}]}"#])
        service.set(
            "GET $metadata",
            HTTPResponse(
                status: 200,
                headers: ["Content-Type": "application/xml", "ETag": etag],
                body: Array(ShopModel.v4().utf8)
            ),
            HTTPResponse(status: 304)
        )
        let provider = try await service.opened(["Orders"])
        service.clearLog()
        try await provider.download()
        #expect(service.requests == ["GET $metadata", "GET Orders"])
        #expect(service.log.first?.headers["If-None-Match"] == etag)
    }

    @Test(arguments: [400, 404, 410])
    func readsInFullWhereTheServiceForgotTheDeltaLink(_ status: Int) async throws {
        let service = try service([
            "GET Orders": #"{"value":[{"ID":1},{"ID":2}],"@odata.deltaLink":"Orders?d=1"}"#
        ])
        let provider = try await service.opened(["Orders"])
        service.set("GET Orders?d=1", HTTPResponse(status: status))
        service.set(
            "GET Orders",
            RecordedService.json(#"{"value":[{"ID":2}],"@odata.deltaLink":"Orders?d=2"}"#)
        )
        try await provider.download()
        #expect(try await keys(provider, "Orders") == [2])
        service.set("GET Orders?d=2", RecordedService.json(#"{"value":[{"ID":3}]}"#))
        try await provider.download()
        #expect(try await keys(provider, "Orders") == [2, 3])
    }

    @Test func leavesAloneWhatAChangeDoesNotMention() async throws {
        let service = try service([
            "GET Orders":
                #"{"value":[{"ID":1,"Title":"a","Note":"n"}],"@odata.deltaLink":"Orders?d=1"}"#,
            "GET Orders?d=1": #"""
            {"@context":"$metadata#Orders/$delta","value":[{"@id":"Orders(1)","Title":"b"},
            {"@id":"http://other.host/odata/Orders(1)","Note":null},{"ID":2,"Title":"new"},
            {"ID":3},{"@removed":{"reason":"deleted"},"@id":"Orders(3)"}],"@deltaLink":"Orders?d=2"}
            """#,
        ])
        let provider = try await service.opened(["Orders"])
        try await provider.download()
        let order = try #require(try await provider.executeQuery("Orders(1)").first)
        #expect(order["Title"]?.stringValue == "b")
        #expect(order["Note"]?.isNull == true)
        #expect(try await keys(provider, "Orders") == [1, 2])
    }

    @Test func aLinkToWhatIsNotHereTakesNoOtherAway() async throws {
        let service = try service([
            "GET Orders?$expand=Items":
                #"{"value":[{"ID":1,"Items":[{"ID":10},{"ID":11}]}],"@odata.deltaLink":"Orders?d=1"}"#,
            "GET Orders?d=1": #"""
            {"@odata.context":"$metadata#Orders/$delta","value":[
            {"@odata.context":"$metadata#Orders/$deletedLink","source":"Orders(1)","relationship":"Items","target":"Items(99)"},
            {"@odata.context":"$metadata#Orders/$deletedLink","source":"Orders(1)","relationship":"Items","target":"Items(11)"}
            ],"@odata.deltaLink":"Orders?d=2"}
            """#,
        ])
        let provider = try await service.opened(["Orders?$expand=Items"])
        try await provider.download()
        #expect(try await keys(provider, "Orders(1)/Items") == [10])
    }

    @Test func keepsPropertiesThatNoQuerySelects() async throws {
        let service = try service([
            "GET Orders": #"{"value":[{"ID":1,"Title":"a","Note":"n"}]}"#,
            "GET Orders?$select=ID,Title": #"{"value":[{"ID":1,"Title":"b"}]}"#,
        ])
        let provider = try await service.opened(["Orders", "Orders?$select=ID,Title"])
        let order = try #require(try await provider.executeQuery("Orders(1)").first)
        #expect(order["Title"]?.stringValue == "b")
        #expect(order["Note"]?.stringValue == "n")
    }

    @Test func asksForTheMetadataAgainWhereItMeetsUnknownNames() async throws {
        let service = try service(["GET Items": #"{"value":[{"ID":1,"Colour":"red"}]}"#])
        let old = HTTPResponse(status: 200, body: Array(ShopModel.v4().utf8))
        let new = HTTPResponse(
            status: 200,
            body: Array(ShopModel.v4(#"<Property Name="Colour" Type="Edm.String"/>"#).utf8)
        )
        service.set("GET $metadata", old, new)
        let provider = try await service.opened(["Items"])
        #expect(try await provider.executeQuery("Items(1)").first?["Colour"]?.stringValue == "red")
        #expect(
            service.requests == ["GET $metadata", "GET Items", "GET $metadata", "GET Items"]
        )
    }

    @Test func asksForTheMetadataOnceForNamesThatStayUnknown() async throws {
        let service = try service(["GET Items": #"{"value":[{"ID":1,"Colour":"red"}]}"#])
        let provider = try await service.opened(["Items"])
        #expect(service.requests == ["GET $metadata", "GET Items", "GET $metadata"])
        service.clearLog()
        try await provider.download()
        #expect(service.requests == ["GET $metadata", "GET Items"])
        #expect(try await keys(provider, "Items") == [1])
    }

    @Test func putsATooLongQueryIntoABatch() async throws {
        let service = try service([:])
        service.set("GET Orders?$filter=ID ne 5", HTTPResponse(status: 414))
        service.set("GET Orders?$filter=ID%20ne%205", HTTPResponse(status: 414))
        let part = """
            --r\r\nContent-Type: application/http\r\n\r\nHTTP/1.1 200 OK\r\n\
            Content-Type: application/json\r\n\r\n{"value":[{"ID":1}]}\r\n--r--
            """
        service.set(
            "POST $batch",
            HTTPResponse(
                status: 200,
                headers: ["Content-Type": "multipart/mixed; boundary=r"],
                body: Array(part.utf8)
            )
        )
        let provider = try await service.opened(["Orders?$filter=ID ne 5"])
        #expect(try await keys(provider, "Orders") == [1])
        let body = try #require(service.bodies(of: "POST $batch").first)
        #expect(body.contains("GET Orders?$filter=ID%20ne%205 HTTP/1.1"))
    }

    @Test func loadsQueriesAtTheSameTime() async throws {
        let service = try service([
            "GET Orders": #"{"value":[{"ID":1}],"@odata.nextLink":"Orders?p=2"}"#,
            "GET Orders?p=2": #"{"value":[{"ID":2}]}"#, "GET Items": #"{"value":[{"ID":7}]}"#,
        ])
        let provider = try await service.opened(["Orders", "Items"]) { $0.parallelQueryCount = 4 }
        try await provider.download()
        #expect(try await keys(provider, "Orders") == [1, 2])
        #expect(try await keys(provider, "Items") == [7])
    }

    @Test func renewsCredentialsThatAreRefused() async throws {
        let service = try service([:])
        service.set(
            "GET Orders",
            HTTPResponse(status: 401),
            RecordedService.json(#"{"value":[{"ID":1}]}"#)
        )
        let provider = try await service.opened(["Orders"]) {
            $0.credentials = OfflineODataBearerCredentials { $0 ? "second" : "first" }
        }
        #expect(try await keys(provider, "Orders") == [1])
        #expect(
            service.log.map { $0.headers["Authorization"] } == [
                "Bearer first", "Bearer first", "Bearer second",
            ]
        )
    }

    @Test func refusesALinkToAnotherOrigin() async throws {
        let service = try service([
            "GET Orders": #"{"value":[{"ID":1}],"@odata.nextLink":"http://evil.test/odata/Orders"}"#
        ])
        let error = await #expect(throws: OfflineODataError.self) {
            try await service.opened(["Orders"])
        }
        #expect(error?.message.contains("another origin") == true)
        #expect(service.log.allSatisfy { $0.url.hasPrefix("http://service.test/") })
    }

    @Test func followsLinksOfAnInnerHostNameWhereTold() async throws {
        let service = try service([
            "GET Orders":
                #"{"value":[{"ID":1}],"@odata.nextLink":"http://inner:8000/odata/Orders?p=2"}"#,
            "GET Orders?p=2": #"{"value":[{"ID":2}]}"#,
        ])
        let provider = try await service.opened(["Orders"]) { $0.mapsForeignLinks = true }
        #expect(try await keys(provider, "Orders") == [1, 2])
        #expect(service.log.allSatisfy { $0.url.hasPrefix("http://service.test/") })
    }

    /// A delta link that the service does not follow, in whatever words, is no reason to stay behind.
    @Test(arguments: [400, 404, 405, 406, 410, 412, 501])
    func readsInFullWhereTheDeltaLinkIsRefused(_ status: Int) async throws {
        let service = try RecordedService(metadata: ShopModel.v4())
        service.set(
            "GET Orders",
            RecordedService.json(
                #"{"value":[{"ID":1,"Title":"a"}],"@odata.deltaLink":"http://service.test/odata/later"}"#
            )
        )
        let provider = try await service.opened(["Orders"])
        service.set("GET Orders", RecordedService.json(#"{"value":[{"ID":2,"Title":"b"}]}"#))
        service.set("GET later", HTTPResponse(status: status))
        try await provider.download()
        #expect(try await provider.executeQuery("Orders").map { $0["ID"]?.integerValue } == [2])
    }
}

/// A way to a service that is cut when something is asked for.
private final class CutTransport: HTTPTransport {
    private let service: RecordedService
    private let place = Mutex<String?>(nil)

    init(_ service: RecordedService) { self.service = service }

    func cut(_ url: String?) { place.guarded { $0 = url } }

    func send(_ request: HTTPRequest, options: HTTPRequestOptions) async throws
        -> HTTPStreamingResponse
    {
        let place = place.guarded { $0 }
        if let place, request.url.hasSuffix(place) { throw CancellationError() }
        return try await service.send(request, options: options)
    }
}
