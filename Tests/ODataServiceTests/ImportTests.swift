import ODataText
import FieldService
import FieldServiceMetadata
import ODataModel
import ODataHTTP
import Testing

@testable import ODataAnswers
@testable import ODataService

@Suite struct ImportTests {
    @Test func importsTheWholeSample() async throws {
        let service = try await TestService(
            metadata: FieldServiceMetadata.v1,
            data: FieldServiceData.setNames.map { ($0, FieldServiceData.json(forSet: $0)) }
        )
        for name in FieldServiceData.setNames where name != "Depot" {
            let tree = try #require(JSONTree(FieldServiceData.json(forSet: name)))
            guard let items = tree.member("value")?.items else { continue }
            #expect(await service.get(name + "/$count").text == String(items.count))
        }
        #expect(await service.get("Depot").status == 200)
    }

    @Test(arguments: [
        ("Nope", "[]"), ("Parts", "[{\"Number\":5}]"), ("Parts", "[{\"Number\":\"P1\""),
        ("Parts", ""),
        ("Parts", #"[{"Number":"P1"},{"Number":"P1"}]"#),
        ("Tasks", #"[{"ID":1,"WorkOrder@odata.bind":"Nope(1)"}]"#),
    ])
    func refusesWithTheNameOfTheSet(name: String, json: String) async throws {
        let service = try await TestService(metadata: FieldServiceMetadata.v1)
        let error = await #expect(throws: ImportError.self) {
            try await DataImporter(service.store).importAll([
                .init(name: name, json: Array(json.utf8))
            ])
        }
        #expect(error?.set == name)
    }

    /// Without `Nullable` a collection may have null items (OData CSDL 4.01 § 7.2.1): files of a store, which takes them, have them.
    @Test(arguments: [("", true), (#" Nullable="true""#, true), (#" Nullable="false""#, false)])
    func takesNullItemsUnlessTheyAreExcluded(_ facet: String, _ isTaken: Bool) async throws {
        let metadata = """
            <edmx:Edmx Version="4.0" xmlns:edmx="http://docs.oasis-open.org/odata/ns/edmx"><edmx:DataServices>
            <Schema Namespace="T" xmlns="http://docs.oasis-open.org/odata/ns/edm">
            <EntityType Name="A"><Key><PropertyRef Name="ID"/></Key><Property Name="ID" Type="Edm.Int32" Nullable="false"/>
            <Property Name="Tags" Type="Collection(Edm.String)"\(facet)/></EntityType>
            <EntityContainer Name="C"><EntitySet Name="As" EntityType="T.A"/></EntityContainer>
            </Schema></edmx:DataServices></edmx:Edmx>
            """
        let service = try await TestService(metadata: Array(metadata.utf8))
        let json = Array(#"[{"ID":1,"Tags":["x",null]}]"#.utf8)
        let importer = DataImporter(service.store)
        guard isTaken else {
            await #expect(throws: ImportError.self) {
                try await importer.importAll([.init(name: "As", json: json)])
            }
            return
        }
        try await importer.importAll([.init(name: "As", json: json)])
        #expect(await service.get("As(1)/Tags").text.contains(#""value":["x",null]"#))
    }

    private static let circles = """
        <edmx:Edmx Version="4.0" xmlns:edmx="http://docs.oasis-open.org/odata/ns/edmx"><edmx:DataServices>
        <Schema Namespace="T" xmlns="http://docs.oasis-open.org/odata/ns/edm">
        <EntityType Name="A"><Key><PropertyRef Name="ID"/></Key><Property Name="ID" Type="Edm.Int32" Nullable="false"/>
        <NavigationProperty Name="B" Type="T.B"/><NavigationProperty Name="As" Type="Collection(T.A)"/></EntityType>
        <EntityType Name="B"><Key><PropertyRef Name="ID"/></Key><Property Name="ID" Type="Edm.Int32" Nullable="false"/>
        <NavigationProperty Name="A" Type="T.A"/></EntityType>
        <EntityContainer Name="C"><EntitySet Name="As" EntityType="T.A"><NavigationPropertyBinding Path="B" Target="Bs"/>
        <NavigationPropertyBinding Path="As" Target="As"/></EntitySet>
        <EntitySet Name="Bs" EntityType="T.B"><NavigationPropertyBinding Path="A" Target="As"/></EntitySet></EntityContainer>
        </Schema></edmx:DataServices></edmx:Edmx>
        """

    @Test func takesReferencesInAnyOrder() async throws {
        let service = try await TestService(
            metadata: Array(Self.circles.utf8),
            data: [
                (
                    "As",
                    Array(
                        #"[{"ID":1,"B@odata.bind":"Bs(1)","As@odata.bind":["As(1)","As(3)"]},{"ID":2,"B":{"@odata.id":"Bs(1)"}},{"ID":3}]"#
                            .utf8
                    )
                ), ("Bs", Array(#"[{"ID":1,"A@odata.bind":"As(1)"}]"#.utf8)),
            ]
        )
        #expect(await service.get("As(1)/B/A/ID/$value").text == "1")
        #expect(await service.get("As(1)/As/$count").text == "2")
        #expect(await service.get("As(2)/B/ID/$value").text == "1")
    }

    @Test(arguments: [
        (#"[{"ID":1},\n{"ID":2,"B@odata.bind":"Bs(9)"}]"#, "line 2"),
        (#"[{"ID":1,"B@odata.bind":"As(1)"}]"#, "line 1"),
    ])
    func tellsWhereAReferenceLeadsToNothing(_ json: String, _ place: String) async throws {
        let service = try await TestService(metadata: Array(Self.circles.utf8))
        let error = await #expect(throws: ImportError.self) {
            try await DataImporter(service.store).importAll([
                .init(name: "As", json: Array(json.replacing("\\n", with: "\n").utf8))
            ])
        }
        #expect(error?.set == "As")
        #expect(error?.message.contains(place) == true, "\(error?.message ?? "")")
        #expect(await service.get("As/$count").text == "0")
    }

    @Test func takesNothingOfAFailedImport() async throws {
        let service = try await TestService(metadata: FieldServiceMetadata.v1)
        await #expect(throws: ImportError.self) {
            try await DataImporter(service.store).importAll([
                .init(
                    name: "Parts",
                    json: Array(#"[{"Number":"P1","Name":"x","UnitPrice":1,"InStock":1}]"#.utf8)
                ),
                .init(name: "Sites", json: Array("?".utf8)),
            ])
        }
        #expect(await service.get("Parts/$count").text == "0")
    }

    @Test func keepsWhatTheFileHadWhenItIsOpenedAgain() async throws {
        let file = TemporaryFile()
        let model = try CSDLDocument(reading: FieldServiceMetadata.v1).model
        for expected in 1...2 {
            let store = try TableEntityStore(
                path: file.path,
                document: FieldServiceMetadata.v1,
                model: model
            )
            let handler = StandaloneHandler(store: store)
            _ = await handler.respond(
                to: HTTPRequest(
                    method: "POST",
                    url: "/WorkOrders",
                    headers: ["Content-Type": "application/json"],
                    body: Array(#"{"Title":"x"}"#.utf8)
                )
            )
            let count = await handler.respond(
                to: HTTPRequest(method: "GET", url: "/WorkOrders/$count")
            )
            #expect(count.text == String(expected))
        }
    }
}
