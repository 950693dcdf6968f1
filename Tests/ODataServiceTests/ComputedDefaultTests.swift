import ODataHTTP
import Testing

/// Properties for which the service finds a value where a client gives none (`Core.ComputedDefaultValue`).
@Suite struct ComputedDefaultTests {
    private static func property(_ name: String, _ type: String) -> String {
        """
        <Property Name="\(name)" Type="\(type)" Nullable="false">
        <Annotation Term="Org.OData.Core.V1.ComputedDefaultValue" Bool="true"/></Property>
        """
    }

    private static let metadata = """
        <edmx:Edmx Version="4.01" xmlns:edmx="http://docs.oasis-open.org/odata/ns/edmx"><edmx:DataServices>
        <Schema Namespace="S" xmlns="http://docs.oasis-open.org/odata/ns/edm">
        <EnumType Name="Size"><Member Name="Small" Value="1"/></EnumType>
        <EntityType Name="Thing"><Key><PropertyRef Name="ID"/></Key>
        <Property Name="ID" Type="Edm.Int32" Nullable="false"/><Property Name="Free" Type="Edm.String"/>
        \(property("Count", "Edm.Int32"))\(property("Text", "Edm.String"))\(property("Flag", "Edm.Boolean"))
        \(property("Price", "Edm.Decimal"))\(property("Size", "S.Size"))\(property("Born", "Edm.Date"))
        \(property("Code", "Edm.Guid"))</EntityType>
        <EntityType Name="Spot"><Key><PropertyRef Name="ID"/></Key>
        <Property Name="ID" Type="Edm.Int32" Nullable="false"/>\(property("At", "Edm.GeographyPoint"))</EntityType>
        <EntityContainer Name="C"><EntitySet Name="Things" EntityType="S.Thing"/>
        <EntitySet Name="Spots" EntityType="S.Spot"/></EntityContainer></Schema></edmx:DataServices></edmx:Edmx>
        """

    private static let plain = #""Count":0,"Text":"","Flag":false,"Price":0,"Size":"Small","Born""#

    private func service() async throws -> TestService {
        try await TestService(metadata: Array(Self.metadata.utf8))
    }

    @Test(arguments: [("POST", "Things"), ("PATCH", "Things(1)"), ("PUT", "Things(1)")])
    func fillsWhatACreationLeavesOut(_ method: String, _ url: String) async throws {
        let response = await (try service()).send(method, url, [:], #"{"ID":1}"#)
        #expect(response.status == 201)
        #expect(response.text.contains(Self.plain), "\(response.text)")
        #expect(!response.text.contains(#""Code":null"#))
    }

    @Test func keepsWhatIsGiven() async throws {
        let service = try await service()
        let body = #"{"ID":1,"Count":7}"#
        #expect(await service.send("POST", "Things", [:], body).status == 201)
        #expect(await service.get("Things(1)/Count/$value").text == "7")
    }

    @Test func resetsWhatAReplacementLeavesOut() async throws {
        let service = try await service()
        #expect(await service.send("POST", "Things", [:], #"{"ID":1,"Count":7}"#).status == 201)
        #expect(await service.send("PUT", "Things(1)", [:], #"{"Free":"x"}"#).status == 204)
        #expect(await service.get("Things(1)").text.contains(Self.plain))
    }

    @Test func refusesWhatHasNoPlainValue() async throws {
        let response = await (try service()).send("POST", "Spots", [:], #"{"ID":1}"#)
        #expect(response.status == 400)
        #expect(response.text.contains("At is missing"), "\(response.text)")
    }

    /// Values of what the service alone sets are ignored, inside of complex values, too (OData 4.01 Part 1 §§ 11.4.2, 11.4.3).
    @Test func ignoresComputedMembersOfComplexValues() async throws {
        let metadata = """
            <edmx:Edmx Version="4.0" xmlns:edmx="http://docs.oasis-open.org/odata/ns/edmx"><edmx:DataServices>
            <Schema Namespace="S" xmlns="http://docs.oasis-open.org/odata/ns/edm">
            <ComplexType Name="W"><Property Name="A" Type="Edm.Int32"/><Property Name="P" Type="Edm.String">
            <Annotation Term="Org.OData.Core.V1.Computed"/></Property></ComplexType>
            <EntityType Name="E"><Key><PropertyRef Name="ID"/></Key>
            <Property Name="ID" Type="Edm.Int32" Nullable="false"/><Property Name="W" Type="S.W"/></EntityType>
            <EntityContainer Name="C"><EntitySet Name="Es" EntityType="S.E"/></EntityContainer>
            </Schema></edmx:DataServices></edmx:Edmx>
            """
        let service = try await TestService(metadata: Array(metadata.utf8))
        let created = await service.send("POST", "Es", [:], #"{"ID":1,"W":{"A":1,"P":"mine"}}"#)
        #expect(created.text.hasSuffix(#""W":{"A":1,"P":null}}"#), "\(created.text)")
        #expect(await service.send("PATCH", "Es(1)", [:], #"{"W":{"A":2,"P":"x"}}"#).status == 204)
        let text = await service.get("Es(1)").text
        #expect(text.hasSuffix(#""W":{"A":2,"P":null}}"#), "\(text)")
    }
}
