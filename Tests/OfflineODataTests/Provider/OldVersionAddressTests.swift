import ODataHTTP
import OfflineOData
import Testing

/// Entities of services of version 2 are named as the service and the store's own answers name them.
@Suite struct OldVersionAddressTests {
    private static let metadata = """
        <edmx:Edmx Version="1.0" xmlns:edmx="http://schemas.microsoft.com/ado/2007/06/edmx">
        <edmx:DataServices m:DataServiceVersion="2.0" xmlns:m="http://schemas.microsoft.com/ado/2007/08/dataservices/metadata">
        <Schema Namespace="N" xmlns="http://schemas.microsoft.com/ado/2008/09/edm">
        <EntityType Name="Head"><Key><PropertyRef Name="Id"/></Key><Property Name="Id" Type="Edm.Int64" Nullable="false"/>
          <Property Name="Title" Type="Edm.String"/></EntityType>
        <EntityType Name="Item"><Key><PropertyRef Name="HeadId"/><PropertyRef Name="Pos"/></Key>
          <Property Name="HeadId" Type="Edm.Int64" Nullable="false"/><Property Name="Pos" Type="Edm.Int32" Nullable="false"/>
          <Property Name="Title" Type="Edm.String"/></EntityType>
        <EntityContainer Name="C" m:IsDefaultEntityContainer="true"><EntitySet Name="Heads" EntityType="N.Head"/>
        <EntitySet Name="Items" EntityType="N.Item"/></EntityContainer>
        </Schema></edmx:DataServices></edmx:Edmx>
        """

    private func opened() async throws -> (RecordedService, OfflineODataProvider) {
        let service = try RecordedService(metadata: Self.metadata)
        service.set(
            "GET Heads",
            RecordedService.json(#"{"d":{"results":[{"Id":"5","Title":"a"}]}}"#)
        )
        service.set(
            "GET Items",
            RecordedService.json(#"{"d":{"results":[{"HeadId":"1","Pos":2,"Title":"a"}]}}"#)
        )
        return (service, try await service.opened(["Heads", "Items"]))
    }

    private static let addresses = [
        ("Heads(5L)", "Heads"), ("Heads(5)", "Heads"), ("ROOT/Heads(5L)", "Heads"),
        ("Items(HeadId=1L,Pos=2)", "Items"), ("ROOT/Items(HeadId=1L,Pos=2)", "Items"),
    ]

    @Test(arguments: addresses)
    func undoesAndShowsAConflictByTheAddressOfAnswers(_ address: String, _ set: String) async throws
    {
        let (service, provider) = try await opened()
        let root = String(service.root.dropLast())
        let url = address.replacing("ROOT", with: root)
        let request = HTTPRequest(
            method: "MERGE",
            url: set == "Heads" ? "Heads(5L)" : "Items(HeadId=1L,Pos=2)",
            headers: ["Content-Type": "application/json"],
            body: Array(#"{"Title":"b"}"#.utf8)
        )
        try #require(await provider.respond(to: request).isSuccess)
        let conflict = try await provider.conflict(for: url)
        #expect(conflict.changedProperties == ["Title"])
        #expect(try await provider.undoPendingChanges(url) == 1)
        #expect(try await provider.requestQueueIsEmpty())
    }

    /// Readers of version 2 refuse members of an entity that its type does not have.
    @Test func tellsStatesWhereReadersPassThemOver() async throws {
        let (_, provider) = try await opened()
        try await provider.send("MERGE", "Heads(5L)", #"{"Title":"b"}"#)
        let answer = await provider.respond(to: HTTPRequest(method: "GET", url: "Heads"))
        let text = String(decoding: answer.body, as: UTF8.self)
        let states = #""properties":{"sap.isLocal":true,"sap.hasPendingChanges":true}"#
        #expect(text.hasSuffix(states + #"},"Id":"5","Title":"b"}]}}"#), "\(text)")
        #expect(!text.contains("@"))
    }

    @Test func readsTheKeysOfTheServiceInQueries() async throws {
        let (service, provider) = try await opened()
        #expect(try await provider.executeQuery("Heads(5L)").count == 1)
        #expect(try await provider.executeQuery("Heads?$filter=Id eq 5L").count == 1)
        let answer = await provider.respond(
            to: HTTPRequest(method: "GET", url: service.root + "Heads(5L)/Title/$value")
        )
        #expect(String(decoding: answer.body, as: UTF8.self) == "a")
    }
}
