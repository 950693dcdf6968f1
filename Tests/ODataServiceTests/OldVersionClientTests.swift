import ODataHTTP
import Testing

@testable import ODataAnswers

/// What foreign clients of version 2 stumble over.
@Suite struct OldVersionClientTests {
    private static let metadata = """
        <edmx:Edmx Version="1.0" xmlns:edmx="http://schemas.microsoft.com/ado/2007/06/edmx">
        <edmx:DataServices m:DataServiceVersion="2.0"
         xmlns:m="http://schemas.microsoft.com/ado/2007/08/dataservices/metadata">
        <Schema Namespace="Shop" xmlns="http://schemas.microsoft.com/ado/2008/09/edm">
        <ComplexType Name="Place"><Property Name="City" Type="Edm.String"/>
        <Property Name="Country" Type="Edm.String" Nullable="false" DefaultValue="CH"/></ComplexType>
        <EntityType Name="Order"><Key><PropertyRef Name="ID"/></Key>
        <Property Name="ID" Type="Edm.Int64" Nullable="false"/><Property Name="At" Type="Edm.DateTime"/>
        <Property Name="Length" Type="Edm.Time"/>
        <Property Name="Place" Type="Shop.Place" Nullable="false"/>
        <NavigationProperty Name="Items" Relationship="Shop.OrderItems" FromRole="Order" ToRole="Items"/></EntityType>
        <EntityType Name="Item"><Key><PropertyRef Name="ID"/></Key>
        <Property Name="ID" Type="Edm.Int64" Nullable="false"/><Property Name="OrderID" Type="Edm.Int64"/></EntityType>
        <EntityType Name="Photo" m:HasStream="true"><Key><PropertyRef Name="ID"/></Key>
        <Property Name="ID" Type="Edm.Int32" Nullable="false"/></EntityType>
        <Association Name="OrderItems"><End Type="Shop.Order" Role="Order" Multiplicity="0..1">
        <OnDelete Action="Cascade"/></End><End Type="Shop.Item" Role="Items" Multiplicity="*"/>
        <ReferentialConstraint><Principal Role="Order"><PropertyRef Name="ID"/></Principal>
        <Dependent Role="Items"><PropertyRef Name="OrderID"/></Dependent></ReferentialConstraint></Association>
        <EntityContainer Name="C" m:IsDefaultEntityContainer="true">
        <EntitySet Name="Orders" EntityType="Shop.Order"/><EntitySet Name="Items" EntityType="Shop.Item"/>
        <EntitySet Name="Photos" EntityType="Shop.Photo"/>
        <AssociationSet Name="OI" Association="Shop.OrderItems"><End Role="Order" EntitySet="Orders"/>
        <End Role="Items" EntitySet="Items"/></AssociationSet>
        </EntityContainer></Schema></edmx:DataServices></edmx:Edmx>
        """

