import ODataHTTP
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

    /// Lists, short and long, and what they do with values of which digits are cut off.
    @Test(arguments: [
        ("P in (12)", [2]), ("P in (12,12.34)", [1, 2]), ("P in (-13,13)", [4]),
        ("P in (-12.5,null)", [3, 5]), ("not (P in (12))", [1, 3, 4, 5]),
        ("P in (12,101,102,103,104,105,106,107,108,109,110,111,112,113,114,115,116)", [2]),
        ("R in (12.34,12.35)", [1, 4]), ("R in (12.345)", [2]),
    ])
    func findsDecimalsBeyondTheirScaleInLists(_ filter: String, _ ids: [Int64]) async throws {
        let (_, provider) = try await opened()
        let found = try await provider.executeQuery("Items?$filter=\(filter)&$orderby=ID")
        #expect(found.compactMap { $0["ID"]?.integerValue } == ids)
    }

    private static let ordered = """
        {"value":[{"ID":1,"P":12.9,"R":12.50},{"ID":2,"P":12.1,"R":12.5},{"ID":3,"P":12,"R":12.509},
        {"ID":4,"P":12.5,"R":12.501},{"ID":5,"P":12.50,"R":12.5},{"ID":6,"P":null,"R":null}]}
        """

    @Test(arguments: [
        ("$orderby=P,ID", [6, 3, 2, 4, 5, 1]), ("$orderby=P desc,ID desc", [1, 5, 4, 2, 3, 6]),
        ("$orderby=R,ID", [6, 1, 2, 5, 4, 3]), ("$orderby=R desc,ID desc", [3, 4, 5, 2, 1, 6]),
        ("$apply=orderby(P,ID)", [6, 3, 2, 4, 5, 1]), ("$apply=topcount(1,R)", [3]),
        ("$orderby=P,ID&$skip=2&$top=2", [2, 4]),
    ])
    func ordersDecimalsBeyondTheirScale(_ options: String, _ ids: [Int64]) async throws {
        let service = try RecordedService(metadata: Self.metadata)
        service.set("GET Items", RecordedService.json(Self.ordered))
        let provider = try await service.opened(["Items"])
        let found = try await provider.executeQuery("Items?" + options)
        #expect(found.compactMap { $0["ID"]?.integerValue } == ids)
    }

    @Test(arguments: [
        ("groupby((R),aggregate($count as N))&$orderby=N,R", "null:1 12.501:1 12.509:1 12.5:3"),
        (
            "groupby((P),aggregate($count as N))&$orderby=N desc,P",
            "12.5:2 null:1 12:1 12.1:1 12.9:1"
        ),
        ("aggregate(R with max as V,R with countdistinct as N)", "12.509:3"),
        ("aggregate(P with min as V,P with countdistinct as N)", "12:4"),
        ("aggregate(R with sum as V,$count as N)", "62.51:6"),
    ])
    func groupsDecimalsBeyondTheirScale(_ apply: String, _ groups: String) async throws {
        let service = try RecordedService(metadata: Self.metadata)
        service.set("GET Items", RecordedService.json(Self.ordered))
        let provider = try await service.opened(["Items"])
        let answer = await provider.respond(
            to: HTTPRequest(method: "GET", url: "Items?$apply=" + apply)
        )
        let body = String(decoding: answer.body, as: UTF8.self)
        let found = body.split(separator: "{").dropFirst().map { group in
            let members = group.split(whereSeparator: { ",}]".contains($0) }).filter {
                $0.contains(":")
            }
            func value(_ names: [String]) -> String {
                members.first { member in names.contains { member.hasPrefix("\"\($0)\":") } }?
                    .split(separator: ":").last.map(String.init) ?? ""
            }
            return value(["R", "P", "V"]) + ":" + value(["N"])
        }
        #expect(found.joined(separator: " ") == groups, "\(body)")
    }

    @Test func tellsOfValuesBeyondTheirFacets() async throws {
        let service = try RecordedService(metadata: Self.metadata)
        service.set(
            "GET Items",
            RecordedService.json(#"{"value":[{"ID":1,"P":1,"R":1.10,"S":"äö"}]}"#)
        )
        let provider = try await service.opened(["Items"])
        service.set("GET Items", RecordedService.json(Self.items))
        let remarks = try await provider.download().queries[0].remarks
        #expect(
            remarks == [
                "values of P, R, S are beyond the MaxLength, Precision or Scale that the metadata declares: they are kept as they came"
            ]
        )
        #expect(service.requests.count { $0 == "GET $metadata" } == 2)
        service.set("GET Items", RecordedService.json(#"{"value":[{"ID":1,"P":1e9}]}"#))
        #expect(try await provider.download().queries[0].remarks.count == 2)
    }

    // MARK: Keys

    private static func keyed(_ type: String) -> String {
        metadata.replacing(
            #"<Property Name="ID" Type="Edm.Int32" Nullable="false"/>"#,
            with: "<Property Name=\"ID\" \(type) Nullable=\"false\"/>"
        )
    }

    /// Two keys that the store could not tell apart would make one entity of two.
    @Test(arguments: [
        (#"Type="Edm.DateTimeOffset" Precision="12""#, #""2024-01-01T00:00:00.12345671Z""#),
        (#"Type="Edm.TimeOfDay" Precision="12""#, #""12:00:00.12345671""#),
        (#"Type="Edm.Duration" Precision="12""#, #""PT1.12345671S""#),
        (#"Type="Edm.Decimal" Precision="9" Scale="2""#, "1.005"),
    ])
    func refusesKeysFinerThanItKeeps(_ type: String, _ key: String) async throws {
        let service = try RecordedService(metadata: Self.keyed(type))
        service.set("GET Items", RecordedService.json("{\"value\":[{\"ID\":\(key)}]}"))
        await #expect {
            _ = try await service.opened(["Items"])
        } throws: {
            ($0 as? OfflineODataError)?.message.contains("key") == true
        }
    }

    @Test(arguments: [
        (#"Type="Edm.DateTimeOffset" Precision="12""#, #""2024-01-01T02:00:00.12345670+02:00""#),
        (#"Type="Edm.Decimal" Precision="9" Scale="2""#, "1.50"),
        (#"Type="Edm.Decimal" Precision="30" Scale="variable""#, "1.00500000000000000000001"),
    ])
    func takesKeysThatItKeeps(_ type: String, _ key: String) async throws {
        let service = try RecordedService(metadata: Self.keyed(type))
        service.set("GET Items", RecordedService.json("{\"value\":[{\"ID\":\(key)}]}"))
        #expect(try await service.opened(["Items"]).executeQuery("Items").count == 1)
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

    /// What was refused once is not asked for again, not by the next opening either, but when everything is read anew on demand.
    @Test(arguments: [(400, 0), (501, 0), (500, 1)])
    func remembersThatChangesAreNotTracked(_ status: Int, _ count: Int) async throws {
        let service = try RecordedService(metadata: Self.metadata)
        service.set("GET Items", HTTPResponse(status: status), RecordedService.json(Self.items))
        let provider = try await service.opened(["Items"])
        try await provider.close()
        service.clearLog()
        let again = try service.provider()
        try await again.open()
        try await again.download()
        #expect(service.log.count { $0.headers["Prefer"] != nil } == count)
        service.clearLog()
        try await again.download(withSubset: nil, isFull: true)
        #expect(service.log.count { $0.headers["Prefer"] != nil } == 1)
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
