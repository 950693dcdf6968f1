import ODataHTTP
import OfflineOData
import Testing

/// A link that waits and a change of its entity by somebody else: links go without an ETag, whichever end they are changed from.
@Suite struct LinkBesideChangesTests {
    private static let model = """
        <edmx:Edmx Version="4.0" xmlns:edmx="http://docs.oasis-open.org/odata/ns/edmx"><edmx:DataServices>
        <Schema Namespace="N" xmlns="http://docs.oasis-open.org/odata/ns/edm">
        <EntityType Name="Shelf"><Key><PropertyRef Name="ID"/></Key><Property Name="ID" Type="Edm.Int32" Nullable="false"/>
        <NavigationProperty Name="Crates" Type="Collection(N.Crate)" Partner="Shelf"/></EntityType>
        <EntityType Name="Crate"><Key><PropertyRef Name="ID"/></Key><Property Name="ID" Type="Edm.Int32" Nullable="false"/>
        <Property Name="Rank" Type="Edm.Int32"/><Property Name="Tags" Type="Collection(Edm.String)"/>
        <Property Name="ShelfID" Type="Edm.Int32"/>
        <NavigationProperty Name="Shelf" Type="N.Shelf" Partner="Crates">
        <ReferentialConstraint Property="ShelfID" ReferencedProperty="ID"/></NavigationProperty></EntityType>
        <EntityContainer Name="C"><EntitySet Name="Shelves" EntityType="N.Shelf">
        <NavigationPropertyBinding Path="Crates" Target="Crates"/></EntitySet>
        <EntitySet Name="Crates" EntityType="N.Crate"><NavigationPropertyBinding Path="Shelf" Target="Shelves"/></EntitySet>
        </EntityContainer></Schema></edmx:DataServices></edmx:Edmx>
        """

    private static func crates(etag: Int, rank: Int, shelf: Int, tags: String = "[]")
        -> HTTPResponse
    {
        RecordedService.json(
            #"{"value":[{"@odata.etag":"W/\"\#(etag)\"","ID":1,"Rank":\#(rank),"Tags":\#(tags),"ShelfID":\#(shelf)}]}"#
        )
    }

