import ODataHTTP
import OfflineOData
import Testing

/// What is created inline with an entity that leaves the store after its upload leaves with it.
@Suite struct InlineRemovalTests {
    private static let model = """
        <edmx:Edmx Version="4.0" xmlns:edmx="http://docs.oasis-open.org/odata/ns/edmx"><edmx:DataServices>
        <Schema Namespace="N" xmlns="http://docs.oasis-open.org/odata/ns/edm">
        <EntityType Name="Shelf"><Key><PropertyRef Name="ID"/></Key><Property Name="ID" Type="Edm.Int32" Nullable="false"/>
        <NavigationProperty Name="Crates" Type="Collection(N.Crate)" Partner="Shelf"/>
        <NavigationProperty Name="Notes" Type="Collection(N.Note)" ContainsTarget="true"/></EntityType>
        <EntityType Name="Crate"><Key><PropertyRef Name="ID"/></Key><Property Name="ID" Type="Edm.Int32" Nullable="false"/>
        <Property Name="ShelfID" Type="Edm.Int32"/>
        <NavigationProperty Name="Shelf" Type="N.Shelf" Partner="Crates">
        <ReferentialConstraint Property="ShelfID" ReferencedProperty="ID"/></NavigationProperty></EntityType>
        <EntityType Name="Note"><Key><PropertyRef Name="ID"/></Key><Property Name="ID" Type="Edm.Int32" Nullable="false"/></EntityType>
        <EntityContainer Name="C"><EntitySet Name="Shelves" EntityType="N.Shelf">
        <NavigationPropertyBinding Path="Crates" Target="Crates"/></EntitySet>
        <EntitySet Name="Crates" EntityType="N.Crate"><NavigationPropertyBinding Path="Shelf" Target="Shelves"/></EntitySet>
        </EntityContainer></Schema></edmx:DataServices></edmx:Edmx>
        """

    @Test(arguments: [true, false])
    func goesWithTheEntity(_ isRemoved: Bool) async throws {
        let service = try RecordedService(metadata: Self.model)
        service.set("GET Shelves", RecordedService.json(#"{"value":[]}"#))
        service.set("GET Crates", RecordedService.json(#"{"value":[{"ID":1,"ShelfID":null}]}"#))
        let provider = try await service.opened(["Shelves", "Crates"])
        let options = OfflineODataRequestOptions()
        options.removeCreatedEntityAfterUpload = isRemoved
        let shelf = HTTPRequest(
            method: "POST",
            url: "Shelves",
            headers: ["Content-Type": "application/json"],
            body: Array(
                #"{"ID":7,"Crates":[{"ID":8},{"ID":9}],"Notes":[{"ID":3}]}"#.utf8
            )
        )
        #expect(await provider.respond(to: shelf, options: options).status == 201)
        service.set("POST Shelves", RecordedService.json(#"{"ID":7}"#, status: 201))
        #expect(try await provider.upload().succeededCount == 1)

        let kept: [Int64] = isRemoved ? [1] : [1, 8, 9]
        #expect(try await provider.executeQuery("Crates").map(\.["ID"]?.integerValue) == kept)
        #expect(try await provider.executeQuery("Shelves").count == (isRemoved ? 0 : 1))
        #expect(try await provider.checkIntegrity().isEmpty)
    }
}
