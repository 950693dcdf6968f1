import OfflineOData
import ODataHTTP
import Testing

/// Replacing an entity of the store keeps its key, whatever default values the model declares (OData 4.01 Part 1 § 11.4.3).
@Suite struct ReplacedValuesTests {
    private static let metadata = """
        <edmx:Edmx Version="4.0" xmlns:edmx="http://docs.oasis-open.org/odata/ns/edmx"><edmx:DataServices>
        <Schema Namespace="M" xmlns="http://docs.oasis-open.org/odata/ns/edm">
        <EntityType Name="Thing"><Key><PropertyRef Name="Area"/><PropertyRef Name="ID"/></Key>
        <Property Name="Area" Type="Edm.String" Nullable="false" DefaultValue="main"/>
        <Property Name="ID" Type="Edm.Int32" Nullable="false" DefaultValue="0"/>
        <Property Name="Name" Type="Edm.String" DefaultValue="none"/>
        <Property Name="Note" Type="Edm.String"/></EntityType>
        <EntityContainer Name="C"><EntitySet Name="Things" EntityType="M.Thing"/></EntityContainer>
        </Schema></edmx:DataServices></edmx:Edmx>
        """

    private func opened(_ page: String) async throws -> (RecordedService, OfflineODataProvider) {
        let service = try RecordedService(metadata: Self.metadata)
        service.set("GET Things", RecordedService.json(page))
        return (service, try await service.opened(["Things"]))
    }

    private func text(_ provider: OfflineODataProvider) async throws -> String {
        let request = HTTPRequest(
            method: "GET",
            url: "Things",
            headers: ["Accept": "application/json;odata.metadata=none"]
        )
        return await provider.respond(to: request).text
    }

    /// Without the key, with it, with a part of it: that of the URL counts.
    @Test(arguments: [
        #"{"Name":"new"}"#, #"{"ID":7,"Area":"x","Name":"new"}"#, #"{"Area":"x","Name":"new"}"#,
    ])
    func keepsTheKeyOfTheURL(_ body: String) async throws {
        let (service, provider) = try await opened(
            #"{"value":[{"Area":"x","ID":7,"Name":"old","Note":"n"}]}"#
        )
        try await provider.send("PUT", "Things(Area='x',ID=7)", body)
        let expected = #"{"value":[{"Area":"x","ID":7,"Name":"new","Note":null}]}"#
        #expect(try await text(provider) == expected)
        service.set("POST $batch", HTTPResponse(status: 404))
        service.set("PUT Things(Area='x',ID=7)", HTTPResponse(status: 204))
        #expect(try await provider.upload().succeededCount == 1)
        #expect(try await text(provider) == expected)
    }

    /// A service has to ignore another key in the body of an update, and so does the store; the request does not name it.
    @Test(arguments: ["PATCH", "PUT"], [#""Area":"y""#, #""ID":8"#, #""Area":null,"ID":8"#])
    func ignoresAnotherKeyInTheBody(_ method: String, _ key: String) async throws {
        let (service, provider) = try await opened(
            #"{"value":[{"Area":"x","ID":7,"Name":"old","Note":"n"}]}"#
        )
        try await provider.send(
            method,
            "Things(Area='x',ID=7)",
            #"{\#(key),"Name":"new","Note":null}"#
        )
        let expected = #"{"value":[{"Area":"x","ID":7,"Name":"new","Note":null}]}"#
        #expect(try await text(provider) == expected)
        service.set("POST $batch", HTTPResponse(status: 404))
        service.set("\(method) Things(Area='x',ID=7)", HTTPResponse(status: 204))
        #expect(try await provider.upload().succeededCount == 1)
        let bodies = service.bodies(of: "\(method) Things(Area='x',ID=7)")
        #expect(bodies == [#"{"Name":"new","Note":null}"#])
    }

    /// The document names the sets of the metadata; those that a store has besides can be read all the same.
    @Test func listsNoSetsOfItsOwnInTheServiceDocument() async throws {
        let (_, provider) = try await opened(#"{"value":[]}"#)
        let request = HTTPRequest(method: "GET", url: "", headers: ["Accept": "application/json"])
        let answer = await provider.respond(to: request).text
        #expect(answer.contains(#"{"name":"Things","kind":"EntitySet","url":"Things"}]}"#))
        #expect(try await provider.executeQuery("RequestQueue").isEmpty)
    }

    /// The same of an entity that was created here, and of one that the service has changed since.
    @Test func keepsTheKeyOverDownloadsAndUndo() async throws {
        let (service, provider) = try await opened(#"{"value":[]}"#)
        try await provider.send("POST", "Things", #"{"Area":"x","ID":7,"Name":"old"}"#)
        try await provider.send("PUT", "Things(Area='x',ID=7)", #"{"Note":"n"}"#)
        let replaced = #"{"value":[{"Area":"x","ID":7,"Name":"none","Note":"n"}]}"#
        #expect(try await text(provider) == replaced)
        service.set(
            "GET Things",
            RecordedService.json(#"{"value":[{"Area":"main","ID":0,"Name":"theirs","Note":null}]}"#)
        )
        try await provider.download()
        let theirs = #"{"Area":"main","ID":0,"Name":"theirs","Note":null}"#
        let both = try await text(provider)
        #expect(both.contains(theirs))
        #expect(both.contains(#"{"Area":"x","ID":7,"Name":"none","Note":"n"}"#))
        try await provider.undoAllPendingChanges()
        #expect(try await text(provider) == "{\"value\":[\(theirs)]}")
    }
}
