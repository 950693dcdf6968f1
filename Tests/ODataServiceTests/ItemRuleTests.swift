import ODataHTTP
import Testing

@testable import ODataAnswers

/// Values inside of collections are checked as those of properties are, and so are members of enumerations, types and relations.
@Suite struct ItemRuleTests {
    private static let metadata = """
        <edmx:Edmx Version="4.0" xmlns:edmx="http://docs.oasis-open.org/odata/ns/edmx"><edmx:DataServices>
        <Schema Namespace="N" xmlns="http://docs.oasis-open.org/odata/ns/edm">
        <EnumType Name="Color"><Member Name="Red" Value="1"/><Member Name="Blue" Value="2"/></EnumType>
        <EnumType Name="Days" IsFlags="true"><Member Name="Mon" Value="1"/><Member Name="Tue" Value="2"/></EnumType>
        <ComplexType Name="C"><Property Name="X" Type="Edm.Int32" Nullable="false"/>
        <Property Name="Y" Type="Edm.String" MaxLength="3"/><Property Name="In" Type="Collection(N.C)" Nullable="false"/>
        <Property Name="P" Type="Edm.Decimal" Precision="4" Scale="2"/>
        <Property Name="F" Type="Edm.Decimal" Precision="4" Scale="floating"/></ComplexType>
        <ComplexType Name="Fit" Abstract="true"><Property Name="W" Type="Edm.Int32"/></ComplexType>
        <ComplexType Name="Tight" BaseType="N.Fit"/>
        <ComplexType Name="D" BaseType="N.C"><Property Name="Z" Type="Edm.Boolean"/></ComplexType>
        <EntityType Name="A"><Key><PropertyRef Name="ID"/></Key>
        <Property Name="ID" Type="Edm.Int32" Nullable="false"/><Property Name="Cs" Type="Collection(N.C)"/>
        <Property Name="Prices" Type="Collection(Edm.Decimal)" Precision="4" Scale="2" Nullable="false"/>
        <Property Name="Times" Type="Collection(Edm.DateTimeOffset)" Precision="0" Nullable="false"/>
        <Property Name="Numbers" Type="Collection(Edm.Int32)" Nullable="false"/>
        <Property Name="Place" Type="Edm.GeographyPoint"/><Property Name="Areas" Type="Collection(Edm.GeometryPolygon)" Nullable="false"/>
        <Property Name="Shape" Type="Edm.Geography"/><Property Name="Shapes" Type="Edm.GeometryCollection"/>
        <Property Name="Fit" Type="N.Fit"/><Property Name="Fits" Type="Collection(N.Fit)"/>
        <Property Name="Color" Type="N.Color"/><Property Name="Days" Type="N.Days"/>
        <NavigationProperty Name="One" Type="N.B" Nullable="false"/></EntityType>
        <EntityType Name="B"><Key><PropertyRef Name="ID"/></Key><Property Name="ID" Type="Edm.Int32" Nullable="false"/></EntityType>
        <EntityContainer Name="Co"><EntitySet Name="As" EntityType="N.A"><NavigationPropertyBinding Path="One" Target="Bs"/></EntitySet>
        <EntitySet Name="Bs" EntityType="N.B"/></EntityContainer></Schema></edmx:DataServices></edmx:Edmx>
        """

