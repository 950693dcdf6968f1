import OfflineOData
import ODataHTTP
import Testing

/// Collections whose changes a function reports, as Microsoft Graph has it.
@Suite struct DeltaFunctionTests {
    private static let metadata = """
        <edmx:Edmx xmlns:edmx="http://docs.oasis-open.org/odata/ns/edmx" Version="4.0"><edmx:DataServices>
        <Schema xmlns="http://docs.oasis-open.org/odata/ns/edm" Namespace="m.graph" Alias="graph">
          <EntityType Name="entity" Abstract="true"><Key><PropertyRef Name="id"/></Key>
            <Property Name="id" Type="Edm.String" Nullable="false"/></EntityType>
          <EntityType Name="user" BaseType="graph.entity"><Property Name="name" Type="Edm.String"/>
            <Property Name="mail" Type="Edm.String"/></EntityType>
          <Function Name="delta" IsBound="true">
            <Parameter Name="bindingParameter" Type="Collection(graph.user)"/>
            <ReturnType Type="Collection(graph.user)"/></Function>
          <Function Name="delta" IsBound="true">
            <Parameter Name="bindingParameter" Type="Collection(graph.user)"/>
            <Parameter Name="token" Type="Edm.String"/>
            <ReturnType Type="Collection(graph.user)"/></Function>
          <Function Name="newest" IsBound="true">
            <Parameter Name="bindingParameter" Type="Collection(graph.user)"/>
            <ReturnType Type="Collection(graph.user)"/></Function>
          <EntityContainer Name="C"><EntitySet Name="users" EntityType="graph.user"/></EntityContainer>
        </Schema></edmx:DataServices></edmx:Edmx>
        """

    private func names(_ provider: OfflineODataProvider) async throws -> [String] {
        try await provider.executeQuery("users?$orderby=id").map { user in
            [user["id"], user["name"], user["mail"]].map { $0?.stringValue ?? "-" }
                .joined(separator: " ")
        }
    }

    /// Pages, then changes: of entities in part, and removals by the key alone.
    @Test func loadsAndFollowsWhatTheFunctionReports() async throws {
        let service = try RecordedService(metadata: Self.metadata)
        let function = "users/m.graph.delta()"
        service.set(
            "GET \(function)?$select=name,mail",
            RecordedService.json(
                """
                {"@odata.context":"\(service.root)$metadata#users","value":[
                {"id":"a","name":"Ann","mail":"a@x"},{"id":"b","name":"Bob","mail":"b@x"}],
                "@odata.nextLink":"\(service.root)\(function)?$skiptoken=1"}
                """
            )
        )
        service.set(
            "GET \(function)?$skiptoken=1",
            RecordedService.json(
                """
                {"@odata.context":"\(service.root)$metadata#users","value":[{"id":"c","name":"Cid"}],
                "@odata.deltaLink":"\(service.root)\(function)?$deltatoken=1"}
                """
            )
        )
        let provider = try await service.opened(["\(function)?$select=name,mail"])
        #expect(try await names(provider) == ["a Ann a@x", "b Bob b@x", "c Cid -"])
        service.set(
            "GET \(function)?$deltatoken=1",
            RecordedService.json(
                """
                {"@odata.context":"\(service.root)$metadata#users/$delta","value":[
                {"id":"b","name":"Bea"},{"id":"a","@removed":{"reason":"changed"}},{"id":"d","name":"Dan","mail":"d@x"}],
                "@odata.deltaLink":"\(service.root)\(function)?$deltatoken=2"}
                """
            )
        )
        service.clearLog()
        try await provider.download()
        #expect(service.requests.last == "GET \(function)?$deltatoken=1")
        #expect(try await names(provider) == ["b Bea b@x", "c Cid -", "d Dan d@x"])
    }

    /// What comes as changes in the first answer too is known in part (OData JSON 4.01 § 15.2).
    @Test func knowsInPartWhatComesAsChanges() async throws {
        let groups = """
            <EntityType Name="group" BaseType="graph.entity">
            <NavigationProperty Name="members" Type="Collection(graph.user)"/></EntityType>
            <Function Name="delta" IsBound="true">
            <Parameter Name="bindingParameter" Type="Collection(graph.group)"/>
            <ReturnType Type="Collection(graph.group)"/></Function><EntityContainer Name="C">
            <EntitySet Name="groups" EntityType="graph.group">
            <NavigationPropertyBinding Path="members" Target="users"/></EntitySet>
            """
        let service = try RecordedService(
            metadata: Self.metadata.replacing("<EntityContainer Name=\"C\">", with: groups)
        )
        let function = "groups/m.graph.delta()"
        service.set(
            "GET \(function)",
            RecordedService.json(
                """
                {"value":[{"id":"g","members@delta":[{"id":"a","name":"Ann"}]}],"@odata.deltaLink":"\(function)?$deltatoken=1"}
                """
            )
        )
        let provider = try await service.opened([function])
        let user = try #require(try await provider.executeQuery("groups('g')/members").first)
        #expect(user["name"] == "Ann")
        #expect(user["mail"] == nil)
        #expect(try await provider.executeQuery("users?$filter=mail eq null").isEmpty)
    }

    /// Where the link is too old, all is read anew: by the function.
    @Test func beginsAnewWithTheFunction() async throws {
        let service = try RecordedService(metadata: Self.metadata)
        let function = "users/m.graph.delta()"
        service.set(
            "GET \(function)",
            RecordedService.json(
                """
                {"value":[{"id":"a","name":"Ann"}],"@odata.deltaLink":"\(function)?$deltatoken=1"}
                """
            ),
            RecordedService.json(
                """
                {"value":[{"id":"b","name":"Bob"}],"@odata.deltaLink":"\(function)?$deltatoken=2"}
                """
            )
        )
        service.set("GET \(function)?$deltatoken=1", HTTPResponse(status: 410))
        let provider = try await service.opened([function])
        try await provider.download()
        #expect(try await names(provider) == ["b Bob -"])
    }

    /// What reports something else than the collection, or an unknown part of it, is no defining query.
    @Test(arguments: ["users/m.graph.newest()", "users/m.graph.delta(token='x')"])
    func refusesOtherFunctions(_ url: String) async throws {
        let service = try RecordedService(metadata: Self.metadata)
        let error = await #expect(throws: OfflineODataError.self) {
            _ = try await service.opened([url])
        }
        #expect(error?.message.contains("must ask for entities") == true)
        #expect(!service.requests.contains("GET " + url))
    }
}
