import ODataProtocol
import OfflineOData
import Testing

/// Values that services send beyond what their metadata declares, refused preferences, and queries that bring no entities.
@Suite struct UnusualValueTests {
    private static let metadata = """
        <edmx:Edmx Version="4.0" xmlns:edmx="http://docs.oasis-open.org/odata/ns/edmx"><edmx:DataServices>
        <Schema Namespace="N" xmlns="http://docs.oasis-open.org/odata/ns/edm">
        <ComplexType Name="Cx"><Property Name="A" Type="Edm.Int32"/></ComplexType>
        <ComplexType Name="Cy" BaseType="N.Cx"><Property Name="Q" Type="Edm.Int32"/></ComplexType>
        <ComplexType Name="Cz" BaseType="N.Cy"/>
        <EntityType Name="Item"><Key><PropertyRef Name="ID"/></Key>
        <Property Name="ID" Type="Edm.Int32" Nullable="false"/>
        <Property Name="P" Type="Edm.Decimal" Precision="9" Scale="0"/>
        <Property Name="R" Type="Edm.Decimal" Precision="9" Scale="2"/>
        <Property Name="S" Type="Edm.String" MaxLength="2"/>
        <Property Name="L" Type="Collection(Edm.String)"/>
        <Property Name="CC" Type="Collection(N.Cx)"/></EntityType>
        <EntityContainer Name="C"><EntitySet Name="Items" EntityType="N.Item"/></EntityContainer>
        </Schema></edmx:DataServices></edmx:Edmx>
        """

    private static let items = """
        {"value":[
        {"ID":1,"P":12.34,"R":12.34,"S":"long text","L":["a",null],
         "CC":[{"@odata.type":"#N.Cy","A":1,"Q":5},{"A":2}]},
        {"ID":2,"P":12,"R":12.345,"CC":[{"@odata.type":"http://s/$metadata#N.Cz","Q":-1}]},
        {"ID":3,"P":-12.5,"R":-12.345,"CC":[{"A":1,"Q":7}]},
        {"ID":4,"P":13,"R":12.35,"CC":[{"@type":"#N.Cx","Q":7}]},
        {"ID":5,"P":null,"R":null,"CC":[]}]}
        """

    private func opened() async throws -> (RecordedService, OfflineODataProvider) {
        let service = try RecordedService(metadata: Self.metadata)
        service.set("GET Items", RecordedService.json(Self.items))
        return (service, try await service.opened(["Items"]))
    }

    @Test(arguments: [
        ("P eq 12", [2]), ("P ne 12", [1, 3, 4, 5]), ("P gt 12", [1, 4]), ("P ge 12", [1, 2, 4]),
        ("P lt 13", [1, 2, 3]), ("P le 12", [2, 3]), ("P lt 12", [3]), ("P le 13", [1, 2, 3, 4]),
        ("P eq 12.34", [1]), ("P gt 12.3", [1, 4]), ("P le 12.34", [1, 2, 3]),
        ("P lt 12.34", [2, 3]),
        ("P eq -12.5", [3]), ("P eq -13", []), ("P gt -13", [1, 2, 3, 4]), ("P le -13", []),
        ("12 eq P", [2]), ("12 lt P", [1, 4]), ("12 ge P", [2, 3]),
        ("not (P eq 12)", [1, 3, 4, 5]),
        ("R eq 12.34", [1]), ("R eq 12.345", [2]), ("R gt 12.34", [2, 4]), ("R le 12.34", [1, 3]),
        ("R eq -12.345", [3]), ("R lt -12.34", [3]), ("P eq R", [1, 5]), ("R gt P", [2, 3]),
    ])
    func comparesDecimalsBeyondTheirScaleExactly(_ filter: String, _ ids: [Int64]) async throws {
        let (_, provider) = try await opened()
        let found = try await provider.executeQuery("Items?$filter=\(filter)&$orderby=ID")
        #expect(found.compactMap { $0["ID"]?.integerValue } == ids)
    }

    @Test func keepsValuesBeyondTheirFacets() async throws {
        let (_, provider) = try await opened()
        let answer = await provider.respond(to: HTTPRequest(method: "GET", url: "Items(1)"))
        let text = String(decoding: answer.body, as: UTF8.self)
        for member in [#""P":12.34,"#, #""S":"long text""#, #""L":["a",null]"#] {
            #expect(text.contains(member), "\(text)")
        }
    }

    /// A cast to a type that an item is not makes the path null (OData 4.01 Part 2 § 5.1.1.15).
    @Test(arguments: [
        ("CC/any(c:c/N.Cy/Q gt 0)", [1]), ("CC/any(c:c/N.Cy/Q lt 0)", [2]),
        ("CC/any(c:c/N.Cz/Q lt 0)", [2]), ("CC/any(c:c/N.Cy/Q eq 7)", []),
        ("CC/any(c:c/N.Cy/A eq 1)", [1]), ("CC/all(c:c/N.Cy/Q ne null)", [2, 5]),
    ])
    func castsItemsInsideOfALambda(_ filter: String, _ ids: [Int64]) async throws {
        let (_, provider) = try await opened()
        let found = try await provider.executeQuery("Items?$filter=\(filter)&$orderby=ID")
        #expect(found.compactMap { $0["ID"]?.integerValue } == ids)
    }

    @Test(arguments: [400, 406, 412, 500, 501])
    func asksAgainWithoutTheDeltaPreference(_ status: Int) async throws {
        let service = try RecordedService(metadata: Self.metadata)
        service.set("GET Items", HTTPResponse(status: status), RecordedService.json(Self.items))
        let provider = try await service.opened(["Items"])
        #expect(try await provider.executeQuery("Items").count == 5)
        let requests = service.log.filter { $0.url.hasSuffix("Items") }
        #expect(requests.map { $0.headers["Prefer"] } == ["odata.track-changes", nil])
    }

    @Test(arguments: [403, 501])
    func failsWhereItIsRefusedWithoutThePreferenceToo(_ status: Int) async throws {
        let service = try RecordedService(metadata: Self.metadata)
        service.set("GET Items", HTTPResponse(status: status))
        let error = await #expect(throws: OfflineODataError.self) {
            _ = try await service.opened(["Items"])
        }
        #expect(error?.httpStatus == status)
        let count = service.log.count { $0.url.hasSuffix("Items") }
        #expect(count == (status == 403 ? 1 : 2))
    }

    @Test(arguments: [
        "Items/$count", "Items/$count?$filter=ID gt 1", "Items(1)/$value", "Items/$ref",
        "$metadata",
        "Items?$apply=aggregate(P with sum as T)", "Items?$apply=filter(ID gt 1)/groupby((S))",
        "Items?$apply=groupby((S),aggregate($count as N))", "Items?%24apply=groupby((S))",
    ])
    func refusesQueriesThatBringNoEntities(_ query: String) async throws {
        let (_, provider) = try await opened()
        let error = #expect(throws: OfflineODataError.self) {
            try provider.add(definingQuery: OfflineODataDefiningQuery(name: "Q", query: query))
        }
        #expect(error?.category == .invalidInput)
        #expect(try await provider.definingQueries().count == 1)
    }

    @Test func takesTransformationsThatKeepEntities() async throws {
        let (_, provider) = try await opened()
        let query = "Items?$apply=filter(ID gt 1)/top(2)"
        try provider.add(definingQuery: OfflineODataDefiningQuery(name: "Q", query: query))
        #expect(try await provider.definingQueries().count == 2)
    }
}
