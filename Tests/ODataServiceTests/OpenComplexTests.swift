import ODataHTTP
import Testing

/// Complex values with undeclared members, and of derived types (OData 4.01 Part 1 § 11.4.3, Part 2 § 5.1.1).
@Suite struct OpenComplexTests {
    private static let metadata = """
        <edmx:Edmx Version="4.01" xmlns:edmx="http://docs.oasis-open.org/odata/ns/edmx"><edmx:DataServices>
        <Schema Namespace="S" Alias="A" xmlns="http://docs.oasis-open.org/odata/ns/edm">
        <ComplexType Name="Inner" OpenType="true"><Property Name="N" Type="Edm.Int32"/></ComplexType>
        <ComplexType Name="Bag" OpenType="true"><Property Name="A" Type="Edm.String" Nullable="false"/>
        <Property Name="B" Type="Edm.Int32"/><Property Name="In" Type="S.Inner"/></ComplexType>
        <ComplexType Name="Addr"><Property Name="City" Type="Edm.String"/><Property Name="Zip" Type="Edm.String"/></ComplexType>
        <ComplexType Name="Work" BaseType="S.Addr"><Property Name="Floor" Type="Edm.Int32"/></ComplexType>
        <EntityType Name="Thing"><Key><PropertyRef Name="ID"/></Key>
        <Property Name="ID" Type="Edm.Int32" Nullable="false"/><Property Name="Bag" Type="S.Bag"/>
        <Property Name="Addr" Type="S.Addr"/></EntityType>
        <EntityContainer Name="C"><EntitySet Name="Things" EntityType="S.Thing"/></EntityContainer>
        </Schema></edmx:DataServices></edmx:Edmx>
        """
    private static let things = ##"""
        [{"ID":1,"Bag":{"A":"a","B":2,"In":{"N":3,"Odd":4},"Zed":1,"Text":"x"},
        "Addr":{"@odata.type":"#S.Work","City":"c","Zip":"z","Floor":5}},
        {"ID":2,"Bag":{"A":"b","Zed":2}},{"ID":3,"Bag":{"A":"c"}},{"ID":4}]
        """##

    private func service() async throws -> TestService {
        try await TestService(
            metadata: Array(Self.metadata.utf8),
            data: [("Things", Array(Self.things.utf8))]
        )
    }

    @Test(arguments: [
        ("PATCH", "Things(1)", #"{"Bag":{"B":7}}"#, ##""B":7,"In":{"N":3,"Odd":4},"Zed":1"##),
        (
            "PATCH", "Things(1)", #"{"Bag":{"Zed":null,"B":null,"New":8}}"#,
            ##"{"A":"a","B":null,"In":{"N":3,"Odd":4},"Text":"x","New":8}"##
        ),
        ("PATCH", "Things(1)", #"{"Bag":{"In":{"N":9}}}"#, ##""In":{"N":9,"Odd":4},"Zed":1"##),
        ("PATCH", "Things(1)/Bag", #"{"B":7}"#, ##""B":7,"In":{"N":3,"Odd":4},"Zed":1"##),
        ("PUT", "Things(1)/Bag/B", #"{"value":7}"#, ##""B":7,"In":{"N":3,"Odd":4},"Zed":1"##),
        ("PATCH", "Things(1)/Bag/In", #"{"N":9}"#, ##""In":{"N":9,"Odd":4},"Zed":1"##),
        ("PUT", "Things(1)/Bag/In", #"{"N":9}"#, ##""In":{"N":9},"Zed":1"##),
        ("PUT", "Things(1)/Bag", #"{"A":"n"}"#, ##""Bag":{"A":"n""##),
        ("PUT", "Things(1)", #"{"Bag":{"A":"n"}}"#, ##""Bag":{"A":"n""##),
        (
            "PATCH", "Things(4)", #"{"Bag":{"A":"n","Zed":3}}"#,
            ##""Bag":{"A":"n","B":null,"In":null,"Zed":3}"##
        ),
        ("PATCH", "Things(1)", #"{"Addr":{"Zip":"y"}}"#, ##""City":"c","Zip":"y","Floor":5"##),
        (
            "PATCH", "Things(1)", ##"{"Addr":{"@odata.type":"#S.Addr","Zip":"y"}}"##,
            ##"S.Addr","City":"c","Zip":"y"}"##
        ),
    ])
    func keepsMembersThatARequestDoesNotName(
        _ method: String,
        _ url: String,
        _ body: String,
        _ part: String
    ) async throws {
        let service = try await service()
        let response = await service.send(method, url, [:], body)
        #expect(response.status == 204, "\(response.text)")
        let entity = await service.get(String(url.prefix(9)))
        #expect(entity.text.contains(part), "\(entity.text)")
    }

    @Test(arguments: [
        ("Bag/Zed eq 1", [1]), ("Bag/Zed ge 1", [1, 2]), ("Bag/Zed eq null", [3, 4]),
        ("Bag/Text eq 'x'", [1]), ("Bag/In/Odd add 1 eq 5", [1]), ("contains(Bag/Text,'x')", [1]),
    ])
    func filtersByUndeclaredMembers(_ filter: String, _ ids: [Int]) async throws {
        let response = await (try service())
            .get("Things?$select=ID&$filter=" + filter.percentEncoded)
        #expect(response.status == 200)
        let found = (1...4).filter { response.text.contains("\"ID\":\($0)}") }
        #expect(found == ids, "\(response.text)")
    }

    @Test(arguments: [
        ("Bag/B", ##""Bag":{"B":2}}"##), ("Bag/In/Odd", ##""Bag":{"In":{"Odd":4}}}"##),
        ("Bag($select=A,Zed)", ##""Bag":{"A":"a","Zed":1}}"##),
        ("Bag/In,Bag/In/N", ##""Bag":{"In":{"N":3,"Odd":4}}}"##),
        ("Addr/S.Work/Floor", ##""Addr":{"@odata.type":"#S.Work","Floor":5}}"##),
        ("Addr,Addr/Zip", ##""Addr":{"@odata.type":"#S.Work","City":"c","Zip":"z","Floor":5}}"##),
    ])
    func answersTheMembersThatAreSelected(_ select: String, _ part: String) async throws {
        let response = await (try service()).get("Things(1)?$select=" + select.percentEncoded)
        #expect(response.status == 200)
        #expect(response.text.hasSuffix(part), "\(response.text)")
    }

    @Test func ordersByUndeclaredMembers() async throws {
        let url = "Things?$select=ID&$orderby=Bag/Zed%20desc&$top=2"
        let response = await (try service()).get(url, ["Accept": "application/json;metadata=none"])
        #expect(response.text.hasSuffix(#"[{"ID":2},{"ID":1}]}"#), "\(response.text)")
    }

    /// OData 4.0 knows no `@type`, and an alias is found by nobody who compares names.
    @Test(arguments: [
        "@type\":\"#S.Work", "@odata.type\":\"#A.Work",
        "@type\":\"http://other.test/$metadata#A.Work",
    ])
    func spellsTypesInComplexValuesInOneWay(_ type: String) async throws {
        let service = try await service()
        let body = #"{"ID":9,"Addr":{""# + type + #"","Floor":9}}"#
        #expect(await service.send("POST", "Things", [:], body).status == 201)
        let text = await service.get("Things(9)/Addr", ["OData-MaxVersion": "4.0"]).text
        #expect(text.contains(##""@odata.type":"#S.Work""##), "\(text)")
        let found = await service.get("Things/$count?$filter=Addr/S.Work/Floor%20eq%209")
        #expect(found.text.hasSuffix("1"))
    }

    @Test func spellsTypesOfDynamicMembersInOneWay() async throws {
        let service = try await service()
        let body = ##"{"Bag":{"Day@type":"Date","Day":"2020-01-01"}}"##
        #expect(await service.send("PATCH", "Things(2)", [:], body).status == 204)
        let text = await service.get("Things(2)").text
        #expect(text.contains(##""Day@odata.type":"#Date","Day":"2020-01-01""##), "\(text)")
    }

    /// Undeclared members are checked as those of entities are.
    @Test(arguments: [
        (#"{"A":"a","a b":1}"#, "Bag: 'a b' is no name of a property"),
        (#"{"A":"a","In":{"":1}}"#, "Bag/In: '' is no name of a property"),
        (##"{"A":"a","D@odata.type":"#Date","D":"bad"}"##, "Bag/D is no Edm.Date"),
        (##"{"A":"a","D@type":"#Nope.X","D":"bad"}"##, "Bag/D states the type Nope.X"),
        (#"{"A":"a","D":1e400}"#, "Bag/D is out of range"),
    ])
    func refusesUndeclaredMembers(_ bag: String, _ message: String) async throws {
        let service = try await service()
        for (method, url, body) in [
            ("POST", "Things", "{\"ID\":9,\"Bag\":\(bag)}"),
            ("PATCH", "Things(1)", "{\"Bag\":\(bag)}"), ("PUT", "Things(1)/Bag", bag),
        ] {
            let response = await service.send(method, url, [:], body)
            #expect(response.status == 400, "\(response.text)")
            #expect(response.text.contains(message), "\(response.text)")
        }
    }

    /// OData JSON 4.01 § 20: what is not understood is ignored.
    @Test(arguments: [
        ("Bag", #"{"@my.note":{"x":1},"A":"a","A@my.note":1,"Zed":"a@b.c","Zed@my.note":2}"#),
        ("Bag", #"{"A":"a","In":{"N":1,"N@my.note":1},"Zed":{"Y@my.note":1,"Y":2}}"#),
        ("Addr", ##"{"@odata.type":"#S.Work","Floor":1,"Floor@my.note":[1]}"##),
    ])
    func ignoresAnnotationsOfOthers(_ name: String, _ value: String) async throws {
        let service = try await service()
        let body = "{\"ID\":9,\"\(name)\":\(value)}"
        #expect(await service.send("POST", "Things", [:], body).status == 201)
        #expect(
            await service.send("PATCH", "Things(1)", [:], "{\"\(name)\":\(value)}").status == 204
        )
        for url in ["Things(9)", "Things(1)"] {
            let text = await service.get(url).text
            #expect(!text.contains("my.note"), "\(text)")
            if value.contains("a@b.c") { #expect(text.contains(#""Zed":"a@b.c""#)) }
        }
    }
}
