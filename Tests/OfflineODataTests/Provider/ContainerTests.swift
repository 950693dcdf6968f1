import ODataHTTP
import OfflineOData
import Testing

/// Documents of version 2 with two containers: the sets of the default one by their short names, the others behind their container's.
@Suite struct ContainerTests {
    private static let metadata = """
        <edmx:Edmx Version="1.0" xmlns:edmx="http://schemas.microsoft.com/ado/2007/06/edmx">
        <edmx:DataServices m:DataServiceVersion="2.0" xmlns:m="http://schemas.microsoft.com/ado/2007/08/dataservices/metadata">
        <Schema Namespace="N" xmlns="http://schemas.microsoft.com/ado/2008/09/edm">
        <EntityType Name="P"><Key><PropertyRef Name="ID"/></Key><Property Name="ID" Type="Edm.Int32" Nullable="false"/>
          <Property Name="Name" Type="Edm.String"/>
          <NavigationProperty Name="Kids" Relationship="N.PK" FromRole="P" ToRole="K"/></EntityType>
        <EntityType Name="K"><Key><PropertyRef Name="ID"/></Key><Property Name="ID" Type="Edm.Int32" Nullable="false"/></EntityType>
        <Association Name="PK"><End Role="P" Type="N.P" Multiplicity="0..1"/><End Role="K" Type="N.K" Multiplicity="*"/></Association>
        <EntityContainer Name="Old"><EntitySet Name="Ps" EntityType="N.P"/><EntitySet Name="Ks" EntityType="N.K"/>
          <AssociationSet Name="PKs" Association="N.PK"><End Role="P" EntitySet="Ps"/><End Role="K" EntitySet="Ks"/></AssociationSet></EntityContainer>
        <EntityContainer Name="New" m:IsDefaultEntityContainer="true"><EntitySet Name="Ps" EntityType="N.P"/><EntitySet Name="Ks" EntityType="N.K"/>
          <AssociationSet Name="PKs" Association="N.PK"><End Role="P" EntitySet="Ps"/><End Role="K" EntitySet="Ks"/></AssociationSet></EntityContainer>
        </Schema></edmx:DataServices></edmx:Edmx>
        """

    private func opened() async throws -> (RecordedService, OfflineODataProvider) {
        let service = try RecordedService(metadata: Self.metadata)
        for (url, id) in [("Ps", 1), ("Old.Ps", 2)] {
            let kids = "{\"results\":[{\"__metadata\":{\"type\":\"N.K\"},\"ID\":\(id + 10)}]}"
            service.set(
                "GET \(url)?$expand=Kids",
                RecordedService.json(
                    "{\"d\":{\"results\":[{\"__metadata\":{\"uri\":\"\(service.root)\(url)(\(id))\",\"type\":\"N.P\"},\"ID\":\(id),\"Name\":\"a\",\"Kids\":\(kids)}]}}"
                )
            )
        }
        return (service, try await service.opened(["Ps?$expand=Kids", "Old.Ps?$expand=Kids"]))
    }

    @Test func keepsTheSetsApart() async throws {
        let (_, provider) = try await opened()
        for (url, id) in [("Ps", 1), ("New.Ps", 1), ("Old.Ps", 2), ("Ks", 11), ("Old.Ks", 12)] {
            let found = try await provider.executeQuery(url).map { $0["ID"]?.integerValue }
            #expect(found == [Int64(id)], "\(url)")
        }
        let kids = try await provider.executeQuery("Old.Ps(2)/Kids")
        #expect(kids.map(\.entitySet) == ["Old.Ks"])
    }

    @Test func sendsChangesToTheRightSet() async throws {
        let (service, provider) = try await opened()
        try await provider.send("PATCH", "Old.Ps(2)", #"{"Name":"b"}"#)
        service.clearLog()
        service.set("MERGE Old.Ps(2)", HTTPResponse(status: 204))
        try await provider.upload()
        #expect(service.requests.contains("MERGE Old.Ps(2)"), "\(service.requests)")
    }
}
