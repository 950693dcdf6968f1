import ODataHTTP
import Testing

/// Dynamic properties on their own (OData JSON 4.01 §§ 4.6.3, 11).
@Suite struct DynamicPropertyReadTests {
    private static let metadata = """
        <edmx:Edmx Version="4.0" xmlns:edmx="http://docs.oasis-open.org/odata/ns/edmx"><edmx:DataServices>
        <Schema Namespace="S" xmlns="http://docs.oasis-open.org/odata/ns/edm">
        <ComplexType Name="Base"><Property Name="City" Type="Edm.String"/></ComplexType>
        <ComplexType Name="Place" BaseType="S.Base"/>
        <EntityType Name="Person" OpenType="true"><Key><PropertyRef Name="ID"/></Key>
        <Property Name="ID" Type="Edm.Int32" Nullable="false"/><Property Name="Since" Type="Edm.Date"/></EntityType>
        <EntityContainer Name="C"><EntitySet Name="People" EntityType="S.Person"/></EntityContainer>
        </Schema></edmx:DataServices></edmx:Edmx>
        """

    private static let person = ##"""
        {"ID":1,"Since":"2020-01-01","Born@odata.type":"#Date","Born":"1815-12-10","Nick":"Ada",
        "Days@odata.type":"#Collection(Date)","Days":["2024-02-29"]}
        """##

    /// OData 4.01 Part 1 § 11.4.9.2.
    @Test(arguments: [("Zed", 204), ("Zed/$value", 204), ("Nick", 200), ("Nick/Zed", 404)])
    func areNullWhereTheyAreMissing(property: String, status: Int) async throws {
        let service = try await TestService(metadata: Array(Self.metadata.utf8))
        #expect(await service.send("POST", "People", [:], Self.person).status == 201)
        let response = await service.get("People(1)/" + property)
        #expect(response.status == status, "\(response.text)")
    }

    @Test(arguments: [
        ("Born", "", ##""@odata.type":"#Date","value":"1815-12-10"}"##),
        ("Days", "", ##""@odata.type":"#Collection(Date)","value":["2024-02-29"]}"##),
        ("Born", "full", ##""@odata.type":"#Date","value":"1815-12-10"}"##),
        ("Born", "none", #"{"value":"1815-12-10"}"#),
        // JSON says what these are, or the metadata.
        ("Nick", "", #"/Nick","value":"Ada"}"#), ("Since", "", #"/Since","value":"2020-01-01"}"#),
        ("Born/$value", "", "1815-12-10"),
    ])
    func stateTheirTypes(property: String, metadata: String, end: String) async throws {
        let service = try await TestService(metadata: Array(Self.metadata.utf8))
        #expect(await service.send("POST", "People", [:], Self.person).status == 201)
        let accept = "application/json" + (metadata.isEmpty ? "" : ";odata.metadata=" + metadata)
        let headers: HTTPHeaders = property.hasSuffix("$value") ? [:] : ["Accept": accept]
        let response = await service.get("People(1)/" + property, headers)
        #expect(response.text.hasSuffix(end), "\(response.text)")
    }

    private func service() async throws -> TestService {
        let service = try await TestService(metadata: Array(Self.metadata.utf8))
        #expect(await service.send("POST", "People", [:], Self.typed).status == 201)
        return service
    }

    private static let typed = ##"""
        {"ID":1,"When@odata.type":"#DateTimeOffset","When":"2020-02-03T04:05:06+01:00","Born@odata.type":"#Date",
        "Born":"1815-12-10","Long@odata.type":"#Duration","Long":"PT90S","Rate":1.5,"At@odata.type":"#TimeOfDay","At":"07:08:09"}
        """##

    @Test(arguments: [
        "year(When) eq 2020", "month(Born) eq 12", "day(Born) eq 10", "hour(When) eq 4",
        "minute(At) eq 8",
        "totaloffsetminutes(When) eq 60", "date(When) eq 2020-02-03", "totalseconds(Long) eq 90",
        "floor(Rate) eq 1", "ceiling(Rate) eq 2", "round(Rate) eq 2",
    ])
    func areArgumentsOfFunctions(_ filter: String) async throws {
        let response = await (try service()).get("People/$count?$filter=" + filter.percentEncoded)
        #expect(response.text.hasSuffix("1"), "\(response.text)")
    }

    @Test(arguments: [
        (##"{"D@odata.type":"#Date","D":"bad"}"##, "D is no Edm.Date"),
        (
            ##"{"D@odata.type":"#Nope.X","D":"bad"}"##,
            "D states the type Nope.X, which the model does not have"
        ),
        (##"{"D@odata.type":"#Int32","D":"abc"}"##, "D is no Edm.Int32"),
        (##"{"D@odata.type":"#Collection(Int32)","D":[1,"x"]}"##, "D[1] is no Edm.Int32"),
        (#"{"D":1e400}"#, "D is out of range"), (#"{"a b":1}"#, "'a b' is no name of a property"),
        (#"{"":1}"#, "'' is no name of a property"),
    ])
    func areOfTheTypesThatTheyState(_ body: String, _ message: String) async throws {
        let service = try await service()
        let response = await service.send("PATCH", "People(1)", [:], body)
        #expect(response.status == 400)
        #expect(response.text.contains(message), "\(response.text)")
    }

    /// A type is stated, or it is one that JSON says.
    @Test(arguments: [
        ("isof(Born,Edm.Date)", 1), ("isof(When,Edm.DateTimeOffset)", 1),
        ("isof(Born,Edm.String)", 0),
        ("isof(Rate,Edm.Double)", 1), ("isof(Rate,Edm.Int32)", 0), ("isof(Zed,Edm.String)", 0),
        ("not isof(Zed,Edm.String)", 1), ("isof(Nick,Edm.String)", 1), ("isof(Is,Edm.Boolean)", 1),
        ("isof(Home,S.Base)", 1), ("isof(Home,S.Place)", 1), ("isof(Nick,S.Base)", 0),
        ("isof(Home/City,Edm.String)", 1),
    ])
    func areOfTypes(_ filter: String, _ count: Int) async throws {
        let service = try await service()
        let more = ##"{"Nick":"Ada","Is":true,"Home":{"@odata.type":"#S.Place","City":"c"}}"##
        #expect(await service.send("PATCH", "People(1)", [:], more).status == 204)
        let response = await service.get("People/$count?$filter=" + filter.percentEncoded)
        #expect(response.text.hasSuffix("\(count)"), "\(response.text)")
    }

    /// OData JSON 4.01 § 3.2.
    @Test(arguments: [
        ("true", ##""Big":"9007199254740993","Cost@odata.type":"#Decimal","Cost":"1.10"}"##),
        ("false", ##""Big":9007199254740993,"Cost@odata.type":"#Decimal","Cost":1.10}"##),
    ])
    func areStringsForClientsThatReadNumbersAsDoubles(_ isAsked: String, _ end: String) async throws
    {
        let service = try await TestService(metadata: Array(Self.metadata.utf8))
        let body =
            ##"{"ID":1,"Big@odata.type":"#Int64","Big":"9007199254740993","Cost@odata.type":"#Decimal","Cost":1.10}"##
        #expect(await service.send("POST", "People", [:], body).status == 201)
        let accept = "application/json;IEEE754Compatible=\(isAsked)"
        let response = await service.get("People(1)", ["Accept": accept])
        #expect(response.text.hasSuffix(end), "\(response.text)")
        let found = await service.get("People/$count?$filter=Big%20eq%209007199254740993")
        #expect(found.text.hasSuffix("1"))
    }

    @Test(arguments: [
        ("$apply=groupby((When))", #""When":"2020-02-03T04:05:06+01:00"}]}"#),
        ("$apply=groupby((Rate))", #""Rate":1.5}]}"#),
        ("$apply=aggregate(Born with max as Last)", #""Last":"1815-12-10"}]}"#),
        ("$compute=Born as Day&$select=Day", #""Day":"1815-12-10"}]}"#),
    ])
    func areJSONWhereTheyAreGroupedAndComputed(_ query: String, _ end: String) async throws {
        let response = await (try service()).get("People?" + query.replacing(" ", with: "%20"))
        #expect(response.status == 200)
        #expect(response.text.hasSuffix(end), "\(response.text)")
    }

    /// OData JSON 4.01 § 11.
    @Test func keepTheTypeThatAChangeOfTheOneValueStates() async throws {
        let service = try await service()
        let body = ##"{"@odata.type":"#Date","value":"2021-05-06"}"##
        #expect(await service.send("PUT", "People(1)/Day", [:], body).status == 204)
        let text = await service.get("People(1)").text
        #expect(text.contains(##""Day@odata.type":"#Date","Day":"2021-05-06""##), "\(text)")
        let bad = ##"{"@odata.type":"#Date","value":"garbage"}"##
        #expect(await service.send("PUT", "People(1)/Day", [:], bad).status == 400)
    }
}
