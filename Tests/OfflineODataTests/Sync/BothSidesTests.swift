import ODataHTTP
import OfflineOData
import Testing

/// Entities that are deleted on both sides, and those that are another one at the service by now.
@Suite struct BothSidesTests {
    private static let model = """
        <edmx:Edmx Version="4.0" xmlns:edmx="http://docs.oasis-open.org/odata/ns/edmx"><edmx:DataServices>
        <Schema Namespace="N" xmlns="http://docs.oasis-open.org/odata/ns/edm">
        <EntityType Name="Party" Abstract="true"><Key><PropertyRef Name="ID"/></Key>
        <Property Name="ID" Type="Edm.Int32" Nullable="false"/><Property Name="Name" Type="Edm.String"/></EntityType>
        <EntityType Name="Person" BaseType="N.Party"><Property Name="Nick" Type="Edm.String"/></EntityType>
        <EntityType Name="Company" BaseType="N.Party"><Property Name="Vat" Type="Edm.String"/></EntityType>
        <EntityContainer Name="C"><EntitySet Name="Parties" EntityType="N.Party"/></EntityContainer>
        </Schema></edmx:DataServices></edmx:Edmx>
        """

    private static let person =
        ##"{"@odata.type":"#N.Person","@odata.etag":"\"1\"","ID":1,"Name":"p","Nick":"n"}"##

    /// A store with one person whose nickname was changed here.
    private func changed() async throws -> (RecordedService, OfflineODataProvider) {
        let service = try RecordedService(metadata: Self.model)
        service.set("GET Parties", RecordedService.json("{\"value\":[\(Self.person)]}"))
        service.set("POST $batch", HTTPResponse(status: 404))
        let provider = try await service.opened(["Parties"])
        try await provider.send(
            "PATCH",
            "Parties(1)",
            ##"{"@odata.type":"#N.Person","Nick":"mine"}"##
        )
        return (service, provider)
    }

    private func text(_ provider: OfflineODataProvider) async -> String {
        let answer = await provider.respond(to: HTTPRequest(method: "GET", url: "Parties"))
        return String(decoding: answer.body, as: UTF8.self)
    }

    // MARK: Deletions

    @Test func deletesWhatTheServiceHasDeletedToo() async throws {
        let (service, provider) = try await changed()
        service.set("PATCH Parties(1)", HTTPResponse(status: 404))
        #expect(try await provider.upload().failedCount == 1)
        try await provider.send("DELETE", "Parties(1)")
        #expect(await !text(provider).contains("\"ID\":1"))
        #expect(try await provider.errorArchive().isEmpty)
        #expect(try await provider.requestQueueIsEmpty())
        let events = try await provider.eventLog().filter { $0.type == "Conflict" }
        #expect(events.contains { $0.details?.contains(#""Nick":"mine""#) == true })
        service.clearLog()
        try await provider.upload()
        #expect(service.requests.allSatisfy { !$0.hasPrefix("DELETE") && !$0.hasPrefix("PATCH") })
    }

    // MARK: Another entity with the key

    @Test(arguments: [
        ##"{"@odata.type":"#N.Company","@odata.etag":"\"2\"","ID":1,"Name":"p","Vat":"v"}"##,
        ##"{"@odata.type":"#N.Company","@odata.etag":"\"2\"","ID":1,"Name":"p"}"##,
        ##"{"@odata.type":"#N.Person","@odata.etag":"\"2\"","ID":1,"Name":"p"}"##,
        ##"{"@odata.type":"#N.Person","@odata.etag":"\"2\"","ID":1,"Name":"p","Nick":null}"##,
    ])
    func meetsAConflictWithAnotherEntity(_ found: String) async throws {
        let (service, provider) = try await changed()
        service.set("PATCH Parties(1)", HTTPResponse(status: 412), HTTPResponse(status: 204))
        service.set("GET Parties(1)", RecordedService.json(found))
        #expect(try await provider.upload().failedCount == 1)
        #expect(service.requests.count { $0 == "PATCH Parties(1)" } == 1)
        #expect(try await provider.conflict(for: "Parties(1)").server?["Name"] == "p")
        try await provider.resolveConflict("Parties(1)", with: .server)
        #expect(await !text(provider).contains("mine"))
        #expect(try await provider.requestQueueIsEmpty())
    }

    /// The answer states the type itself, or by its context.
    @Test(arguments: [
        ##"{"@odata.type":"#N.Person","@odata.etag":"\"2\"","ID":1,"Name":"p","Nick":"n"}"##,
        ##"{"@odata.context":"$metadata#Parties/N.Person/$entity","@odata.etag":"\"2\"","ID":1,"Name":"p","Nick":"n"}"##,
    ])
    func sendsAgainForTheSameEntity(_ found: String) async throws {
        let (service, provider) = try await changed()
        service.set("PATCH Parties(1)", HTTPResponse(status: 412), HTTPResponse(status: 204))
        service.set("GET Parties(1)", RecordedService.json(found))
        #expect(try await provider.upload().succeededCount == 1)
        #expect(service.log.last { $0.method == "PATCH" }?.headers["If-Match"] == "\"2\"")
    }
}
