import ODataHTTP
@testable import ODataAnswers
import ODataService
import Testing

/// Resources that may be absent, and methods that the metadata excludes.
@Suite struct PresenceTests {
    private static let metadata = """
        <edmx:Edmx Version="4.01" xmlns:edmx="http://docs.oasis-open.org/odata/ns/edmx"><edmx:DataServices>
        <Schema Namespace="S" xmlns="http://docs.oasis-open.org/odata/ns/edm">
        <EntityType Name="Thing"><Key><PropertyRef Name="ID"/></Key>
        <Property Name="ID" Type="Edm.Int32" Nullable="false"/><Property Name="Text" Type="Edm.String"/>
        <NavigationProperty Name="Next" Type="S.Thing"/>
        <NavigationProperty Name="Fixed" Type="S.Thing"/>
        <NavigationProperty Name="All" Type="Collection(S.Thing)"/></EntityType>
        <EntityType Name="Special" BaseType="S.Thing"/>
        <EntityType Name="Photo" HasStream="true"><Key><PropertyRef Name="ID"/></Key>
        <Property Name="ID" Type="Edm.Guid" Nullable="false"/><Property Name="Text" Type="Edm.String"/></EntityType>
        <EntityContainer Name="C"><EntitySet Name="Things" EntityType="S.Thing">
        <NavigationPropertyBinding Path="Next" Target="Things"/><NavigationPropertyBinding Path="All" Target="Things"/>
        <NavigationPropertyBinding Path="Fixed" Target="Things"/>
        <Annotation Term="Org.OData.Capabilities.V1.UpdateRestrictions"><Record>
        <PropertyValue Property="NonUpdatableNavigationProperties"><Collection>
        <NavigationPropertyPath>Fixed</NavigationPropertyPath></Collection></PropertyValue></Record></Annotation></EntitySet>
        <EntitySet Name="Closed" EntityType="S.Thing">
        <NavigationPropertyBinding Path="Next" Target="Things"/><NavigationPropertyBinding Path="All" Target="Things"/>
        <Annotation Term="Org.OData.Capabilities.V1.UpdateRestrictions"><Record>
        <PropertyValue Property="Updatable" Bool="false"/></Record></Annotation></EntitySet>
        <EntitySet Name="Photos" EntityType="S.Photo"/>
        <Singleton Name="Always" Type="S.Thing"/><Singleton Name="Maybe" Type="S.Thing" Nullable="true">
        <NavigationPropertyBinding Path="Next" Target="Things"/></Singleton>
        </EntityContainer></Schema></edmx:DataServices></edmx:Edmx>
        """

    private func service() async throws -> TestService {
        let things = ##"[{"ID":1},{"ID":2,"Next@odata.bind":"Things(1)"}]"##
        let closed = ##"[{"ID":1,"Next@odata.bind":"Things(1)"}]"##
        return try await TestService(
            metadata: Array(Self.metadata.utf8),
            data: [("Things", Array(things.utf8)), ("Closed", Array(closed.utf8))]
        )
    }

    /// OData CSDL XML 4.01 § 13.3: a singleton that may be null has no value, any other one is missing.
    @Test(arguments: [
        ("Maybe", 204), ("Maybe/S.Special", 204), ("Maybe/$ref", 204), ("Always", 404),
        ("Always/$ref", 404), ("Maybe/Text", 404), ("Maybe/Next", 404), ("Things(9)", 404),
    ])
    func answersNoContentForASingletonThatIsNull(_ url: String, _ status: Int) async throws {
        let response = await (try service()).get(url)
        #expect(response.status == status, "\(response.text)")
    }

