import OfflineOData
import ODataHTTP
import Testing

/// What a download says of links that have changed where no entity has.
@Suite struct LinkCountTests {
    private static let metadata = """
        <edmx:Edmx xmlns:edmx="http://docs.oasis-open.org/odata/ns/edmx" Version="4.0"><edmx:DataServices>
        <Schema xmlns="http://docs.oasis-open.org/odata/ns/edm" Namespace="S">
          <EntityType Name="Person"><Key><PropertyRef Name="ID"/></Key>
            <Property Name="ID" Type="Edm.Int32" Nullable="false"/>
            <NavigationProperty Name="Friends" Type="Collection(S.Person)"/></EntityType>
          <EntityContainer Name="C"><EntitySet Name="People" EntityType="S.Person">
            <NavigationPropertyBinding Path="Friends" Target="People"/></EntitySet></EntityContainer>
        </Schema></edmx:DataServices></edmx:Edmx>
        """

    private static func page(_ friends: Int..., deltaLink: String? = nil) -> HTTPResponse {
        let friends = friends.map { "{\"ID\":\($0)}" }.joined(separator: ",")
        let link = deltaLink.map { ",\"@odata.deltaLink\":\"\($0)\"" } ?? ""
        return RecordedService.json(
            "{\"value\":[{\"ID\":1,\"Friends\":[\(friends)]},{\"ID\":2,\"Friends\":[]},{\"ID\":3,\"Friends\":[]}]\(link)}"
        )
    }

    @Test func countsWhatHasBecomeOfThemInAFullRead() async throws {
        let service = try RecordedService(metadata: Self.metadata)
        service.set("GET People?$expand=Friends", Self.page(2), Self.page(3), Self.page(3))
        let provider = try await service.opened(["People?$expand=Friends"])
        let changed = try await provider.download()
        #expect(changed.linkCount == 2 && changed.updatedCount == 0)
        #expect(try await provider.download().linkCount == 0)
    }

    @Test func countsWhatADeltaSays() async throws {
        let service = try RecordedService(metadata: Self.metadata)
        service.set("GET People?$expand=Friends", Self.page(2, deltaLink: "d1"))
        let provider = try await service.opened(["People?$expand=Friends"])
        let ends = ##""source":"People(1)","relationship":"Friends","target":"People"##
        service.set(
            "GET d1",
            RecordedService.json(
                ##"{"value":[{"@odata.context":"$metadata#People/$deletedLink",\##(ends)(2)"},"##
                    + ##"{"@odata.context":"$metadata#People/$link",\##(ends)(3)"},"##
                    + ##"{"@odata.context":"$metadata#People/$link",\##(ends)(3)"}],"@odata.deltaLink":"d2"}"##
            )
        )
        #expect(try await provider.download().linkCount == 2)
    }
}
