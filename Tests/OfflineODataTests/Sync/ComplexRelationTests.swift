import ODataHTTP
import OfflineOData
import Testing

/// Navigation properties of complex values: their entities belong inside of these, where a store has no place for them
/// (OData JSON 4.01 § 8.3); links are changed at the path of the property (Part 2 § 4.3).
@Suite struct ComplexRelationTests {
    private static let metadata = """
        <edmx:Edmx Version="4.0" xmlns:edmx="http://docs.oasis-open.org/odata/ns/edmx"><edmx:DataServices>
        <Schema Namespace="N" xmlns="http://docs.oasis-open.org/odata/ns/edm">
        <EntityType Name="A"><Key><PropertyRef Name="ID"/></Key><Property Name="ID" Type="Edm.Int32" Nullable="false"/>
        <Property Name="Home" Type="N.Place"/><Property Name="Plot" Type="N.Ground"/>
        <Property Name="Left" Type="N.Hand"/><Property Name="Right" Type="N.Hand"/>
        <Property Name="Places" Type="Collection(N.Place)"/></EntityType>
        <EntityType Name="Country"><Key><PropertyRef Name="Code"/></Key>
        <Property Name="Code" Type="Edm.String" Nullable="false"/></EntityType>
        <ComplexType Name="Place"><Property Name="P" Type="Edm.String"/><NavigationProperty Name="Country" Type="N.Country"/>
        </ComplexType>
        <ComplexType Name="Ground"><Property Name="In" Type="N.Deep"/></ComplexType>
        <ComplexType Name="Deep"><NavigationProperty Name="Owner" Type="N.Country"/></ComplexType>
        <ComplexType Name="Hand"><NavigationProperty Name="Ring" Type="N.Country"/></ComplexType>
        <EntityContainer Name="C"><EntitySet Name="As" EntityType="N.A">
        <NavigationPropertyBinding Path="Home/Country" Target="Countries"/>
        <NavigationPropertyBinding Path="Plot/In/Owner" Target="Countries"/>
        <NavigationPropertyBinding Path="Left/Ring" Target="Countries"/>
        <NavigationPropertyBinding Path="Right/Ring" Target="Countries"/></EntitySet>
        <EntitySet Name="Countries" EntityType="N.Country"/></EntityContainer></Schema></edmx:DataServices></edmx:Edmx>
        """

    private static let page = """
        {"value":[{"ID":1,"Home":{"P":"p"},"Plot":{"In":{}},"Left":{},"Right":{},
        "Places":[{"Country":null,"P":"a"},{"P":"b","Country":{"Code":"X"},"Country@odata.context":"c"},{"Country":null}]}]}
        """

    private func opened() async throws -> (RecordedService, OfflineODataProvider) {
        let service = try RecordedService(metadata: Self.metadata)
        service.set("GET As", RecordedService.json(Self.page))
        service.set("GET As?$expand=Home/Country", RecordedService.json(Self.page))
        service.set("GET Countries", RecordedService.json(#"{"value":[{"Code":"FR"}]}"#))
        service.set("POST $batch", HTTPResponse(status: 404))
        return (service, try await service.opened(["As", "Countries"]))
    }

    @Test(arguments: ["As?$expand=Home/Country", "As(1)?$expand=Plot/In/Owner"])
    func answersNoEntitiesInTheWrongPlace(_ url: String) async throws {
        let (_, provider) = try await opened()
        let answer = await provider.answer("GET", url)
        #expect(answer.status == 501, "\(String(decoding: answer.body, as: UTF8.self))")
    }

    @Test(arguments: [
        ("As?$expand=Home/Country", "expands Home/Country"),
        ("As?$select=ID,Places($top=1)", "selects some items of Places"),
        ("As?$select=Places($filter=P eq 'a';$select=P)", "selects some items of Places"),
    ])
    func refusesADefiningQueryThatBringsWhatHasNoPlace(_ query: String, _ part: String) async throws
    {
        let (service, provider) = try await opened()
        service.set("GET " + query, RecordedService.json(Self.page))
        let error = #expect(throws: OfflineODataError.self) {
            try provider.add(definingQuery: OfflineODataDefiningQuery(name: "E", query: query))
        }
        #expect(
            error?.message.contains(part) == true,
            "\(String(describing: error))"
        )
        // Before the metadata are known, the first load says so.
        let other = try await #require(throws: OfflineODataError.self) {
            try await service.opened([query])
        }
        #expect(other.message.contains(part), "\(other)")
    }

    @Test(arguments: ["Home/Country", "Plot/In/Owner"])
    func changesALinkAtThePathOfTheProperty(_ path: String) async throws {
        let (service, provider) = try await opened()
        let url = "As(1)/\(path)/$ref"
        let answer = await provider.answer("PUT", url, #"{"@odata.id":"Countries('FR')"}"#)
        #expect(answer.status == 204, "\(String(decoding: answer.body, as: UTF8.self))")
        service.set("PUT " + url, HTTPResponse(status: 204))
        service.clearLog()
        try await provider.upload()
        #expect(service.requests.filter { $0.hasPrefix("PUT") } == ["PUT " + url])
    }

    /// Two values of one type: a store keeps no link apart from the other's.
    @Test func refusesALinkThatIsNotToldApart() async throws {
        let (_, provider) = try await opened()
        let link = #"{"@odata.id":"Countries('FR')"}"#
        let answer = await provider.answer("PUT", "As(1)/Right/Ring/$ref", link)
        #expect(answer.status == 501, "\(String(decoding: answer.body, as: UTF8.self))")
        #expect(String(decoding: answer.body, as: UTF8.self).contains("Right/Ring"))
        #expect(try await provider.requestQueueIsEmpty())
    }

    /// In collections too, so that what is exported can be imported.
    @Test func leavesRelationsOutOfCollections() async throws {
        let (_, provider) = try await opened()
        let answer = await provider.answer("GET", "As(1)?$select=Places")
        let text = String(decoding: answer.body, as: UTF8.self)
        #expect(text.contains(#""Places":[{"P":"a"},{"P":"b"},{}]"#), "\(text)")
    }
}
