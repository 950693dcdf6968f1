import OfflineOData
import ODataHTTP
import Testing

/// Queries that select some properties bring an ETag that is newer than the values which they do not bring.
@Suite struct PartlyRenewedTests {
    private static let metadata = """
        <edmx:Edmx Version="4.0" xmlns:edmx="http://docs.oasis-open.org/odata/ns/edmx"><edmx:DataServices>
        <Schema Namespace="N" xmlns="http://docs.oasis-open.org/odata/ns/edm">
        <EntityType Name="Item" OpenType="true"><Key><PropertyRef Name="ID"/></Key>
        <Property Name="ID" Type="Edm.Int32" Nullable="false"/><Property Name="Name" Type="Edm.String"/>
        <Property Name="Qty" Type="Edm.Int32"/></EntityType>
        <EntityContainer Name="C"><EntitySet Name="Items" EntityType="N.Item"/>
        </EntityContainer></Schema></edmx:DataServices></edmx:Edmx>
        """
    private static let names = "Items?$select=ID,Name"
    private static let quantities = "Items?$select=ID,Qty"

    private static func page(_ version: Int, _ value: String) -> HTTPResponse {
        RecordedService.json(
            "{\"value\":[{\"@odata.etag\":\"W/\\\"\(version)\\\"\",\"ID\":1,\(value)}]}"
        )
    }