    private func service() async throws -> TestService {
        try await TestService(
            metadata: Array(Self.metadata.utf8),
            data: [
                (
                    "Orders",
                    Array(
                        #"[{"ID":"1","At":"/Date(1709208000000)/","Place":{"City":"Bern","Country":"CH"}},{"ID":"2","At":null}]"#
                            .utf8
                    )
                ),
                ("Items", Array(#"[{"ID":"7","OrderID":"1"},{"ID":"8","OrderID":"2"}]"#.utf8)),
            ]
        )
    }

    // MARK: Raw values

    /// The XML form of a time of versions 1 to 3 is a duration.
    @Test func answersTheRawValueOfATimeAsADuration() async throws {
        let service = try await service()
        let change = await service.send("MERGE", "Orders(1L)", [:], #"{"Length":"PT1H2M3S"}"#)
        #expect(change.isSuccess, "\(change.text)")
        #expect(await service.get("Orders(1L)/Length/$value").text == "PT1H2M3S")
        #expect(await service.get("Orders(1L)/At/$value").text == "2024-02-29T12:00:00")
        #expect(await service.get("Orders(2L)/Length/$value").status == 404)
    }

    // MARK: Relations that only the principal tells of

    @Test func followsAConstraintThatOnlyThePrincipalLeadsAlong() async throws {
        let service = try await service()

        #expect(await service.get("Orders(1L)/Items/$count").text == "1")
        #expect(
            await service.get("Orders?$expand=Items&$select=ID,Items/ID").text.contains("Items(7L)")
        )
        #expect(await service.send("DELETE", "Orders(1L)").status == 204)
        #expect(await service.get("Items/$count").text == "1")
    }

    @Test func relatesThroughThePrincipal() async throws {
        let service = try await service()
        let link = #"{"uri":"http://service.test/Items(8L)"}"#

        #expect(await service.send("POST", "Orders(1L)/$links/Items", [:], link).status == 204)
        #expect(await service.get("Items(8L)/OrderID/$value").text == "1")
    }

    // MARK: Values

    @Test(arguments: [
        ("Orders(1L)/At/$value", 200, "2024-02-29T12:00:00"), ("Orders(1L)/ID/$value", 200, "1"),
        ("Orders(2L)/Place/Country/$value", 200, "CH"),
    ])
    func answersRawValuesAsXMLHasThem(_ url: String, _ status: Int, _ text: String) async throws {
        let response = await (try service()).get(url)
        #expect(response.status == status)
        #expect(response.text == text)
    }

    @Test(arguments: ["Orders(2L)/At/$value", "Orders(2L)/Place/City/$value"])
    func findsNoRawValueOfNull(_ url: String) async throws {
        #expect(await (try service()).get(url).status == 404)
    }

    @Test func writesKeysOfLinksAsLiteralsOfTheVersion() async throws {
        let service = try await service()

        #expect(
            await service.get("Orders(1L)/$links/Items").text
                == #"{"d":{"results":[{"uri":"http://service.test/Items(7L)"}]}}"#
        )
        let created = await service.send("POST", "Items", [:], #"{"ID":"9"}"#)
        #expect(created.headers["Location"] == "http://service.test/Items(9L)")
    }

    @Test(arguments: [
        ("Orders(1L)/Place/City", #"{"d":{"City":"Chur"}}"#),
        ("Orders(1L)/Place/City", #"{"City":"Chur"}"#),
        ("Orders(1L)/Place", #"{"d":{"Place":{"City":"Chur","Country":"CH"}}}"#),
        ("Orders(1L)/Place", #"{"Place":{"City":"Chur","Country":"CH"}}"#),
        ("Orders(1L)/Place", #"{"City":"Chur","Country":"CH"}"#),
    ])
    func takesAPropertyInTheFormOfItsAnswer(_ url: String, _ body: String) async throws {
        let service = try await service()

        #expect(await service.send("PUT", url, [:], body).status < 300)
        #expect(await service.get("Orders(1L)/Place/City").text == #"{"d":{"City":"Chur"}}"#)
    }

    // MARK: Complex values

    @Test func makesALeftOutComplexValueOfItsDefaults() async throws {
        let service = try await service()

        #expect(await service.send("POST", "Orders", [:], #"{"ID":"5"}"#).status == 201)
        #expect(
            await service.get("Orders(5L)/Place").text
                == #"{"d":{"Place":{"__metadata":{"type":"Shop.Place"},"City":null,"Country":"CH"}}}"#
        )
    }

    @Test(arguments: [#"{"ID":"5","Place":null}"#, #"{"ID":"5","Place":{"Country":null}}"#])
    func refusesANullComplexValue(_ body: String) async throws {
        #expect(await (try service()).send("POST", "Orders", [:], body).status == 400)
    }

    // MARK: Media

    @Test func tellsWhereTheStreamOfAMediaEntityIs() async throws {
        let service = try await service()
        let created = await service.send("POST", "Photos", ["Content-Type": "image/png"], "bytes")

        #expect(created.status == 201)
        let uri = try #require(created.headers["Location"])
        #expect(created.text.contains("\"media_src\":\"\(uri)/$value\""))
        #expect(created.text.contains("\"edit_media\":\"\(uri)/$value\""))
        #expect(created.text.contains(#""content_type":"image/png""#))
    }

    // MARK: Batches

    @Test func goesOnAfterAFailedPartOfABatch() async throws {
        let service = try await service()
        let body = """
            --b\r
            Content-Type: application/http\r
            Content-Transfer-Encoding: binary\r
            \r
            GET Orders(99L) HTTP/1.1\r
            \r
            \r
            --b\r
            Content-Type: application/http\r
            Content-Transfer-Encoding: binary\r
            \r
            GET Orders/$count HTTP/1.1\r
            \r
            \r
            --b--\r

            """
        let answer = await service.send(
            "POST",
            "$batch",
            ["Content-Type": "multipart/mixed;boundary=b"],
            body
        )

        #expect(answer.status == 202)
        #expect(answer.text.contains("HTTP/1.1 404"))
        #expect(answer.text.contains("HTTP/1.1 200"))
    }
}
