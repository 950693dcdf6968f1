import OfflineOData
import ODataHTTP
import Testing

/// What a comparison with the service notices: each kind of data, wherever it stands.
@Suite struct ServiceComparisonTests {
    private static let metadata = """
        <edmx:Edmx Version="4.0" xmlns:edmx="http://docs.oasis-open.org/odata/ns/edmx"><edmx:DataServices>
        <Schema Namespace="S" xmlns="http://docs.oasis-open.org/odata/ns/edm">
        <EntityType Name="Order"><Key><PropertyRef Name="ID"/></Key>
        <Property Name="ID" Type="Edm.Int32" Nullable="false"/><Property Name="Price" Type="Edm.Decimal" Scale="2"/>
        <Property Name="Prices" Type="Collection(Edm.Decimal)"/>
        <Property Name="At" Type="Edm.DateTimeOffset" Precision="3"/><Property Name="Code" Type="Edm.Guid"/>
        <NavigationProperty Name="Items" Type="Collection(S.Item)" ContainsTarget="true"/>
        <NavigationProperty Name="Head" Type="S.Item" ContainsTarget="true"/></EntityType>
        <EntityType Name="Rush" BaseType="S.Order"><NavigationProperty Name="Before" Type="S.Order"/></EntityType>
        <EntityType Name="Item"><Key><PropertyRef Name="ID"/></Key>
        <Property Name="ID" Type="Edm.Int32" Nullable="false"/><Property Name="Text" Type="Edm.String"/>
        <NavigationProperty Name="Notes" Type="Collection(S.Item)" ContainsTarget="true"/>
        <NavigationProperty Name="Of" Type="S.Order"/></EntityType>
        <EntityType Name="Photo" HasStream="true"><Key><PropertyRef Name="ID"/></Key>
        <Property Name="ID" Type="Edm.Int32" Nullable="false"/></EntityType>
        <EntityType Name="Me"><Property Name="Theme" Type="Edm.String"/>
        <NavigationProperty Name="Best" Type="S.Order"/>
        <NavigationProperty Name="Pins" Type="Collection(S.Item)" ContainsTarget="true"/></EntityType>
        <EntityContainer Name="C"><EntitySet Name="Orders" EntityType="S.Order">
        <NavigationPropertyBinding Path="Items/Of" Target="Orders"/>
        <NavigationPropertyBinding Path="S.Rush/Before" Target="Orders"/></EntitySet>
        <EntitySet Name="Photos" EntityType="S.Photo"/>
        <Singleton Name="Me" Type="S.Me"><NavigationPropertyBinding Path="Best" Target="Orders"/></Singleton>
        </EntityContainer></Schema></edmx:DataServices></edmx:Edmx>
        """

    private static let orders =
        "Orders?$expand=Items($expand=Notes($expand=Notes),Of/$ref),Head,S.Rush/Before/$ref"
    private static let me = "Me?$expand=Best/$ref,Pins"

    private static let orderPage = """
        {"value":[{"ID":1,"Price":12.5,"Prices":[1.5],"At":"2024-01-01T10:00:00Z","Code":"01234567-89ab-cdef-0123-456789abcdef",
        "Head":{"ID":90,"Text":"head"},"Items":[{"ID":10,"Text":"item","Of":{"@odata.id":"Orders(1)"},
        "Notes":[{"ID":100,"Text":"note","Notes":[{"ID":1000,"Text":"deep","Notes":[]}]}]}]},
        {"@odata.type":"#S.Rush","ID":2,"Price":null,"Prices":[],"At":null,"Code":null,"Head":null,"Items":[],"Before":{"@odata.id":"Orders(1)"}}]}
        """
    private static let mePage =
        #"{"Theme":"dark","Best":{"@odata.id":"Orders(1)"},"Pins":[{"ID":5,"Text":"pin"}]}"#

