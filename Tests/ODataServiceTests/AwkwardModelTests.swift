import ODataHTTP
import Testing

/// Models that the standard allows and few people write.
@Suite struct AwkwardModelTests {
    private static func document(_ types: String, _ container: String) -> [UInt8] {
        Array(
            """
            <edmx:Edmx Version="4.01" xmlns:edmx="http://docs.oasis-open.org/odata/ns/edmx"><edmx:DataServices>
            <Schema Namespace="S" xmlns="http://docs.oasis-open.org/odata/ns/edm">\(types)
            <EntityContainer Name="C">\(container)</EntityContainer></Schema></edmx:DataServices></edmx:Edmx>
            """.utf8
        )
    }

    private static let id =
        #"<Key><PropertyRef Name="ID"/></Key><Property Name="ID" Type="Edm.Int32" Nullable="false"/>"#

    @Test(arguments: ["true", "False"])
    func haveAPropertyNamedLikeATruthValue(_ name: String) async throws {
        let service = try await TestService(
            metadata: Self.document(
                "<EntityType Name=\"E\">\(Self.id)<Property Name=\"\(name)\" Type=\"Edm.String\"/></EntityType>",
                #"<EntitySet Name="Es" EntityType="S.E"/>"#
            )
        )
        #expect(await service.valueText("Es") == "[]")
        _ = await service.send("POST", "Es", [:], #"{"ID":1,"\#(name)":"v"}"#)
        #expect(await service.valueText("Es") == #"[{"ID":1,"\#(name)":"v"}]"#)
        #expect(
            await service.valueText("Es?$apply=groupby((\(name)))") == #"[{"\#(name)":"v"}]"#
        )
        let filter = "$filter=$it/\(name) eq 'v'"
        #expect(await service.valueText("Es?\(filter)&$select=ID") == #"[{"ID":1}]"#)
    }

    @Test func haveMediaEntitiesOfADerivedType() async throws {
        let service = try await TestService(
            metadata: Self.document(
                "<EntityType Name=\"B\">\(Self.id)</EntityType><EntityType Name=\"D\" BaseType=\"S.B\" HasStream=\"true\"/>",
                #"<EntitySet Name="Bs" EntityType="S.B"/>"#
            ),
            data: [("Bs", Array(#"[{"ID":7}]"#.utf8))]
        )
        let made = await service.send("POST", "Bs/S.D", ["Content-Type": "text/plain"], "one")
        #expect(made.status == 201, "\(made.text)")
        let location = try #require(made.headers["Location"])
        let link = location.replacing(TestService.root, with: "") + "/$value"
        #expect(await service.get(link).text == "one")
        let changed = await service.send("PUT", link, ["Content-Type": "text/plain"], "two")
        #expect(changed.status == 204, "\(changed.text)")
        #expect(await service.get(link).text == "two")
        #expect(await service.get("Bs(7)/$value").status == 400)
        #expect(await service.get("Bs(99)/$value").status == 400)
    }

    @Test func containEntitiesInAComplexValue() async throws {
        let service = try await TestService(
            metadata: Self.document(
                """
                <EntityType Name="E">\(Self.id)</EntityType>
                <ComplexType Name="Box"><Property Name="N" Type="Edm.String"/>
                <NavigationProperty Name="Own" Type="Collection(S.E)" ContainsTarget="true"/></ComplexType>
                <EntityType Name="P">\(Self.id)<Property Name="Box" Type="S.Box"/></EntityType>
                """,
                #"<Singleton Name="Me" Type="S.P"/>"#
            ),
            data: [("Me", Array(#"{"ID":1,"Box":{"N":"n"}}"#.utf8))]
        )
        let made = await service.send("POST", "Me/Box/Own", [:], #"{"ID":5}"#)
        #expect(made.status == 201)
        #expect(made.headers["Location"] == "http://service.test/Me/Box/Own(5)")
        #expect(made.text.contains("$metadata#Me/Box/Own/$entity"))
        let references = await service.get("Me/Box/Own/$ref")
        #expect(references.text.contains(#"{"@odata.id":"http://service.test/Me/Box/Own(5)"}"#))
    }
}
