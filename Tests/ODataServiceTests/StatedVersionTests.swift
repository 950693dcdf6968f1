import ODataHTTP
import Testing

@testable import ODataAnswers

/// `$schemaversion`, `Core.ODataVersions`, `Core.MediaType` and several containers.
@Suite struct StatedVersionTests {
    private static let metadata = """
        <edmx:Edmx Version="4.0" xmlns:edmx="http://docs.oasis-open.org/odata/ns/edmx">
        <edmx:Reference Uri="https://oasis-tcs.github.io/odata-vocabularies/vocabularies/Org.OData.Core.V1.xml">
        <edmx:Include Namespace="Org.OData.Core.V1" Alias="Core"/></edmx:Reference><edmx:DataServices>
        <Schema Namespace="T" xmlns="http://docs.oasis-open.org/odata/ns/edm">
        <Annotation Term="Core.SchemaVersion" String="1.2"/>
        <EntityType Name="Item"><Key><PropertyRef Name="ID"/></Key>
        <Property Name="ID" Type="Edm.Int32" Nullable="false"/>
        <Property Name="Icon" Type="Edm.Binary"><Annotation Term="Core.MediaType" String="image/png"/></Property>
        <Property Name="Page" Type="Edm.String"><Annotation Term="Core.MediaType" String="text/html"/></Property></EntityType>
        <EntityContainer Name="C"><EntitySet Name="Items" EntityType="T.Item"/>
        <Annotation Term="Core.ODataVersions" String="4.0"/></EntityContainer>
        <EntityContainer Name="Spare"><EntitySet Name="Items" EntityType="T.Item"/><Singleton Name="Main" Type="T.Item"/></EntityContainer>
        </Schema></edmx:DataServices></edmx:Edmx>
        """

    private func service() async throws -> TestService {
        try await TestService(
            metadata: Array(Self.metadata.utf8),
            data: [
                ("Items", Array(#"[{"ID":1,"Icon":"AQID","Page":"<p>"}]"#.utf8)),
                ("Spare.Items", Array(#"[{"ID":7}]"#.utf8)),
                ("Spare.Main", Array(#"{"ID":9}"#.utf8)),
            ]
        )
    }

    @Test(arguments: [("1.2", 200), ("*", 200), ("1.3", 404)])
    func answersForAVersionOfTheSchemaThatThereIs(_ version: String, _ status: Int) async throws {
        let service = try await service()
        #expect(await service.get("Items?$schemaversion=\(version)").status == status)
        #expect(await service.get("$metadata?$schemaversion=\(version)").status == status)
        let change = await service.send(
            "PATCH",
            "Items(1)?$schemaversion=\(version)",
            [:],
            #"{"Page":"<b>"}"#
        )
        #expect(change.status == (status == 200 ? 204 : 404))
    }

    @Test func answersInAVersionThatItSpeaks() async throws {
        let answer = await (try service()).get("Items", ["OData-MaxVersion": "4.01"])
        #expect(answer.headers["OData-Version"] == "4.0")
    }

    @Test(arguments: [("Icon", "image/png"), ("Page", "text/html")])
    func tellsTheMediaTypeOfAProperty(_ property: String, _ type: String) async throws {
        let answer = await (try service()).get("Items(1)/\(property)/$value")
        #expect(answer.status == 200)
        #expect(answer.headers["Content-Type"] == type)
    }

    @Test(arguments: [
        ("Items(1)", 1), ("C.Items(1)", 1), ("T.C.Items(1)", 1), ("Spare.Items(7)", 7),
        ("Spare.Main", 9),
    ])
    func addressesTheSetsOfAllContainers(_ url: String, _ id: Int) async throws {
        let answer = await (try service()).get(url)
        #expect(answer.status == 200)
        #expect(answer.text.contains("\"ID\":\(id)"))
    }

    @Test func changesTheSetsOfAllContainers() async throws {
        let service = try await service()
        let created = await service.send("POST", "Spare.Items", [:], #"{"ID":8}"#)
        #expect(created.status == 201)
        #expect(created.headers["Location"] == TestService.root + "Spare.Items(8)")
        #expect(await service.get("Spare.Items/$count").text == "2")
        #expect(await service.get("Items/$count").text == "1")
        #expect(await service.get("").text.contains(#""url":"Spare.Items""#))
    }
}
