import ODataHTTP
import ODataService
import Testing

@testable import ODataAnswers

/// `Core.OptimisticConcurrency`: what is changed of an entity wants `If-Match` as the entity does.
@Suite struct DemandedTagTests {
    private static let metadata = """
        <edmx:Edmx Version="4.01" xmlns:edmx="http://docs.oasis-open.org/odata/ns/edmx"><edmx:DataServices>
        <Schema Namespace="S" xmlns="http://docs.oasis-open.org/odata/ns/edm">
        <EntityType Name="Thing" HasStream="true"><Key><PropertyRef Name="ID"/></Key>
        <Property Name="ID" Type="Edm.Int32" Nullable="false"/><Property Name="Name" Type="Edm.String"/>
        <Property Name="Tags" Type="Collection(Edm.String)"/>
        <Property Name="Pic" Type="Edm.Stream"/><Property Name="Film" Type="Edm.Stream"/>
        <NavigationProperty Name="Next" Type="S.Thing"/>
        <NavigationProperty Name="All" Type="Collection(S.Thing)"/></EntityType>
        <EntityContainer Name="C"><EntitySet Name="Things" EntityType="S.Thing">
        <NavigationPropertyBinding Path="Next" Target="Things"/>
        <NavigationPropertyBinding Path="All" Target="Things"/>
        <Annotation Term="Org.OData.Core.V1.OptimisticConcurrency"><Collection/></Annotation>
        </EntitySet></EntityContainer>
        </Schema></edmx:DataServices></edmx:Edmx>
        """

    private static let requests: [(method: String, url: String, body: String?)] = [
        ("PUT", "Things(1)/Next/$ref", #"{"@odata.id":"Things(1)"}"#),
        ("DELETE", "Things(1)/Next/$ref", nil), ("PUT", "Things(1)/All/$ref", #"{"value":[]}"#),
        ("DELETE", "Things(1)/All(1)/$ref", nil),
        ("DELETE", "Things(1)/All/$ref?$id=Things(1)", nil),
        ("PUT", "Things(1)/Pic", "c"), ("DELETE", "Things(1)/Pic", nil),
        ("PUT", "Things(1)/$value", "c"), ("DELETE", "Things(1)/$value", nil),
        ("PUT", "Things(1)/Name", #"{"value":"b"}"#), ("DELETE", "Things(1)/Name", nil),
        ("POST", "Things(1)/Tags", #"{"value":"b"}"#),
    ]

    /// A service with one entity that has streams and links.
    private func service(_ options: StandaloneOptions = StandaloneOptions()) async throws
        -> TestService
    {
        let service = try await TestService(
            metadata: Array(Self.metadata.utf8),
            data: [
                (
                    "Things",
                    Array(
                        #"[{"ID":1,"Next@odata.bind":"Things(1)","All@odata.bind":["Things(1)"]}]"#
                            .utf8
                    )
                )
            ],
            options: options
        )
        for url in ["Things(1)/Pic", "Things(1)/$value"] {
            _ = await service.send("PUT", url, ["Content-Type": "text/plain"], "b")
        }
        return service
    }

    @Test(arguments: requests)
    func refusesAChangeWithoutATag(_ method: String, _ url: String, _ body: String?) async throws {
        let service = try await service()
        let response = await service.send(method, url, [:], body)
        #expect(response.status == 428, "\(response.text)")
        #expect(await service.send(method, url, ["If-Match": #"W/"no""#], body).status == 412)
    }

    @Test(arguments: requests)
    func carriesOutWithATag(_ method: String, _ url: String, _ body: String?) async throws {
        let response = await (try service()).send(method, url, ["If-Match": "*"], body)
        #expect(response.status == 204, "\(response.text)")
    }

    @Test(arguments: requests)
    func demandsNothingWhereToldTo(_ method: String, _ url: String, _ body: String?) async throws {
        var options = StandaloneOptions()
        options.service.demandsPreconditions = false
        let response = await (try service(options)).send(method, url, [:], body)
        #expect(response.status == 204, "\(response.text)")
    }

    /// What is not there has no tag, and an addition takes nothing away.
    @Test(arguments: [
        ("PUT", "Things(1)/Film", "c"),
        ("POST", "Things(1)/All/$ref", #"{"@odata.id":"Things(1)"}"#),
    ])
    func demandsNothingOfAdditions(_ method: String, _ url: String, _ body: String) async throws {
        let response = await (try service()).send(method, url, [:], body)
        #expect(response.status == 204, "\(response.text)")
    }
}
