import OfflineOData
import Testing

/// The types that dynamic properties state (OData JSON 4.01 § 4.6.3), from the service to the application and back.
@Suite struct DynamicTypeTests {
    private static let metadata = """
        <edmx:Edmx Version="4.0" xmlns:edmx="http://docs.oasis-open.org/odata/ns/edmx"><edmx:DataServices>
        <Schema Namespace="N" xmlns="http://docs.oasis-open.org/odata/ns/edm">
        <EntityType Name="Item" OpenType="true"><Key><PropertyRef Name="ID"/></Key>
        <Property Name="ID" Type="Edm.Int32" Nullable="false"/></EntityType>
        <EntityContainer Name="C"><EntitySet Name="Items" EntityType="N.Item"/>
        </EntityContainer></Schema></edmx:DataServices></edmx:Edmx>
        """

    /// What the service has of the one entity, but for its key.
    private static let typed = ##""Born@odata.type":"#Date","Born":"2020-01-01","Plain":"x""##

    private static func page(_ members: String) -> HTTPResponse {
        RecordedService.json(#"{"value":[{"ID":1,"# + members + "}]}")
    }

    private static func opened(_ members: String = typed) async throws -> (
        service: RecordedService, provider: OfflineODataProvider
    ) {
        let service = try RecordedService(metadata: metadata)
        service.set("GET Items", page(members))
        return (service, try await service.opened(["Items"]))
    }

    /// The members of the one entity in an answer, without control information of its own.
    private static func members(
        _ provider: OfflineODataProvider,
        _ url: String = "Items",
        accept: String? = nil
    ) async -> String {
        var request = HTTPRequest(method: "GET", url: url)
        if let accept { request.headers["Accept"] = accept }
        let text = String(decoding: await provider.respond(to: request).body, as: UTF8.self)
        let entity = text.split(separator: #""ID":1"#, maxSplits: 1).last ?? ""
        return String(entity.drop { $0 == "," }.prefix { $0 != "}" })
    }

    @Test(
        arguments: [
            ("Items", nil, typed),
            ("Items?$select=ID,Born", nil, ##""Born@odata.type":"#Date","Born":"2020-01-01""##),
            ("Items?$select=ID,Plain", nil, #""Plain":"x""#),
            (
                "Items", "application/json;odata.metadata=none",
                #""Born":"2020-01-01","Plain":"x""#
            ),
            (
                "Items?$select=ID,Born", "application/json;odata.metadata=none",
                #""Born":"2020-01-01""#
            ),
        ] as [(String, String?, String)]
    )
    func answersThemWithTheirProperties(_ url: String, _ accept: String?, _ expected: String)
        async throws
    {
        let (_, provider) = try await Self.opened()
        #expect(await Self.members(provider, url, accept: accept) == expected)
    }

    @Test(arguments: [
        // A value without a type, none, and one of another type.
        (#"{"Born":"a text"}"#, #""Plain":"x","Born":"a text""#),
        (#"{"Born":null}"#, #""Plain":"x""#),
        (
            ##"{"Born@odata.type":"#Guid","Born":"01234567-89ab-cdef-0123-456789abcdef"}"##,
            ##""Born@odata.type":"#Guid","Born":"01234567-89ab-cdef-0123-456789abcdef","Plain":"x""##
        ),
        (#"{"Plain":"y"}"#, ##""Born@odata.type":"#Date","Born":"2020-01-01","Plain":"y""##),
    ])
    func goWithTheValueThatTheyWereOf(_ change: String, _ expected: String) async throws {
        let (service, provider) = try await Self.opened()
        let request = HTTPRequest(method: "PATCH", url: "Items(1)", body: Array(change.utf8))
        #expect(await provider.respond(to: request).isSuccess)
        let members = await Self.members(provider)
        #expect(members.split(separator: ",").sorted() == expected.split(separator: ",").sorted())
        service.set("PATCH Items(1)", HTTPResponse(status: 204))
        try await provider.upload()
        #expect(service.bodies(of: "PATCH Items(1)") == [change])
    }

    @Test func goWithADownloadWithoutThem() async throws {
        let (service, provider) = try await Self.opened()
        service.set("GET Items", Self.page(#""Born":"2020-01-01","Plain":"x""#))
        try await provider.download()
        #expect(await Self.members(provider) == #""Born":"2020-01-01","Plain":"x""#)
        service.set("GET Items", Self.page(Self.typed))
        try await provider.download()
        #expect(await Self.members(provider) == Self.typed)
    }

    @Test func areSentWithACreatedEntity() async throws {
        let (service, provider) = try await Self.opened()
        let body = ##"{"ID":2,"When@odata.type":"#Duration","When":"PT1H"}"##
        let request = HTTPRequest(method: "POST", url: "Items", body: Array(body.utf8))
        #expect(await provider.respond(to: request).isSuccess)
        service.set("POST Items", RecordedService.json(body, status: 201))
        try await provider.upload()
        #expect(service.bodies(of: "POST Items") == [body])
    }

    @Test func stayWithAChangedEntityOfTheApplication() async throws {
        let (_, provider) = try await Self.opened()
        var item = try #require(try await provider.executeQuery("Items").first)
        item["Born"] = "2021-01-01"
        try await provider.updateEntity(item)
        let bodies = try await provider.requestQueue().map(\.body)
        #expect(bodies == [##"{"Born@odata.type":"#Date","Born":"2021-01-01"}"##])
    }

    @Test func areNoPropertiesOfAConflict() async throws {
        let (_, provider) = try await Self.opened()
        let change = ##"{"Born@odata.type":"#String","Born":"2020-01-01"}"##
        let request = HTTPRequest(method: "PATCH", url: "Items(1)", body: Array(change.utf8))
        #expect(await provider.respond(to: request).isSuccess)
        #expect(try await provider.conflict(for: "Items(1)").changedProperties == ["Born"])
    }

    @Test func standInAnExport() async throws {
        let (_, provider) = try await Self.opened()
        var text = ""
        try await provider.exportData { text += String(decoding: $0.json, as: UTF8.self) }
        #expect(text.contains(Self.typed))
    }

    /// A service without ETags: what others have changed besides is there once the change that waited is taken back.
    @Test func takesChangesOfOthersIntoTheVersionThatAWaitingChangeWasMadeOn() async throws {
        let (service, provider) = try await Self.opened(#""Plain":"x","Other":1"#)
        let change = HTTPRequest(
            method: "PATCH",
            url: "Items(1)",
            body: Array(#"{"Plain":"mine"}"#.utf8)
        )
        try #require(await provider.respond(to: change).isSuccess)
        service.set("GET Items", Self.page(#""Plain":"x","Other":2"#))
        try await provider.download()
        try await provider.undoPendingChanges("Items(1)")
        #expect(await Self.members(provider) == #""Plain":"x","Other":2"#)
    }
}