    private func service(_ data: String = #"{"ID":1}"#) async throws -> TestService {
        try await TestService(
            metadata: Array(Self.metadata.utf8),
            data: [("As", Array("[\(data)]".utf8)), ("Bs", Array(#"[{"ID":1}]"#.utf8))]
        )
    }

    static let wrong = [
        (#""Cs":[{"X":"1"}]"#, "Cs[0]/X is no Edm.Int32"),
        (#""Cs":[{"X":1,"Q":1}]"#, "N.C has no property 'Q'"),
        (#""Cs":[{}]"#, "Cs[0]/X is missing"),
        (#""Cs":[{"X":1},{"X":null}]"#, "Cs[1]/X cannot be null"),
        (#""Cs":[{"X":1,"Y":"abcd"}]"#, "Cs[0]/Y is longer than 3"),
        (#""Cs":[{"X":1099511627776}]"#, "Cs[0]/X is no Edm.Int32 or out of its range"),
        (#""Cs":[5]"#, "Cs[0] must be an object"),
        (#""Cs":[{"X":1,"Y":7}]"#, "Cs[0]/Y is no Edm.String"),
        (#""Cs":[{"X":true}]"#, "Cs[0]/X is no Edm.Int32"),
        (#""Cs":[{"X":1.5}]"#, "Cs[0]/X is no Edm.Int32"),
        (#""Cs":[{"X":1,"P":100}]"#, "Cs[0]/P has more than 2 digits before the point"),
        (#""Cs":[{"X":1,"F":1.2345}]"#, "Cs[0]/F has more than 4 digits"),
        (#""Cs":[{"X":1,"In":[{"X":2,"Y":"abcd"}]}]"#, "Cs[0]/In[0]/Y is longer than 3"),
        (#""Cs":[{"X":1,"In":null}]"#, "Cs[0]/In cannot be null"),
        (#""Cs":[{"X":1,"Z":true}]"#, "has no property 'Z'"),
        (#""Cs":[{"@odata.type":"N.B","X":1}]"#, "Cs[0] is of the type N.B, which is no N.C"),
        (
            #""Fits":[{"@odata.type":"N.Tight","W":1},{"W":1}]"#,
            "Fits[1] is of the abstract type N.Fit: name a derived type in @odata.type"
        ),
        (#""Fit":{"W":1}"#, "Fit is of the abstract type N.Fit"),
        (##""Fit":{"@odata.type":"#N.Fit","W":1}"##, "Fit is of the abstract type N.Fit"),
        (#""Prices":[1,1.234]"#, "Prices[1] has more than 2 digits behind the point"),
        (#""Times":["2020-01-01T00:00:00.5Z"]"#, "Times[0] has more than 0 digits of a second"),
        (#""Times":["soon"]"#, "Times[0] is no Edm.DateTimeOffset"),
        (#""Numbers":["1"]"#, "Numbers[0] is no Edm.Int32"),
        (#""Numbers":[null]"#, "Numbers[0] cannot be null"),
        (
            #""Place":{"type":"LineString","coordinates":[[1,2],[3,4]]}"#,
            "Place is a LineString, where a Point is expected"
        ),
        (#""Place":{"type":"Point","coordinates":["1",2]}"#, "Place is no Point of GeoJSON"),
        (#""Place":{"type":"Point","coordinates":[1]}"#, "Place is no Point of GeoJSON"),
        (#""Place":{"type":"Point"}"#, "Place is no Point of GeoJSON"),
        (#""Place":{"coordinates":[1,2]}"#, "Place must be an object of GeoJSON"),
        (#""Place":"POINT(1 2)""#, "Place must be an object of GeoJSON"),
        (
            #""Areas":[{"type":"Polygon","coordinates":[[1,2],[3,4]]}]"#,
            "Areas[0] is no Polygon of GeoJSON"
        ),
        (#""Shape":{"type":"Circle","coordinates":[1,2]}"#, "Shape is no shape of GeoJSON"),
        (
            #""Shapes":{"type":"GeometryCollection","geometries":[{"type":"Point","coordinates":1}]}"#,
            "Shapes is no GeometryCollection of GeoJSON"
        ),
        (#""Color":3"#, "Color has the value 3, which is no member of N.Color"),
        (#""Days":4"#, "Days has the value 4, which is no member of N.Days"),
        (#""One":null"#, "One cannot be null"),
        (#""@odata.type":"N.B""#, "N.B"),
    ]

    @Test(arguments: wrong)
    func refusesWrongValuesInABody(_ member: String, _ message: String) async throws {
        let service = try await service()
        for (method, url) in [("POST", "As"), ("PATCH", "As(1)")] {
            let body = method == "POST" ? "{\"ID\":2,\(member)}" : "{\(member)}"
            let answer = await service.send(method, url, [:], body)
            #expect(answer.status == 400, "\(method) \(answer.text)")
            #expect(answer.text.contains(message), "\(method) \(answer.text)")
        }
        #expect(await service.get("As/$count").text == "1")
    }

    @Test(arguments: wrong)
    func refusesWrongValuesInAFile(_ member: String, _ message: String) async throws {
        let error = await #expect(throws: (any Error).self) {
            _ = try await service("{\"ID\":1,\(member)}")
        }
        let text = "\(error.map { "\($0)" } ?? "")"
        #expect(text.contains(message), "\(text)")
    }

    /// The point may stand anywhere (OData CSDL 4.01 § 7.2.3).
    @Test(arguments: ["1e34", "1.5e-40", "1234e30", "0.001234", "12340000"])
    func aFloatingNumberHasAsManyDigitsAsMatter(_ number: String) async throws {
        let service = try await service()
        let answer = await service.send(
            "PATCH",
            "As(1)",
            [:],
            "{\"Cs\":[{\"X\":1,\"F\":\(number)}]}"
        )
        #expect(answer.isSuccess, "\(answer.text)")
    }

    @Test func refusesWrongItemsOfThePropertyAlone() async throws {
        let service = try await service()
        let answer = await service.send("PUT", "As(1)/Cs", [:], #"{"value":[{"X":"z"}]}"#)
        #expect(answer.status == 400)
        #expect(answer.text.contains("Cs[0]/X"), "\(answer.text)")
    }

    @Test(arguments: [
        #""Cs":[{"X":1.0,"Y":"abc","P":"1.5"},{"@odata.type":"N.D","X":-2,"Z":false,"In":[{"X":3}]}]"#,
        #""Fit":{"@odata.type":"N.Tight","W":1}"#, #""Fit":null"#,
        #""Cs":[]"#, #""Cs":[{"X":1,"Y@my.note":7}]"#, #""Prices":[1.50,"99.99"]"#,
        #""Numbers":[2147483647]"#,
        #""Color":"Blue""#, #""Color":2"#, #""Color":null"#, #""Days":3"#, #""Days":0"#,
        #""Days":"Mon,Tue""#, #""@odata.type":"N.A""#,
    ])
    func takesRightValues(_ member: String) async throws {
        let service = try await service()
        let new = "{\"ID\":2,\"One@odata.bind\":\"Bs(1)\",\(member)}"
        let created = await service.send("POST", "As", [:], new)
        #expect(created.status == 201, "\(created.text)")
        let changed = await service.send("PATCH", "As(1)", [:], "{\(member)}")
        #expect(changed.isSuccess, "\(changed.text)")
    }
}
