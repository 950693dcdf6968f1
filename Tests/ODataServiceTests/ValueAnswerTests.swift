import ODataHTTP
import ODataService
import Testing

/// Answers about values on their own, and refusals of requests that would be answered wrongly.
@Suite struct ValueAnswerTests {
    private static let metadata = """
        <edmx:Edmx Version="4.01" xmlns:edmx="http://docs.oasis-open.org/odata/ns/edmx"><edmx:DataServices>
        <Schema Namespace="S" xmlns="http://docs.oasis-open.org/odata/ns/edm">
        <ComplexType Name="Addr"><Property Name="Street" Type="Edm.String"/><Property Name="City" Type="Edm.String"/>
        <Property Name="Since" Type="Edm.Date"/></ComplexType>
        <ComplexType Name="Work" BaseType="S.Addr"><Property Name="Floor" Type="Edm.Int32"/></ComplexType>
        <EntityType Name="Person"><Key><PropertyRef Name="ID"/></Key>
        <Property Name="ID" Type="Edm.Int32" Nullable="false"/><Property Name="SSN" Type="Edm.String"/>
        <Property Name="Emails" Type="Collection(Edm.String)"/><Property Name="Nums" Type="Collection(Edm.Int32)"/>
        <Property Name="Homes" Type="Collection(S.Addr)"/><Property Name="Home" Type="S.Addr"/>
        <Property Name="D" Type="Edm.Double"/><Property Name="Place" Type="Edm.GeographyPoint"/>
        <NavigationProperty Name="Friends" Type="Collection(S.Person)"/>
        <Annotation Term="Org.OData.Core.V1.AlternateKeys"><Collection><Record><PropertyValue Property="Key">
        <Collection><Record><PropertyValue Property="Name" PropertyPath="SSN"/>
        <PropertyValue Property="Alias" String="SSN"/></Record></Collection></PropertyValue></Record></Collection></Annotation>
        </EntityType>
        <EntityContainer Name="C"><EntitySet Name="People" EntityType="S.Person">
        <NavigationPropertyBinding Path="Friends" Target="People"/></EntitySet></EntityContainer>
        </Schema></edmx:DataServices></edmx:Edmx>
        """
    private static let people = """
        [{"ID":1,"SSN":"a","Emails":["ab","b","ca","zz"],"Nums":[3,1,2,10],
        "Homes":[{"Street":"S","City":"B"},{"@odata.type":"#S.Work","City":"A","Floor":3}],
        "Home":{"@odata.type":"#S.Work","Street":"T","Floor":3},"D":"NaN",
        "Place":{"type":"Point","coordinates":[1.5,2.5]}},
        {"ID":2,"SSN":"b","Home":{"Street":"U"},"D":1.5},{"ID":3,"D":"INF"},{"ID":4,"D":"-INF"}]
        """

    private func service() async throws -> TestService {
        try await TestService(
            metadata: Array(Self.metadata.utf8),
            data: [("People", Array(Self.people.utf8))]
        )
    }

