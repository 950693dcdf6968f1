import ODataHTTP
import ODataService
import Testing

@testable import ODataAnswers

/// `Allow` and `Vary`, and expands whose place would be inside complex values.
@Suite struct AnswerHeaderTests {
    private static let metadata = """
        <edmx:Edmx Version="4.01" xmlns:edmx="http://docs.oasis-open.org/odata/ns/edmx"><edmx:DataServices>
        <Schema Namespace="S" xmlns="http://docs.oasis-open.org/odata/ns/edm">
        <ComplexType Name="Num"><Property Name="L" Type="Edm.Int64"/><NavigationProperty Name="To" Type="S.Thing"/></ComplexType>
        <EntityType Name="Thing"><Key><PropertyRef Name="ID"/></Key>
        <Property Name="ID" Type="Edm.Int32" Nullable="false"/><Property Name="N" Type="S.Num"/></EntityType>
        <EntityContainer Name="C"><EntitySet Name="Things" EntityType="S.Thing">
        <NavigationPropertyBinding Path="N/To" Target="Things"/></EntitySet>
        <EntitySet Name="Hidden" EntityType="S.Thing"><Annotation Term="Org.OData.Capabilities.V1.ReadRestrictions">
        <Record><PropertyValue Property="Readable" Bool="false"/></Record></Annotation></EntitySet></EntityContainer>
        </Schema></edmx:DataServices></edmx:Edmx>
        """

    private func service() async throws -> TestService {
        var options = StandaloneOptions()
        options.service.obeysRestrictions = true
        return try await TestService(
            metadata: Array(Self.metadata.utf8),
            data: [("Things", Array(#"[{"ID":1,"N":{"L":1}}]"#.utf8))],
            options: options
        )
    }

    @Test(arguments: [
        ("Hidden", "OPTIONS, POST"), ("Hidden(1)", "OPTIONS, PATCH, PUT, DELETE"),
        ("Hidden/$count", "OPTIONS"),
    ])
    func namesTheMethodsOfWhatCannotBeRead(_ url: String, _ allowed: String) async throws {
        let response = await (try service()).get(url)
        #expect(response.status == 405)
        #expect(response.headers["Allow"] == allowed)
    }

    @Test(arguments: [
        ("GET", "Things", nil), ("GET", "Things(1)", nil), ("GET", "Things(9)", nil),
        ("POST", "Things", #"{"ID":2}"#), ("PATCH", "Things(1)", "{}"),
    ])
    func saysWhichHeadersAnAnswerDependsOn(_ method: String, _ url: String, _ body: String?)
        async throws
    {
        let response = await (try service()).send(method, url, [:], body)
        #expect(response.headers["Vary"] == "Accept, OData-MaxVersion, Prefer")
    }

    /// No precondition would make the method allowed.
    @Test func refusesTheMethodBeforeThePrecondition() async throws {
        let service = try await ClauseService.make()
        let refused = await service.send("DELETE", "Company")
        #expect(refused.status == 405)
        #expect(refused.headers["Allow"] == "GET, HEAD, OPTIONS, PATCH, PUT")
        #expect(await service.send("PATCH", "Company", [:], #"{"Title":"N"}"#).status == 428)
    }

    /// Their entities belong inside the complex value (OData JSON 4.01 § 8.3).
    @Test(arguments: [
        "Things?$expand=N/To", "Things(1)?$expand=N/To($select=ID)", "Things(1)/N?$expand=To",
    ])
    func refusesToExpandComplexValues(_ url: String) async throws {
        let response = await (try service()).get(url)
        #expect(response.status == 501, "\(response.text)")
    }
}