    private func opened() async throws -> (RecordedService, OfflineODataProvider) {
        let service = try RecordedService(metadata: Self.metadata)
        service.set("GET " + Self.orders, RecordedService.json(Self.orderPage))
        service.set("GET " + Self.me, RecordedService.json(Self.mePage))
        service.set("GET Photos", RecordedService.json(#"{"value":[{"ID":1}]}"#))
        service.set("GET Photos(1)/$value", Self.stream("bytes"))
        let provider = try await service.openedWithPhotos([Self.orders, Self.me])
        return (service, provider)
    }

    private static func stream(_ text: String) -> HTTPResponse {
        HTTPResponse(
            status: 200,
            headers: ["Content-Type": "text/plain"],
            body: Array(text.utf8)
        )
    }

    private func differences(_ provider: OfflineODataProvider) async throws -> [String] {
        try await provider.compareWithService().differences.map {
            ([$0.kind.rawValue, $0.url ?? ""] + $0.properties).joined(separator: " ")
        }
    }

    @Test func findsNothingWhereBothAreTheSame() async throws {
        let (_, provider) = try await opened()
        #expect(try await differences(provider) == [])
    }

    /// Two orders, a photo and a singleton; five entities inside of them.
    @Test func countsContainedEntitiesToo() async throws {
        let (_, provider) = try await opened()
        #expect(try await provider.compareWithService().comparedCount == 9)
    }

    private static let changes: [(String, String, String)] = [
        ("\"note\"", "\"other\"", "different Orders(1)/Items(10)/Notes(100) Text"),
        ("\"deep\"", "\"other\"", "different Orders(1)/Items(10)/Notes(100)/Notes(1000) Text"),
        ("\"item\"", "\"other\"", "different Orders(1)/Items(10) Text"),
        ("\"head\"", "\"other\"", "different Orders(1)/Head Text"),
        (
            #""Of":{"@odata.id":"Orders(1)"}"#, #""Of":{"@odata.id":"Orders(2)"}"#,
            "link Orders(1)/Items(10) Of"
        ),
        (#""Before":{"@odata.id":"Orders(1)"}"#, #""Before":null"#, "link Orders(2) Before"),
        (#""ID":1000"#, #""ID":1001"#, "missing Orders(1)/Items(10)/Notes(100)/Notes(1001)"),
        (#""Price":12.5"#, #""Price":12.75"#, "different Orders(1) Price"),
        (#""Prices":[1.5]"#, #""Prices":[1.75]"#, "different Orders(1) Prices"),
    ]

    @Test(arguments: changes)
    func noticesAChange(_ old: String, _ new: String, _ expected: String) async throws {
        let (service, provider) = try await opened()
        let page = Self.orderPage.replacing(old, with: new)
        try #require(page != Self.orderPage)
        service.set("GET " + Self.orders, RecordedService.json(page))
        let found = try await differences(provider)
        #expect(found.contains(expected), "\(found)")
    }

    private static let ownChanges: [(String, String, String)] = [
        (#"{"@odata.id":"Orders(1)"}"#, #"{"@odata.id":"Orders(2)"}"#, "link Me Best"),
        (#"{"@odata.id":"Orders(1)"}"#, "null", "link Me Best"),
        ("\"pin\"", "\"other\"", "different Me/Pins(5) Text"),
        ("\"dark\"", "\"light\"", "different Me Theme"),
    ]

    @Test(arguments: ownChanges)
    func noticesAChangeOfASingleton(_ old: String, _ new: String, _ expected: String) async throws {
        let (service, provider) = try await opened()
        service.set("GET " + Self.me, RecordedService.json(Self.mePage.replacing(old, with: new)))
        #expect(try await differences(provider) == [expected])
    }

    /// An entity that was created here has values that a query with `$select` does not bring.
    @Test func passesOverPropertiesThatNoQueryBrings() async throws {
        let service = try RecordedService(metadata: Self.metadata)
        let query = "Orders?$select=ID,Price"
        service.set("GET " + query, RecordedService.json(#"{"value":[]}"#))
        let provider = try await service.opened([query])
        var order = EntityValue(entitySet: "Orders")
        order["ID"] = 9
        try await provider.createEntity(order)
        service.set("POST Orders", HTTPResponse(status: 204))
        try await provider.upload()
        service.set("GET " + query, RecordedService.json(#"{"value":[{"ID":9,"Price":null}]}"#))
        #expect(try await differences(provider) == [])
        service.set("GET " + query, RecordedService.json(#"{"value":[{"ID":9,"Price":1}]}"#))
        #expect(try await differences(provider) == ["different Orders(9) Price"])
    }

    /// Links are compared of the entities that an expanding query brings.
    @Test func comparesLinksOfWhatTheirQueriesBring() async throws {
        let service = try RecordedService(metadata: ShopModel.v4())
        let dear = "Orders?$filter=ID gt 5&$expand=Items"
        let sent = "Orders?$filter=ID%20gt%205&$expand=Items"
        service.set("GET Orders", RecordedService.json(#"{"value":[{"ID":1},{"ID":6}]}"#))
        service.set("GET \(sent)", RecordedService.json(#"{"value":[{"ID":6,"Items":[]}]}"#))
        service.set("GET Items", RecordedService.json(#"{"value":[{"ID":10}]}"#))
        service.set("POST $batch", HTTPResponse(status: 404))
        service.set("POST Orders(1)/Items/$ref", HTTPResponse(status: 204))
        let provider = try await service.opened(["Orders", dear, "Items"])
        let link = #"{"@odata.id":"Items(10)"}"#
        try await provider.send("POST", "Orders(1)/Items/$ref", link)
        try await provider.upload()
        #expect(try await provider.executeQuery("Orders(1)/Items").count == 1)
        #expect(try await differences(provider) == [])

        service.set(
            "GET \(sent)",
            RecordedService.json(#"{"value":[{"ID":6,"Items":[{"ID":10}]}]}"#)
        )
        #expect(try await differences(provider) == ["link Orders(6) Items"])
    }

    /// A download does not bring links that no query expands, so they are no difference either.
    @Test func passesOverLinksThatNoQueryBrings() async throws {
        let service = try RecordedService(metadata: Self.metadata)
        service.set("GET Orders", RecordedService.json(#"{"value":[{"ID":1},{"ID":2}]}"#))
        service.set("GET Me", RecordedService.json(#"{"Theme":"dark"}"#))
        let provider = try await service.opened(["Orders", "Me"])
        let request = HTTPRequest(
            method: "PUT",
            url: "Me/Best/$ref",
            headers: ["Content-Type": "application/json"],
            body: Array(#"{"@odata.id":"Orders(1)"}"#.utf8)
        )
        try #require(await provider.respond(to: request).isSuccess)
        service.set("PUT Me/Best/$ref", HTTPResponse(status: 204))
        try await provider.upload()
        #expect(try await provider.executeQuery("Me/Best").count == 1)
        #expect(try await differences(provider) == [])
    }

    @Test func noticesAStream() async throws {
        let (service, provider) = try await opened()
        service.set("GET Photos(1)/$value", Self.stream("other"))
        #expect(try await differences(provider) == ["stream Photos(1) $value"])
    }

    /// One value written in another way is no difference.
    @Test(
        arguments: [
            (#""Price":12.5"#, #""Price":12.50"#), (#""Price":12.5"#, #""Price":1.25e1"#),
            (#""Prices":[1.5]"#, #""Prices":[1.50]"#),
            ("10:00:00Z", "12:00:00.000+02:00"), ("89ab-cdef", "89AB-CDEF"),
        ]
    )
    func takesOneValueInTwoTextsAsTheSame(_ old: String, _ new: String) async throws {
        let (service, provider) = try await opened()
        let page = Self.orderPage.replacing(old, with: new)
        try #require(page != Self.orderPage)
        service.set("GET " + Self.orders, RecordedService.json(page))
        #expect(try await differences(provider) == [])
    }

    /// What was changed here differs on purpose, also below the entity.
    @Test func passesOverAContainedEntityThatWasChangedHere() async throws {
        let (_, provider) = try await opened()
        let request = HTTPRequest(
            method: "PATCH",
            url: "Orders(1)/Items(10)/Notes(100)",
            headers: ["Content-Type": "application/json"],
            body: Array(#"{"Text":"mine"}"#.utf8)
        )
        try #require(await provider.respond(to: request).isSuccess)
        #expect(try await differences(provider) == [])
    }

    private static let named = """
        <edmx:Edmx Version="4.0" xmlns:edmx="http://docs.oasis-open.org/odata/ns/edmx"><edmx:DataServices>
        <Schema Namespace="M" xmlns="http://docs.oasis-open.org/odata/ns/edm">
        <EntityType Name="Photo" HasStream="true"><Key><PropertyRef Name="ID"/></Key>
        <Property Name="ID" Type="Edm.String" Nullable="false"/></EntityType>
        <EntityContainer Name="C"><EntitySet Name="Photos" EntityType="M.Photo"/></EntityContainer>
        </Schema></edmx:DataServices></edmx:Edmx>
        """

    /// Characters of a key that have another meaning in a URL.
    @Test(arguments: ["a?b", "a#b", "a%b", "a%3Fb", "a'b", "a/b", "ü"])
    func comparesStreamsOfEntitiesWithAnyKey(_ key: String) async throws {
        let service = try RecordedService(metadata: Self.named)
        service.set("GET Photos", RecordedService.json("{\"value\":[{\"ID\":\"\(key)\"}]}"))
        let provider = try await service.openedWithPhotos()
        let url = try #require(service.requests.first { $0.hasSuffix("/$value") })
        #expect(try await differences(provider) == [])
        service.set(url, Self.stream("bytes"))
        #expect(try await differences(provider).count == 1)
    }

    /// The store has the content from here; no query brings it.
    @Test func passesOverStreamsThatNoQueryBrings() async throws {
        let service = try RecordedService(metadata: Self.metadata)
        service.set("GET Photos", RecordedService.json(#"{"value":[{"ID":1}]}"#))
        service.set("GET " + Self.orders, RecordedService.json(#"{"value":[]}"#))
        service.set("POST $batch", HTTPResponse(status: 501))
        service.set("PUT Photos(1)/$value", HTTPResponse(status: 204))
        let provider = try await service.opened(["Photos"])
        try provider.add(
            definingQuery: OfflineODataDefiningQuery(
                name: "Orders",
                query: Self.orders,
                automaticallyRetrievesStreams: true
            )
        )
        try await provider.download()
        try await provider.send("PUT", "Photos(1)/$value", "mine")
        #expect(try await provider.upload().succeededCount == 1)
        #expect(try await differences(provider) == [])
    }

    /// Services may leave out what is null or empty inside of complex values.
    @Test(arguments: [#"{"City":"x"}"#, #"{"City":"x","Zip":null,"Tags":[]}"#])
    func takesWhatIsLeftOutOfAComplexValueForNull(_ value: String) async throws {
        let service = try RecordedService(
            metadata: """
                <edmx:Edmx Version="4.0" xmlns:edmx="http://docs.oasis-open.org/odata/ns/edmx"><edmx:DataServices>
                <Schema Namespace="S" xmlns="http://docs.oasis-open.org/odata/ns/edm">
                <ComplexType Name="Place" OpenType="true"><Property Name="City" Type="Edm.String"/>
                <Property Name="Zip" Type="Edm.String"/><Property Name="Tags" Type="Collection(Edm.String)"/></ComplexType>
                <EntityType Name="Part"><Key><PropertyRef Name="ID"/></Key>
                <Property Name="ID" Type="Edm.Int32" Nullable="false"/><Property Name="At" Type="S.Place"/></EntityType>
                <EntityContainer Name="C"><EntitySet Name="Parts" EntityType="S.Part"/></EntityContainer>
                </Schema></edmx:DataServices></edmx:Edmx>
                """
        )
        func set(_ place: String) {
            service.set(
                "GET Parts",
                RecordedService.json("{\"value\":[{\"ID\":1,\"At\":\(place)}]}")
            )
        }
        set(#"{"City":"x","Zip":null,"Tags":[]}"#)
        let provider = try await service.opened(["Parts"])
        set(value)
        #expect(try await differences(provider) == [])
        set(value.replacing("x", with: "y"))
        #expect(try await differences(provider) == ["different Parts(1) At"])
    }

    /// What was written here, and no query brings, has nothing that it could be compared with; `--full` would not bring it either.
    @Test(
        arguments: [
            ("Parts?$select=ID", []), ("Parts?$select=ID,Note", ["different Parts(1) Note"]),
            ("Parts", ["different Parts(1) Note"]),
        ],
        [#""mine""#, "null"]
    )
    func comparesDynamicPropertiesThatQueriesBring(
        _ test: (query: String, differences: [String]),
        _ note: String
    ) async throws {
        let query = test.query
        // What is not declared is null where it is not there.
        let expected = note == "null" ? [] : test.differences
        let service = try RecordedService(
            metadata: """
                <edmx:Edmx Version="4.0" xmlns:edmx="http://docs.oasis-open.org/odata/ns/edmx"><edmx:DataServices>
                <Schema Namespace="S" xmlns="http://docs.oasis-open.org/odata/ns/edm">
                <EntityType Name="Part" OpenType="true"><Key><PropertyRef Name="ID"/></Key>
                <Property Name="ID" Type="Edm.Int32" Nullable="false"/></EntityType>
                <EntityContainer Name="C"><EntitySet Name="Parts" EntityType="S.Part"/></EntityContainer>
                </Schema></edmx:DataServices></edmx:Edmx>
                """
        )
        service.set("GET " + query, RecordedService.json(#"{"value":[{"ID":1}]}"#))
        service.set("POST $batch", HTTPResponse(status: 501))
        service.set("PATCH Parts(1)", HTTPResponse(status: 204))
        let provider = try await service.opened([query])
        try await provider.send("PATCH", "Parts(1)", "{\"Note\":\(note)}")
        #expect(try await provider.upload().succeededCount == 1)
        #expect(try await differences(provider) == expected)
    }

    /// A key may stand in a complex property, under a name of its own (OData CSDL XML 4.01 § 6.5).
    @Test func comparesEntitiesWhoseKeyIsAPath() async throws {
        let service = try RecordedService(
            metadata: """
                <edmx:Edmx Version="4.0" xmlns:edmx="http://docs.oasis-open.org/odata/ns/edmx"><edmx:DataServices>
                <Schema Namespace="S" xmlns="http://docs.oasis-open.org/odata/ns/edm">
                <ComplexType Name="Info"><Property Name="Code" Type="Edm.String" Nullable="false"/></ComplexType>
                <EntityType Name="Part"><Key><PropertyRef Name="Info/Code" Alias="Cd"/></Key>
                <Property Name="Info" Type="S.Info" Nullable="false"/><Property Name="V" Type="Edm.Int32"/></EntityType>
                <EntityContainer Name="C"><EntitySet Name="Parts" EntityType="S.Part"/></EntityContainer>
                </Schema></edmx:DataServices></edmx:Edmx>
                """
        )
        func set(_ parts: [(String, Int)]) {
            let items = parts.map { "{\"Info\":{\"Code\":\"\($0)\"},\"V\":\($1)}" }
            service.set(
                "GET Parts",
                RecordedService.json("{\"value\":[\(items.joined(separator: ","))]}")
            )
        }
        set([("a", 1), ("b", 2)])
        let provider = try await service.opened(["Parts"])
        #expect(try await differences(provider).isEmpty)
        set([("a", 7), ("c", 3)])
        let found = try await differences(provider)
        #expect(
            found == ["different Parts('a') V", "extra Parts('b')", "missing Parts('c')"]
        )
    }

    /// What waits is passed over, however its key has to be written.
    @Test(arguments: [("a", "a"), ("\u{FC}", "%C3%BC"), ("e/f", "e%2Ff"), ("100%", "100%25")])
    func passesOverChangedContainedEntitiesOfAnyKey(_ key: String, _ written: String)
        async throws
    {
        let people = "People?$expand=Notes"
        let service = try RecordedService(
            metadata: """
                <edmx:Edmx Version="4.0" xmlns:edmx="http://docs.oasis-open.org/odata/ns/edmx"><edmx:DataServices>
                <Schema Namespace="S" xmlns="http://docs.oasis-open.org/odata/ns/edm">
                <EntityType Name="Note"><Key><PropertyRef Name="ID"/></Key><Property Name="ID" Type="Edm.Int32" Nullable="false"/>
                <Property Name="Text" Type="Edm.String"/></EntityType>
                <EntityType Name="Person"><Key><PropertyRef Name="Name"/></Key><Property Name="Name" Type="Edm.String" Nullable="false"/>
                <NavigationProperty Name="Notes" Type="Collection(S.Note)" ContainsTarget="true"/></EntityType>
                <EntityContainer Name="C"><EntitySet Name="People" EntityType="S.Person"/></EntityContainer>
                </Schema></edmx:DataServices></edmx:Edmx>
                """
        )
        service.set(
            "GET \(people)",
            RecordedService.json(
                "{\"value\":[{\"Name\":\"\(key)\",\"Notes\":[{\"ID\":1,\"Text\":\"one\"}]}]}"
            )
        )
        let provider = try await service.opened([people])
        try await provider.send("PATCH", "People('\(written)')/Notes(1)", #"{"Text":"mine"}"#)

        #expect(try await provider.compareWithService().differences.isEmpty)

        service.set("GET \(people)", RecordedService.json(#"{"value":[]}"#))
        let found = try await provider.compareWithService().differences.map(\.url)
        #expect(found == ["People('\(written)')"])
    }
}
