import ODataHTTP
import OfflineOData
import Testing

/// Entities whose key is not in the metadata: they would be merged into one another (OData CSDL 4.01 §§ 3.3, 6.5).
@Suite struct KeylessEntityTests {
    private static let metadata = """
        <edmx:Edmx Version="4.0" xmlns:edmx="http://docs.oasis-open.org/odata/ns/edmx">
        <edmx:Reference Uri="meta/base.xml"><edmx:Include Namespace="Zoo.Base" Alias="B"/></edmx:Reference>
        <edmx:Reference Uri="meta/terms.xml"><edmx:Include Namespace="Zoo.Terms"/></edmx:Reference>
        <edmx:DataServices><Schema Namespace="Zoo" xmlns="http://docs.oasis-open.org/odata/ns/edm">
        <EntityType Name="Animal" BaseType="B.Thing"><Property Name="Name" Type="Edm.String"/></EntityType>
        <EntityType Name="Keeper"><Key><PropertyRef Name="ID"/></Key><Property Name="ID" Type="Edm.Int32" Nullable="false"/>
        <NavigationProperty Name="Animals" Type="Collection(Zoo.Animal)"/>
        <NavigationProperty Name="Card" Type="Zoo.Card" ContainsTarget="true"/></EntityType>
        <EntityType Name="Card"><Property Name="No" Type="Edm.String"/></EntityType>
        <EntityContainer Name="C"><EntitySet Name="Animals" EntityType="Zoo.Animal"/>
        <EntitySet Name="Keepers" EntityType="Zoo.Keeper"><NavigationPropertyBinding Path="Animals" Target="Animals"/></EntitySet>
        <Singleton Name="Star" Type="Zoo.Animal"/></EntityContainer></Schema></edmx:DataServices></edmx:Edmx>
        """

    private func service() throws -> RecordedService {
        let service = try RecordedService(metadata: Self.metadata)
        service.set("GET Animals", RecordedService.json(#"{"value":[{"Name":"a"},{"Name":"b"}]}"#))
        service.set(
            "GET Keepers?$expand=Animals",
            RecordedService.json(#"{"value":[{"ID":1,"Animals":[{"Name":"a"},{"Name":"b"}]}]}"#)
        )
        service.set(
            "GET Keepers?$expand=Card",
            RecordedService.json(#"{"value":[{"ID":1,"Card":{"No":"x"}}]}"#)
        )
        service.set("GET Star", RecordedService.json(#"{"Name":"s"}"#))
        return service
    }

    @Test(arguments: ["Animals", "Keepers?$expand=Animals"])
    func refusesEntitiesThatCannotBeToldApart(_ query: String) async throws {
        let error = try await #require(throws: OfflineODataError.self) {
            try await service().opened([query])
        }
        #expect(error.message.contains("their type Zoo.Animal has no key"), "\(error)")
        #expect(error.message.contains("'B.Thing'"), "\(error)")
        #expect(error.message.contains("stands in meta/base.xml, which"), "\(error)")
        #expect(!error.message.contains("terms.xml"), "\(error)")
        #expect(error.message.contains("leave Animals out of the defining queries"), "\(error)")
    }

    /// A singleton, and a single entity inside of another, is one: no key tells it apart.
    @Test func takesSingleEntitiesWithoutKey() async throws {
        let provider = try await service().opened(["Star", "Keepers?$expand=Card"])
        let status = try await provider.status()
        #expect(status.entitySets.map(\.entityCount).reduce(0, +) == 3)
    }
}