    /// An upsert without a key (OData 4.01 Part 1 § 11.4.4).
    @Test(arguments: [("PUT", "Maybe", ""), ("PATCH", "Maybe/S.Special", "#S.Special")])
    func givesAValueToASingletonThatIsNull(_ method: String, _ url: String, _ type: String)
        async throws
    {
        let service = try await service()
        let stale = await service.send(method, url, ["If-Match": "*"], #"{"ID":1}"#)
        #expect(stale.status == 412)

        for text in ["a", "b"] {
            let stated = type.isEmpty ? "" : "\"@odata.type\":\"\(type)\","
            let body = "{\(stated)\"ID\":1,\"Text\":\"\(text)\"}"
            let created = await service.send(method, url, [:], body)
            #expect(created.status == 201, "\(created.text)")
            #expect(created.headers["Location"]?.hasSuffix("/Maybe") == true)
            #expect(await service.get("Maybe/Text/$value").text == text)
            #expect(await service.send("PATCH", "Maybe", [:], #"{"Text":"c"}"#).status < 300)
            #expect(await service.send("DELETE", "Maybe").status == 204)
            #expect(await service.get("Maybe").status == 204)
        }
        #expect(await service.send(method, "Always", [:], #"{"ID":1}"#).status == 404)
    }

    @Test func answers404ForASingletonOfAnotherType() async throws {
        let service = try await TestService(
            metadata: Array(Self.metadata.utf8),
            data: [("Maybe", Array(#"{"ID":1}"#.utf8))]
        )
        #expect(await service.get("Maybe").status == 200)
        #expect(await service.get("Maybe/S.Special").status == 404)
    }

    /// A link is a part of the entity that has it (OData 4.01 Part 1 § 11.4.6, `Capabilities.UpdateRestrictions`).
    @Test(arguments: [
        ("Closed(1)/Next/$ref", "PUT", #"{"@id":"Things(2)"}"#),
        ("Closed(1)/Next/$ref", "DELETE", ""),
        ("Closed(1)/All/$ref", "POST", #"{"@id":"Things(2)"}"#),
        ("Closed(1)/All/$ref", "PUT", #"{"value":[]}"#),
        ("Closed(1)/All(2)/$ref", "DELETE", ""),
        ("Things(2)/Fixed/$ref", "PUT", #"{"@id":"Things(2)"}"#),
    ])
    func refusesChangesOfClosedLinks(_ url: String, _ method: String, _ body: String) async throws {
        var options = StandaloneOptions()
        options.service.obeysRestrictions = true
        let service = try await TestService(metadata: Array(Self.metadata.utf8), options: options)
        let allowed = await service.send("OPTIONS", url).headers["Allow"]
        #expect(allowed == "GET, HEAD, OPTIONS")
        let response = await service.send(method, url, [:], body)
        #expect(response.status == 405, "\(response.text)")
        #expect(response.headers["Allow"] == allowed)
    }

    @Test(arguments: [
        ("Things(2)/Next/$ref", "GET, HEAD, OPTIONS, PUT, DELETE"),
        ("Things(2)/All/$ref", "GET, HEAD, OPTIONS, POST, PUT, DELETE"),
        ("Things(2)/All(1)/$ref", "GET, HEAD, OPTIONS, DELETE"),
        ("Things(2)/$ref", "GET, HEAD, OPTIONS"),
    ])
    func namesTheMethodsOfOpenLinks(_ url: String, _ methods: String) async throws {
        let response = await (try service()).send("OPTIONS", url)
        #expect(response.headers["Allow"] == methods)
    }

    /// What exists does not match `If-None-Match: *`, with an ETag or without (RFC 9110 § 13.1.2).
    @Test(arguments: [
        ("GET", "Things", "", 304), ("HEAD", "Things", "", 304), ("GET", "Things/$count", "", 304),
        ("GET", "Things(2)", "", 304), ("GET", "Things(2)/Next/$ref", "", 304),
        ("GET", "", "", 304),
        ("GET", "Things(2)/ID", "", 304), ("GET", "Things(2)/Text", "", 204),
        ("GET", "Things(1)/Next", "", 204), ("GET", "Things(9)", "", 404),
        ("PUT", "Things(2)/Next/$ref", #"{"@id":"Things(2)"}"#, 412),
        ("PUT", "Things(1)/Next/$ref", #"{"@id":"Things(2)"}"#, 204),
        ("DELETE", "Things(2)/Next/$ref", "", 412), ("PATCH", "Things(2)", #"{"Text":"x"}"#, 412),
        ("DELETE", "Things(2)", "", 412), ("PUT", "Things(9)", #"{"Text":"x"}"#, 201),
    ])
    func takesWhatExistsForAMatch(_ method: String, _ url: String, _ body: String, _ status: Int)
        async throws
    {
        let response = await (try service()).send(method, url, ["If-None-Match": "*"], body)
        #expect(response.status == status, "\(response.text)")
        if status == 304 { #expect(response.body.isEmpty) }
    }
}