    /// OData 4.01 Part 1 § 11.2.6.
    @Test(arguments: [
        (
            "Emails?$filter=contains($it,'a')&$orderby=$it desc&$top=1&$count=true",
            #""@odata.count":2,"value":["ca"]}"#
        ),
        ("Emails?$skip=3", #""value":["zz"]}"#), ("Nums?$orderby=$it", #""value":[1,2,3,10]}"#),
        ("Nums?$filter=$it gt 2", ##""value":[3,10]}"##),
        (
            "Homes?$filter=City eq 'A'&$select=City",
            ##""value":[{"@odata.type":"#S.Work","City":"A"}]}"##
        ),
        (
            "Homes?$orderby=City&$select=City&$top=1",
            ##""value":[{"@odata.type":"#S.Work","City":"A"}]}"##
        ),
        (
            "Homes?$filter=isof(S.Work)&$select=City",
            ##""value":[{"@odata.type":"#S.Work","City":"A"}]}"##
        ),
    ])
    func choosesItemsOfCollections(_ url: String, _ end: String) async throws {
        let response = await (try service()).get("People(1)/" + url.encodedForURL)
        #expect(response.status == 200)
        #expect(response.text.hasSuffix(end), "\(response.text)")
    }

    @Test func countsItemsThatMeetACondition() async throws {
        let service = try await service()
        let url = "People(1)/Emails/$count?$filter=contains($it,'a')"
        #expect(await service.get(url).text.hasSuffix("2"))
    }

    /// OData 4.01 Part 2 § 5.1.1.10.2.
    @Test(arguments: [
        ("isof(Home,S.Work)", [1]), ("isof(Home,S.Addr)", [1, 2]),
        ("not isof(Home,S.Work)", [2, 3, 4]),
        ("Homes/any(h:isof(h,S.Work))", [1]),
    ])
    func knowsTheTypesOfComplexValues(_ filter: String, _ ids: [Int]) async throws {
        let url = "People?$select=ID&$filter=" + filter.encodedForURL
        let response = await (try service()).get(url)
        let found = (1...4).filter { response.text.contains("\"ID\":\($0)}") }
        #expect(found == ids, "\(response.text)")
    }

    /// OData 4.01 Part 2 § 4.11; what is declared and left out is null.
    @Test(arguments: [
        ("People(1)/Home/S.Work/Street", 200), ("People(2)/Home/S.Work/Street", 404),
        ("People(2)/Home/S.Work", 404), ("People(3)/Home/S.Work", 204),
        ("People(2)/Home/Since", 204), ("People(2)/Home/Since/$value", 204),
    ])
    func castsComplexValues(_ url: String, _ status: Int) async throws {
        let response = await (try service()).get(url)
        #expect(response.status == status, "\(response.text)")
    }

    @Test func answersAPointAsAValue() async throws {
        let response = await (try service()).get("People(1)/Place")
        #expect(response.text.hasSuffix(#""value":{"type":"Point","coordinates":[1.5,2.5]}}"#))
    }

    @Test(arguments: [
        (
            "filter(ID le 2)/",
            ##""T@odata.type":"#Double","T":"NaN","A@odata.type":"#Double","A":"NaN"}"##
        ),
        (
            "filter(ID ge 3)/",
            ##""T@odata.type":"#Double","T":"NaN","A@odata.type":"#Double","A":"NaN"}"##
        ),
        (
            "filter(ID eq 3)/",
            ##""T@odata.type":"#Double","T":"INF","A@odata.type":"#Double","A":"INF"}"##
        ),
        ("filter(ID eq 2)/", #"{"T":1.5,"A":1.5}"#),
        ("filter(ID eq 9)/", #"{"T":null,"A":null}"#),
    ])
    func sumsWhatIsNoNumber(_ part: String, _ row: String) async throws {
        let apply = part + "aggregate(D with sum as T,D with average as A)"
        let response = await (try service()).get("People?$apply=" + apply.encodedForURL)
        #expect(response.text.contains(row), "\(response.text)")
    }

    @Test(arguments: [
        ("POST", "People", #"{"ID":5,"SSN":"a"}"#, 409),
        ("PATCH", "People(2)", #"{"SSN":"a"}"#, 409),
        ("PUT", "People(2)", #"{"SSN":"a"}"#, 409),
        ("PUT", "People(2)/SSN", #"{"value":"a"}"#, 409),
        ("PUT", "People(7)", #"{"SSN":"a"}"#, 409), ("PATCH", "People(1)", #"{"SSN":"a"}"#, 204),
        ("POST", "People", #"{"ID":5,"Friends":[{"ID":6,"SSN":"a"}]}"#, 409),
        ("PATCH", "People(2)", #"{"SSN":"c"}"#, 204), ("PATCH", "People(2)", #"{"SSN":null}"#, 204),
    ])
    func keepsAlternateKeysUnique(_ method: String, _ url: String, _ body: String, _ status: Int)
        async throws
    {
        let service = try await service()
        let response = await service.send(method, url, [:], body)
        #expect(response.status == status, "\(response.text)")
        #expect(await service.get("People(SSN='a')/ID/$value").text == "1")
    }

    @Test(arguments: [
        ("text/plain", "$filter=ID eq 1", 200), ("application/json", "$filter=ID eq 1", 415),
        ("text/plain", #"{"$filter":"ID eq 1"}"#, 400), ("text/plain", "?? bogus", 400),
    ])
    func readsQueryOptionsOfPlainText(_ type: String, _ body: String, _ status: Int) async throws {
        let response = await (try service())
            .send("POST", "People/$query", ["Content-Type": type], body)
        #expect(response.status == status, "\(response.text)")
    }

    @Test(arguments: [
        ("People?$expand=Friends($apply=aggregate(D with sum as T))", 501),
        // The grammar has no reserved words where an operator cannot stand.
        ("People?$search=AND", 200), ("People?$search=\"AND\"", 200), ("People?$search=(a", 400),
    ])
    func refusesWhatItWouldMisread(_ url: String, _ status: Int) async throws {
        let response = await (try service()).get(url.encodedForURL)
        #expect(response.status == status, "\(response.text)")
    }

    @Test func refusesSnapshotsAndCodings() async throws {
        let service = try await service()
        #expect(await service.get("People", ["Isolation": "snapshot"]).status == 412)
        let body = #"{"ID":9}"#
        let coded = await service.send("POST", "People", ["Content-Encoding": "gzip"], body)
        #expect(coded.status == 415)
        let plain = await service.send("POST", "People", ["Content-Encoding": "identity"], body)
        #expect(plain.status == 201)
    }

    @Test(arguments: ["PUT", "DELETE", "PATCH"])
    func changesNoBatch(_ method: String) async throws {
        let response = await (try service()).send(method, "$batch", [:], "{}")
        #expect(response.status == 405)
        #expect(response.headers["Allow"] == "POST, OPTIONS")
    }

    /// OData JSON 4.01 § 3.1.3.
    @Test func answersNoChangesWithoutMetadata() async throws {
        var options = StandaloneOptions()
        options.tracksChanges = true
        let service = try await TestService(
            metadata: Array(Self.metadata.utf8),
            data: [("People", Array(Self.people.utf8))],
            options: options
        )
        let first = await service.get("People?$select=ID", ["Prefer": "track-changes"])
        let token = try #require(first.text.components(after: "@odata.deltaLink\":\""))
        let link = String(token.prefix { $0 != "\"" }.dropFirst(TestService.root.count))
        #expect(await service.get(link).status == 200)
        let accept = "application/json;odata.metadata=none"
        #expect(await service.get(link, ["Accept": accept]).status == 406)
    }

    /// Raw values that are no JSON as they stand (OData 4.01 Part 1 § 11.2.4.1).
    @Test(arguments: [
        ("D", "INF", 204, "INF"), ("D", "NaN", 204, "NaN"), ("D", "1.5", 204, "1.5"),
        ("D", "x", 400, ""),
        ("Place", "POINT(3 4)", 501, ""),
    ])
    func takesRawValues(_ name: String, _ text: String, _ status: Int, _ kept: String) async throws
    {
        let service = try await self.service()
        let url = "People(SSN='a')/\(name)/$value"
        let response = await service.send("PUT", url, ["Content-Type": "text/plain"], text)
        #expect(response.status == status, "\(response.text)")
        guard status == 204 else { return }
        let found = await service.get(url)
        #expect(found.text == kept)
    }
}

extension String {
    /// The text as it stands in a URL, with its own delimiters.
    fileprivate var encodedForURL: String {
        replacing(" ", with: "%20").replacing("\"", with: "%22")
    }

    /// The text after a mark.
    fileprivate func components(after mark: String) -> Substring? {
        firstRange(of: mark).map { self[$0.upperBound...] }
    }
}