    private static func opened(
        _ queries: [String] = [names, quantities]
    ) async throws -> (RecordedService, OfflineODataProvider) {
        let service = try RecordedService(metadata: metadata)
        service.set("GET \(names)", page(1, #""Name":"a""#))
        service.set("GET \(quantities)", page(1, #""Qty":10"#))
        service.set("GET Items", page(1, #""Name":"a","Qty":10"#))
        let provider = try await service.opened(queries)
        service.set("GET \(names)", page(2, #""Name":"a""#))
        return (service, provider)
    }

    private static func setQuantity(_ provider: OfflineODataProvider) async throws {
        let change = HTTPRequest(
            method: "PATCH",
            url: "Items(1)",
            body: Array(#"{"Qty":11}"#.utf8)
        )
        try #require(await provider.respond(to: change).isSuccess)
    }

    /// Another client has changed what the failed query would have brought: nothing is written over.
    @Test(arguments: [true, false])
    func areNoReasonToWriteOverWhatWasNotRead(_ isChangedBefore: Bool) async throws {
        let (service, provider) = try await Self.opened()
        if isChangedBefore { try await Self.setQuantity(provider) }
        service.set("GET \(Self.quantities)", HTTPResponse(status: 500))
        _ = try? await provider.download()
        if !isChangedBefore { try await Self.setQuantity(provider) }
        service.set(
            "GET Items(1)",
            RecordedService.json(
                ##"{"@odata.etag":"W/\"2\"","ID":1,"Name":"a","Qty":50}"##
            )
        )
        service.set("POST $batch", HTTPResponse(status: 404))
        service.set("PATCH Items(1)", HTTPResponse(status: 412))
        #expect(try await provider.upload().failedCount == 1)
        // What was changed before goes under the ETag that it was made on.
        let sent = service.log.filter { $0.method == "PATCH" }
        #expect(sent.map { $0.headers["If-Match"] } == (isChangedBefore ? ["W/\"1\""] : []))
        #expect(try await provider.conflict(for: "Items(1)").server?["Qty"] == .integer(50))
    }

    /// Where both queries have brought the version, its ETag is sent without a read.
    @Test func areNoReasonToReadWhatAllQueriesHaveBrought() async throws {
        let (service, provider) = try await Self.opened()
        service.set("GET \(Self.quantities)", Self.page(2, #""Qty":50"#))
        try await provider.download()
        try await Self.setQuantity(provider)
        service.set("POST $batch", HTTPResponse(status: 404))
        service.set("PATCH Items(1)", HTTPResponse(status: 204))
        service.clearLog()
        #expect(try await provider.upload().succeededCount == 1)
        #expect(!service.requests.contains("GET Items(1)"))
        let sent = service.log.first { $0.method == "PATCH" }
        #expect(sent?.headers["If-Match"] == "W/\"2\"")
    }

    /// A change that waits, and a newer version of which each query brings a part: the part that is newer makes the conflict, whichever
    /// query comes first.
    @Test(
        arguments: [
            [names, quantities], [quantities, names], [names, "Items"], ["Items", names],
        ],
        ["a", "b"]
    )
    func hideNoConflict(_ queries: [String], _ name: String) async throws {
        let (service, provider) = try await Self.opened(queries)
        try await Self.setQuantity(provider)
        service.set("GET \(Self.quantities)", Self.page(2, #""Qty":50"#))
        service.set("GET \(Self.names)", Self.page(2, #""Name":"\#(name)""#))
        service.set("GET Items", Self.page(2, #""Name":"\#(name)","Qty":50"#))
        try await provider.download()
        let conflict = try await provider.conflict(for: "Items(1)")
        #expect(conflict.base?["Qty"] == .integer(10))
        #expect(conflict.server?["Qty"] == .integer(50))
        #expect(conflict.server?["Name"] == .string(name))
        service.set("POST $batch", HTTPResponse(status: 404))
        service.set("PATCH Items(1)", HTTPResponse(status: 412))
        service.set(
            "GET Items(1)",
            RecordedService.json(##"{"@odata.etag":"W/\"2\"","ID":1,"Name":"a","Qty":50}"##)
        )
        #expect(try await provider.upload().failedCount == 1)
        let sent = service.log.filter { $0.method == "PATCH" }
        #expect(sent.allSatisfy { $0.headers["If-Match"] != "W/\"2\"" })
    }

    /// Another client has changed what only a query brings that does not bring the entity any more: the deletion and the change of it go
    /// under the ETag that they were made on, and not under the one that came with the rest.
    @Test(
        arguments: [("DELETE", ""), ("PUT", #"{"Name":"c"}"#), ("PATCH", #"{"Qty":11}"#)],
        [true, false]
    )
    func areNotTheVersionThatAChangeWasMadeOn(
        _ change: (method: String, body: String),
        _ comesLast: Bool
    ) async throws {
        let method = change.method
        let many = "Items?$filter=Qty%20gt%205"
        let service = try RecordedService(metadata: Self.metadata)
        service.set("GET \(many)", Self.page(1, #""Name":"a","Qty":10"#))
        service.set("GET \(Self.names)", Self.page(1, #""Name":"a""#))
        let provider = try await service.opened(
            comesLast ? [Self.names, many] : [many, Self.names]
        )
        try await provider.send(method, "Items(1)", change.body)
        service.set("GET \(many)", RecordedService.json(#"{"value":[]}"#))
        service.set("GET \(Self.names)", Self.page(2, #""Name":"a""#))
        try await provider.download()
        service.set("POST $batch", HTTPResponse(status: 404))
        service.set("\(method) Items(1)", HTTPResponse(status: 412))
        let now = ##"{"@odata.etag":"W/\"2\"","ID":1,"Name":"a","Qty":1}"##
        service.set("GET Items(1)", RecordedService.json(now))
        #expect(try await provider.upload().failedCount == 1)
        let sent = service.log.filter { $0.method == method }
        #expect(sent.map { $0.headers["If-Match"] } == ["W/\"1\""])
    }

    /// Nor do they make one where what is newer was the store's own, or nothing is.
    @Test(arguments: [[names, quantities], [quantities, names]])
    func makeNoConflictOfAnETagAlone(_ queries: [String]) async throws {
        let (service, provider) = try await Self.opened(queries)
        try await Self.setQuantity(provider)
        service.set("GET \(Self.quantities)", Self.page(2, #""Qty":10"#))
        try await provider.download()
        service.set("POST $batch", HTTPResponse(status: 404))
        service.set("PATCH Items(1)", HTTPResponse(status: 204))
        #expect(try await provider.upload().succeededCount == 1)
        let sent = service.log.filter { $0.method == "PATCH" }
        #expect(sent.map { $0.headers["If-Match"] } == ["W/\"2\""])
    }

    /// The service has not said which version the own change has made: the first one that comes may be that.
    @Test func keepsWhatWasWrittenHereWhereTheVersionWasNotKnown() async throws {
        let (service, provider) = try await Self.opened([Self.names])
        service.set("POST $batch", HTTPResponse(status: 404))
        service.set("PATCH Items(1)", HTTPResponse(status: 204))
        service.set("GET Items(1)", HTTPResponse(status: 500))
        try await Self.setQuantity(provider)
        #expect(try await provider.upload().succeededCount == 1)
        try await provider.download(withSubset: nil, isFull: true)
        #expect(try await provider.executeQuery("Items").first?["Qty"] == .integer(11))
    }

    /// What was written here and no query brings is unknown once another client has changed the entity.
    ///
    /// The service's answer to the own change has the version that stands here.
    @Test(arguments: [1, 2], ["Qty", "Free"])
    func forgetsWhatWasWrittenHereAndNobodyBrings(_ version: Int, _ property: String) async throws {
        let (service, provider) = try await Self.opened([Self.names])
        service.set("GET \(Self.names)", Self.page(1, #""Name":"a""#))
        service.set("POST $batch", HTTPResponse(status: 404))
        service.set("PATCH Items(1)", HTTPResponse(status: 204, headers: ["ETag": "W/\"1\""]))
        try await provider.send("PATCH", "Items(1)", "{\"\(property)\":11}")
        #expect(try await provider.upload().succeededCount == 1)
        service.set("GET \(Self.names)", Self.page(version, #""Name":"b""#))
        try await provider.download(withSubset: nil, isFull: true)
        let item = try #require(try await provider.executeQuery("Items").first)
        #expect(item["Name"] == "b")
        #expect(item[property]?.integerValue == (version == 1 ? 11 : nil))
        #expect(item.etag == "W/\"\(version)\"")
    }
}
