import ODataHTTP
import Testing

/// Paths to and below dynamic values, and changes of them (OData 4.01 Part 1 §§ 11.2.4, 11.4.9).
@Suite struct DynamicPathTests {
    private static let metadata = """
        <edmx:Edmx Version="4.01" xmlns:edmx="http://docs.oasis-open.org/odata/ns/edmx"><edmx:DataServices>
        <Schema Namespace="S" xmlns="http://docs.oasis-open.org/odata/ns/edm">
        <ComplexType Name="Addr"><Property Name="City" Type="Edm.String"/></ComplexType>
        <ComplexType Name="Bag" OpenType="true"><Property Name="A" Type="Edm.String"/></ComplexType>
        <EntityType Name="Open" OpenType="true"><Key><PropertyRef Name="ID"/></Key>
        <Property Name="ID" Type="Edm.Int32" Nullable="false"/><Property Name="Bag" Type="S.Bag"/></EntityType>
        <EntityContainer Name="C"><EntitySet Name="Opens" EntityType="S.Open"/></EntityContainer>
        </Schema></edmx:DataServices></edmx:Edmx>
        """
    private static let opens = ##"""
        [{"ID":1,"N":5,"T":"x","B":true,"Day@odata.type":"#Date","Day":"2020-01-02","L@odata.type":"#Int64","L":7,
        "Cx":{"City":"Bern","Zip":3,"In":{"P":1,"Q":2},"On@odata.type":"#Date","On":"2020-01-01"},
        "Ad@odata.type":"#S.Addr","Ad":{"City":"Ulm"},"Tags@odata.type":"#Collection(String)","Tags":["a"],
        "Free":[1,2],"Objects":[{"X":1}],"Bag":{"A":"a","Dy":{"X":4,"Y":5}}},{"ID":2}]
        """##

    private func service() async throws -> TestService {
        try await TestService(
            metadata: Array(Self.metadata.utf8),
            data: [("Opens", Array(Self.opens.utf8))]
        )
    }

    private static let reads: [(url: String, status: Int, end: String)] = [
        ("Opens(1)/Cx/City", 200, #""value":"Bern"}"#), ("Opens(1)/Cx/City/$value", 200, "Bern"),
        ("Opens(1)/Cx/In/P", 200, #""value":1}"#), ("Opens(1)/Cx/In", 200, #""P":1,"Q":2}"#),
        ("Opens(1)/Cx/On", 200, ##""@odata.type":"#Date","value":"2020-01-01"}"##),
        ("Opens(1)/Bag/Dy/X", 200, #""value":4}"#), ("Opens(1)/Cx/Nope", 204, ""),
        ("Opens(2)/Cx/City", 204, ""), ("Opens(1)/T/City", 404, ""),
        ("Opens(1)/Tags/$count", 200, "1"), ("Opens(1)/Free/$count", 200, "2"),
        ("Opens?$filter=Tags/any(t:t eq 'a')", 501, ""),
        ("Opens?$filter=Tags/$count eq 1", 501, ""),
        ("Opens(1)/T/$count", 404, ""), ("Opens(1)/Cx/City/$ref", 400, ""),
        ("Opens(1)/Ad", 200, ##""@odata.type":"#S.Addr","City":"Ulm"}"##),
        ("Opens(1)?$select=Cx/City", 200, #""Cx":{"City":"Bern"}}"#),
        ("Opens(1)?$select=Cx/In/P,Cx/Zip", 200, #""Cx":{"Zip":3,"In":{"P":1}}}"#),
        ("Opens(1)?$select=Cx/City,N", 200, #""N":5,"Cx":{"City":"Bern"}}"#),
        ("Opens(1)?$select=Objects/Y", 200, #""Objects":[{}]}"#),
        ("Opens(1)?$select=Cx/On", 200, ##""Cx":{"On@odata.type":"#Date","On":"2020-01-01"}}"##),
    ]

    @Test(arguments: reads)
    func answersReadsOfDynamicPaths(url: String, status: Int, end: String) async throws {
        let response = await (try service()).get(url)
        #expect(response.status == status, "\(response.text)")
        if status == 200 { #expect(response.text.hasSuffix(end), "\(response.text)") }
    }

    private static let changes:
        [(method: String, url: String, body: String, read: String, part: String)] = [
            (
                "PUT", "Cx/City", #"{"value":"Chur"}"#, "Cx",
                #""City":"Chur","Zip":3,"In":{"P":1,"Q":2}"#
            ),
            ("PUT", "Cx/In/P", #"{"value":9}"#, "Cx/In", #""P":9,"Q":2}"#),
            ("PUT", "Cx/On", #"{"value":"soon"}"#, "Cx", #""In":{"P":1,"Q":2},"On":"soon"}"#),
            (
                "PUT", "Cx/On", ##"{"@odata.type":"#Date","value":"2021-01-01"}"##, "Cx",
                ##""On@odata.type":"#Date","On":"2021-01-01"}"##
            ),
            ("DELETE", "Cx/City", "", "Cx", #"Opens(1)/Cx","Zip":3"#),
            ("PUT", "Cx", #"{"X":1,"In":{"P":3}}"#, "Cx", #"Opens(1)/Cx","In":{"P":3},"X":1}"#),
            ("PATCH", "Cx", #"{"Zip":4}"#, "Cx", #""City":"Bern","Zip":4,"In":{"P":1,"Q":2}"#),
            ("PUT", "Bag/Dy/X", #"{"value":7}"#, "Bag/Dy", #""X":7,"Y":5}"#),
            (
                "POST", "Tags", #"{"value":"b"}"#, "Tags",
                ##""@odata.type":"#Collection(String)","value":["a","b"]}"##
            ),
            ("POST", "Free", #"{"value":3}"#, "Free", #""value":[1,2,3]}"#),
            ("POST", "Objects", #"{"X":2}"#, "Objects", #""value":[{"X":1},{"X":2}]}"#),
            (
                "PUT", "Day/$value", "2021-01-01", "Day",
                ##""@odata.type":"#Date","value":"2021-01-01"}"##
            ),
            ("PUT", "Day/$value", "soon", "Day", #"Opens(1)/Day","value":"soon"}"#),
            ("PUT", "L/$value", "8", "L", ##""@odata.type":"#Int64","value":8}"##),
            ("PUT", "N/$value", "6", "N", #""value":6}"#),
            ("PUT", "N/$value", "six", "N", #""value":"six"}"#),
            ("PUT", "B/$value", "false", "B", #""value":false}"#),
            ("PUT", "T/$value", "7", "T", #""value":"7"}"#),
            ("PUT", "New/$value", "7", "New", #""value":"7"}"#),
        ]

    @Test(arguments: changes)
    func changesValuesAtDynamicPaths(
        method: String,
        url: String,
        body: String,
        read: String,
        part: String
    ) async throws {
        let service = try await service()
        let type = url.hasSuffix("$value") ? "text/plain" : "application/json"
        let sent = body.isEmpty ? nil : body
        let headers: HTTPHeaders = ["Content-Type": type]
        let response = await service.send(method, "Opens(1)/" + url, headers, sent)
        #expect(response.status == 204, "\(response.text)")
        let text = await service.get("Opens(1)/" + read).text
        #expect(text.contains(part), "\(text)")
    }

    @Test func refusesItemsOfOtherTypes() async throws {
        let service = try await service()
        #expect(await service.send("POST", "Opens(1)/Tags", [:], #"{"value":5}"#).status == 400)
        #expect(await service.send("POST", "Opens(1)/T", [:], #"{"value":"y"}"#).status == 405)
    }
}
