import OfflineOData
import ODataHTTP
import Testing

/// Entities whose foreign key the service sets to null, since the entity that it names was deleted from here (OData 4.01 Part 1 § 11.4.5).
@Suite struct ReleasedKeyTests {
    private static let metadata = """
        <edmx:Edmx xmlns:edmx="http://docs.oasis-open.org/odata/ns/edmx" Version="4.0"><edmx:DataServices>
        <Schema xmlns="http://docs.oasis-open.org/odata/ns/edm" Namespace="S">
          <EntityType Name="Person"><Key><PropertyRef Name="ID"/></Key>
            <Property Name="ID" Type="Edm.Int32" Nullable="false"/><Property Name="Name" Type="Edm.String"/>
            <Property Name="BossID" Type="Edm.Int32"/>
            <NavigationProperty Name="Boss" Type="S.Person">
              <ReferentialConstraint Property="BossID" ReferencedProperty="ID"/></NavigationProperty></EntityType>
          <EntityContainer Name="C"><EntitySet Name="People" EntityType="S.Person">
            <NavigationPropertyBinding Path="Boss" Target="People"/></EntitySet></EntityContainer>
        </Schema></edmx:DataServices></edmx:Edmx>
        """

    private static func person(_ id: Int, etag: Int, _ boss: String, name: String = "n") -> String {
        #"{"@odata.etag":"\"\#(etag)\"","ID":\#(id),"Name":"\#(name)","BossID":\#(boss)}"#
    }

    enum Change: CaseIterable {
        case delete, replace, changeKey, rename
    }

    private func opened() async throws -> (RecordedService, OfflineODataProvider) {
        let service = try RecordedService(metadata: Self.metadata)
        let people = [
            Self.person(1, etag: 1, "null"), Self.person(10, etag: 2, "null"),
            Self.person(11, etag: 3, "10"),
        ]
        service.set(
            "GET People",
            RecordedService.json("{\"value\":[\(people.joined(separator: ","))]}")
        )
        service.set("POST $batch", HTTPResponse(status: 404))
        let provider = try await service.opened(["People"])
        service.set("DELETE People(10)", HTTPResponse(status: 204))
        for method in ["DELETE", "PUT", "PATCH"] {
            service.set("\(method) People(11)", HTTPResponse(status: 204))
        }
        return (service, provider)
    }

    private func send(_ provider: OfflineODataProvider, _ method: String, _ body: String = "") async
    {
        let answer = await provider.respond(
            to: HTTPRequest(
                method: method,
                url: "People(11)",
                headers: ["Content-Type": "application/json"],
                body: Array(body.utf8)
            )
        )
        #expect(answer.isSuccess)
    }

    private func make(_ change: Change, _ provider: OfflineODataProvider) async throws {
        try await provider.deleteEntity(try #require(provider.executeQuery("People(10)").first))
        switch change {
        case .delete: await send(provider, "DELETE")
        case .replace: await send(provider, "PUT", #"{"Name":"x"}"#)
        case .changeKey: await send(provider, "PATCH", #"{"BossID":1}"#)
        case .rename: await send(provider, "PATCH", #"{"Name":"x"}"#)
        }
    }

    /// That is what the deletion has done, and no other client.
    @Test(arguments: Change.allCases)
    func areInNoConflict(_ change: Change) async throws {
        let (service, provider) = try await opened()
        try await make(change, provider)
        service.set("GET People(11)", RecordedService.json(Self.person(11, etag: 4, "null")))
        let result = try await provider.upload()
        #expect([result.succeededCount, result.failedCount] == [2, 0])
        let sent = service.log.last { $0.method != "GET" }
        #expect(sent?.url.hasSuffix("People(11)") == true)
        #expect(sent?.headers["If-Match"] == "\"4\"")
    }

    /// Another client has changed another value as well, or given the entity another principal.
    @Test(arguments: [("null", "theirs"), ("1", "n")])
    func areInConflictWhereOthersHaveChangedThem(_ boss: String, _ name: String) async throws {
        let (service, provider) = try await opened()
        try await make(.delete, provider)
        service.set(
            "GET People(11)",
            RecordedService.json(Self.person(11, etag: 4, boss, name: name))
        )
        let result = try await provider.upload()
        #expect([result.succeededCount, result.failedCount] == [1, 1])
        #expect(!service.requests.contains("DELETE People(11)"))
    }

    /// In a change set the deletion of the principal goes behind: what it changes cannot be read in between.
    @Test func goAheadOfTheirPrincipalInAChangeSet() async throws {
        let (service, provider) = try await opened()
        let batch = """
            {"requests":[{"id":"1","atomicityGroup":"g","method":"delete","url":"People(10)"},
            {"id":"2","atomicityGroup":"g","method":"delete","url":"People(11)"}]}
            """
        let answer = await provider.respond(
            to: HTTPRequest(
                method: "POST",
                url: "$batch",
                headers: ["Content-Type": "application/json"],
                body: Array(batch.utf8)
            )
        )
        #expect(answer.status == 200)
        service.clearLog()
        _ = try? await provider.upload()
        let sent = try #require(service.log.first { $0.url.hasSuffix("$batch") })
        let text = String(decoding: sent.body, as: UTF8.self)
        let dependent = try #require(text.firstRange(of: "DELETE People(11)"))
        let principal = try #require(text.firstRange(of: "DELETE People(10)"))
        #expect(dependent.lowerBound < principal.lowerBound)
    }
}
