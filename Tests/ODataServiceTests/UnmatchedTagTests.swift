import ODataHTTP
import Testing

/// `If-None-Match` with an entity tag on changes (OData 4.01 Part 1 § 8.2.5).
@Suite struct UnmatchedTagTests {
    private static let metadata = """
        <edmx:Edmx Version="4.01" xmlns:edmx="http://docs.oasis-open.org/odata/ns/edmx"><edmx:DataServices>
        <Schema Namespace="S" xmlns="http://docs.oasis-open.org/odata/ns/edm">
        <EntityType Name="Thing"><Key><PropertyRef Name="ID"/></Key>
        <Property Name="ID" Type="Edm.Int32" Nullable="false"/><Property Name="Name" Type="Edm.String"/>
        <Property Name="Pic" Type="Edm.Stream"/>
        <NavigationProperty Name="Next" Type="S.Thing"/></EntityType>
        <EntityContainer Name="C"><EntitySet Name="Things" EntityType="S.Thing">
        <NavigationPropertyBinding Path="Next" Target="Things"/></EntitySet></EntityContainer>
        </Schema></edmx:DataServices></edmx:Edmx>
        """

    private static let requests: [(method: String, url: String, body: String?)] = [
        ("PATCH", "Things(1)", #"{"Name":"b"}"#), ("PUT", "Things(1)", #"{"Name":"b"}"#),
        ("PUT", "Things(1)/Name", #"{"value":"b"}"#), ("DELETE", "Things(1)/Name", nil),
        ("PUT", "Things(1)/Next/$ref", #"{"@odata.id":"Things(1)"}"#), ("DELETE", "Things(1)", nil),
        ("PUT", "Things(1)/Pic", "c"), ("DELETE", "Things(1)/Pic", nil),
    ]

    /// A service with one entity that has a stream.
    private func service() async throws -> TestService {
        let service = try await TestService(
            metadata: Array(Self.metadata.utf8),
            data: [("Things", Array(#"[{"ID":1,"Name":"a"}]"#.utf8))]
        )
        _ = await service.send("PUT", "Things(1)/Pic", ["Content-Type": "text/plain"], "b")
        return service
    }

    @Test(arguments: requests)
    func refusesTheCurrentTag(_ method: String, _ url: String, _ body: String?) async throws {
        let service = try await service()
        let current = await service.get(url.hasSuffix("Pic") ? url : "Things(1)").headers["ETag"]
        let tag = try #require(current)
        let response = await service.send(method, url, ["If-None-Match": tag], body)
        #expect(response.status == 412, "\(response.text)")
        let after = await service.get(url.hasSuffix("Pic") ? url : "Things(1)").headers["ETag"]
        #expect(after == tag)
    }

    @Test(arguments: requests)
    func carriesOutWithAnotherTag(_ method: String, _ url: String, _ body: String?) async throws {
        let headers: HTTPHeaders = ["If-None-Match": #"W/"other", "more""#]
        let response = await (try service()).send(method, url, headers, body)
        #expect([200, 204].contains(response.status), "\(response.text)")
    }

    /// Lists may stand in several lines (RFC 9110 § 5.3).
    @Test func takesListsInSeveralLines() async throws {
        let service = try await service()
        let tag = try #require(await service.get("Things(1)").headers["ETag"])
        let lines: HTTPHeaders = ["If-None-Match": #""other""#, "If-None-Match": tag]
        #expect(await service.send("GET", "Things(1)", lines).status == 304)
        #expect(await service.send("PATCH", "Things(1)", lines, "{}").status == 412)
        let types: HTTPHeaders = ["Accept": "application/xml", "Accept": "application/json"]
        #expect(await service.send("GET", "Things(1)", types).status == 200)
        let match: HTTPHeaders = ["If-Match": #""other""#, "If-Match": tag]
        let change = await service.send("PATCH", "Things(1)", match, #"{"Name":"b"}"#)
        #expect(change.isSuccess, "\(change.text)")
    }

    @Test func refusesWhatIsNoListOfTags() async throws {
        let headers: HTTPHeaders = ["If-None-Match": "abc"]
        let response = await (try service()).send("PATCH", "Things(1)", headers, "{}")
        #expect(response.status == 400)
    }
}
