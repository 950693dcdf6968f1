import ODataHTTP
import Testing

@testable import ODataAnswers
import ODataService

/// Properties that clients cannot change: alone they are refused, in the body of an entity they are ignored (OData 4.01 Part 1
/// §§ 11.4.3, 11.4.9).
@Suite struct FixedPropertyTests {
    private static let metadata = """
        <edmx:Edmx Version="4.01" xmlns:edmx="http://docs.oasis-open.org/odata/ns/edmx"><edmx:DataServices>
        <Schema Namespace="S" xmlns="http://docs.oasis-open.org/odata/ns/edm">
        <ComplexType Name="Mark"><Property Name="Text" Type="Edm.String"/></ComplexType>
        <EntityType Name="Thing"><Key><PropertyRef Name="ID"/></Key>
        <Property Name="ID" Type="Edm.Int32" Nullable="false"/><Property Name="Free" Type="Edm.String"/>
        <Property Name="Made" Type="Edm.String"><Annotation Term="Org.OData.Core.V1.Computed"/></Property>
        <Property Name="Born" Type="Edm.String"><Annotation Term="Org.OData.Core.V1.Immutable"/></Property>
        <Property Name="Read" Type="Edm.String"><Annotation Term="Org.OData.Core.V1.Permissions">
          <EnumMember>Org.OData.Core.V1.Permission/Read</EnumMember></Annotation></Property>
        <Property Name="Mark" Type="S.Mark"><Annotation Term="Org.OData.Core.V1.Immutable"/></Property>
        <Property Name="Listed" Type="Edm.String"/></EntityType>
        <EntityContainer Name="C"><EntitySet Name="Things" EntityType="S.Thing">
        <Annotation Term="Org.OData.Capabilities.V1.UpdateRestrictions"><Record>
        <PropertyValue Property="NonUpdatableProperties"><Collection><PropertyPath>Listed</PropertyPath></Collection>
        </PropertyValue></Record></Annotation></EntitySet>
        <EntitySet Name="Closed" EntityType="S.Thing">
        <Annotation Term="Org.OData.Capabilities.V1.UpdateRestrictions"><Record>
        <PropertyValue Property="Updatable" Bool="false"/></Record></Annotation></EntitySet>
        </EntityContainer></Schema></edmx:DataServices></edmx:Edmx>
        """

    private func service() async throws -> TestService {
        var options = StandaloneOptions()
        options.service.obeysRestrictions = true
        let service = try await TestService(metadata: Array(Self.metadata.utf8), options: options)
        for set in ["Things", "Closed"] {
            let body =
                #"{"ID":1,"Free":"f","Born":"b","Read":"r","Mark":{"Text":"m"},"Listed":"l"}"#
            #expect(await service.send("POST", set, [:], body).status == 201)
        }
        return service
    }

    @Test(arguments: [
        "Things(1)/ID", "Things(1)/Made", "Things(1)/Born", "Things(1)/Read", "Things(1)/Listed",
        "Things(1)/Mark", "Things(1)/Mark/Text", "Things(1)/Born/$value", "Closed(1)/Free",
    ])
    func refusesChangesOfThemAlone(_ url: String) async throws {
        let service = try await service()
        let allowed = await service.send("OPTIONS", url).headers["Allow"]
        #expect(allowed == "GET, HEAD, OPTIONS")
        for method in ["PUT", "DELETE"] {
            let response = await service.send(method, url, [:], #"{"value":"x"}"#)
            #expect(response.status == 405, "\(method): \(response.text)")
            #expect(response.headers["Allow"] == allowed)
        }
    }

    @Test func changesOthers() async throws {
        let service = try await service()
        #expect(await service.send("PUT", "Things(1)/Free", [:], #"{"value":"x"}"#).status == 204)
        #expect(await service.send("GET", "Things(1)/Free/$value").text == "x")
    }

    @Test func answersTheNewValueWhereItIsWanted() async throws {
        let service = try await service()
        let response = await service.send(
            "PUT",
            "Things(1)/Free",
            ["Prefer": "return=representation"],
            #"{"value":"x"}"#
        )
        #expect(response.status == 200)
        #expect(response.text.hasSuffix(#"#Things(1)/Free","value":"x"}"#), "\(response.text)")
        #expect(response.headers["Preference-Applied"] == "return=representation")
        #expect(response.headers["ETag"] != nil)
    }

    @Test func ignoresWhatCanOnlyBeRead() async throws {
        let service = try await service()
        #expect(await service.send("GET", "Things(1)/Read").status == 204)
        let body = #"{"Read":"x","Free":"y"}"#
        #expect(await service.send("PATCH", "Things(1)", [:], body).status == 204)
        #expect(await service.send("GET", "Things(1)/Read").status == 204)
        #expect(await service.send("GET", "Things(1)/Free/$value").text == "y")
    }

    /// `UpdateRestrictions/NonUpdatableProperties` holds for the whole entity, too.
    @Test(arguments: ["PATCH", "PUT"])
    func ignoresExceptedPropertiesInEntities(_ method: String) async throws {
        let service = try await service()
        for body in [#"{"Listed":"x","Free":"y"}"#, #"{"Free":"y"}"#] {
            #expect(await service.send(method, "Things(1)", [:], body).status == 204)
            #expect(await service.get("Things(1)/Listed/$value").text == "l")
            #expect(await service.get("Things(1)/Free/$value").text == "y")
        }
    }
}