    /// A store whose crate stands on the first shelf.
    private func opened() async throws -> (RecordedService, OfflineODataProvider) {
        let service = try RecordedService(metadata: Self.model)
        service.set("GET Shelves", RecordedService.json(#"{"value":[{"ID":1},{"ID":2},{"ID":3}]}"#))
        service.set("GET Crates", Self.crates(etag: 1, rank: 1, shelf: 1))
        service.set("POST $batch", HTTPResponse(status: 404))
        return (service, try await service.opened(["Shelves", "Crates"]))
    }

    private static let links = [
        ("PUT", "Crates(1)/Shelf/$ref", #"{"@odata.id":"Shelves(2)"}"#),
        ("POST", "Shelves(2)/Crates/$ref", #"{"@odata.id":"Crates(1)"}"#),
    ]

    @Test(arguments: links)
    func isSentBesideAnotherChange(_ method: String, _ url: String, _ body: String) async throws {
        let (service, provider) = try await opened()
        try await provider.send(method, url, body)
        service.set("GET Crates", Self.crates(etag: 2, rank: 7, shelf: 1))
        #expect(try await provider.download().conflictCount == 0)
        let crate = try #require(try await provider.executeQuery("Crates(1)").first)
        #expect(crate["Rank"]?.integerValue == 7)
        #expect(crate["ShelfID"]?.integerValue == 2)
        service.set("\(method) \(url)", HTTPResponse(status: 204))
        #expect(try await provider.upload().succeededCount == 1)
    }

    /// A download has shown that somebody else has moved it: a person decides.
    @Test(arguments: links)
    func isNoMatterOfCourseWhereTheLinkItselfHasChanged(
        _ method: String,
        _ url: String,
        _ body: String
    ) async throws {
        let (service, provider) = try await opened()
        try await provider.send(method, url, body)
        service.set("GET Crates", Self.crates(etag: 2, rank: 1, shelf: 3))
        #expect(try await provider.download().conflictCount == 1)
        #expect(try await provider.upload().failedCount == 1)
        // The way out names the entity with the other version, and leads on.
        let refused = try #require(try await provider.errorArchive().first)
        let named = url.hasPrefix("Crates") ? "the entity" : "Crates(1)"
        #expect(refused.failure?.message.contains("; \(named) was changed") == true)
        try await provider.resolveConflict("Crates(1)", with: .local)
        service.set("\(method) \(url)", HTTPResponse(status: 204))
        #expect(try await provider.upload().succeededCount == 1)
    }

    /// A value that was written again goes over what somebody else has made of it: a person sees that before.
    @Test func aValueThatWasWrittenAgainIsAChange() async throws {
        let (service, provider) = try await opened()
        try await provider.send("PATCH", "Crates(1)", #"{"Rank":1,"Tags":["x"]}"#)
        service.set("GET Crates", Self.crates(etag: 2, rank: 9, shelf: 1))
        #expect(try await provider.download().conflictCount == 1)
        let conflict = try await provider.conflict(for: "Crates(1)")
        #expect(conflict.changedProperties.sorted() == ["Rank", "Tags"])
        let rank = try #require(conflict.differences.first { $0.path == "Rank" })
        #expect(rank.isContested)

        try await provider.undoAllPendingChanges()
        try await provider.send("DELETE", "Crates(1)", "")
        #expect(try await provider.conflict(for: "Crates(1)").changedProperties == [])
    }

    /// Services write collections as they like.
    @Test(arguments: [
        (#"["a","\u00e4"]"#, #"[ "a" , "ä" ]"#, 0), (#"["a","b"]"#, #"["b","a"]"#, 1),
        (#"["a"]"#, #"["a",null]"#, 1),
    ])
    func aCollectionInAnotherWritingIsNoOtherVersion(
        _ before: String,
        _ after: String,
        _ conflicts: Int
    ) async throws {
        let (service, provider) = try await opened()
        service.set("GET Crates", Self.crates(etag: 2, rank: 1, shelf: 1, tags: before))
        try await provider.download()
        try await provider.send("PATCH", "Crates(1)", #"{"Rank":5}"#)
        service.set("GET Crates", Self.crates(etag: 3, rank: 1, shelf: 1, tags: after))
        #expect(try await provider.download().conflictCount == conflicts)
    }

    /// Changed with its entity a link goes under the entity's ETag, also where a download has brought a newer one: somebody else may have
    /// set the link, too, which no look at the entity's own values shows.
    @Test(arguments: [4, 6])
    func isSentUnderTheVersionThatItWasMadeOn(_ head: Int) async throws {
        let service = try RecordedService(
            metadata: """
                <edmx:Edmx Version="4.0" xmlns:edmx="http://docs.oasis-open.org/odata/ns/edmx"><edmx:DataServices>
                <Schema Namespace="N" xmlns="http://docs.oasis-open.org/odata/ns/edm">
                <EntityType Name="Ward"><Key><PropertyRef Name="ID"/></Key>
                <Property Name="ID" Type="Edm.Int32" Nullable="false"/><Property Name="Name" Type="Edm.String"/>
                <NavigationProperty Name="Head" Type="N.Nurse"/></EntityType>
                <EntityType Name="Nurse"><Key><PropertyRef Name="ID"/></Key>
                <Property Name="ID" Type="Edm.Int32" Nullable="false"/></EntityType>
                <EntityContainer Name="C"><EntitySet Name="Wards" EntityType="N.Ward">
                <NavigationPropertyBinding Path="Head" Target="Nurses"/></EntitySet>
                <EntitySet Name="Nurses" EntityType="N.Nurse"/></EntityContainer></Schema></edmx:DataServices></edmx:Edmx>
                """
        )
        func ward(_ version: Int, _ head: Int) -> String {
            "{\"@odata.etag\":\"W/\\\"\(version)\\\"\",\"ID\":1,\"Name\":\"a\",\"Head\":{\"ID\":\(head)}}"
        }
        let wards = "Wards?$expand=Head"
        service.set("GET " + wards, RecordedService.json("{\"value\":[\(ward(1, 4))]}"))
        service.set("GET Nurses", RecordedService.json(#"{"value":[{"ID":4},{"ID":5},{"ID":6}]}"#))
        service.set("POST $batch", HTTPResponse(status: 404))
        let provider = try await service.opened([wards, "Nurses"])
        try await provider.send("PATCH", "Wards(1)", #"{"Name":"b","Head@odata.bind":"Nurses(5)"}"#)
        service.set("GET " + wards, RecordedService.json("{\"value\":[\(ward(2, head))]}"))
        try await provider.download()
        service.set("PATCH Wards(1)", HTTPResponse(status: 412))
        for options in ["", "?$expand=Head", "?$expand=Head/$ref", "?$expand=Head($select=ID)"] {
            service.set("GET Wards(1)" + options, RecordedService.json(ward(2, head)))
        }
        service.clearLog()
        #expect(try await provider.upload().failedCount == 1)
        #expect(
            service.log.filter { $0.method == "PATCH" }.map { $0.headers["If-Match"] } == [
                "W/\"1\""
            ]
        )
        #expect(try await provider.executeQuery("Wards(1)/Head").first?["ID"] == .integer(5))
    }
}
