import ODataHTTP
import OfflineOData
import Testing

/// Entities that somebody else has deleted are created anew with the links that they had.
@Suite struct RecreatedLinksTests {
    private static let model = """
        <edmx:Edmx Version="4.0" xmlns:edmx="http://docs.oasis-open.org/odata/ns/edmx"><edmx:DataServices>
        <Schema Namespace="N" xmlns="http://docs.oasis-open.org/odata/ns/edm">
        <EntityType Name="Ward"><Key><PropertyRef Name="ID"/></Key>
        <Property Name="ID" Type="Edm.Int32" Nullable="false"/><Property Name="Name" Type="Edm.String"/>
        <NavigationProperty Name="Head" Type="N.Nurse"/>
        <NavigationProperty Name="Nurses" Type="Collection(N.Nurse)" Partner="Wards"/></EntityType>
        <EntityType Name="Nurse"><Key><PropertyRef Name="ID"/></Key>
        <Property Name="ID" Type="Edm.Int32" Nullable="false"/><Property Name="Name" Type="Edm.String"/>
        <NavigationProperty Name="Wards" Type="Collection(N.Ward)" Partner="Nurses"/></EntityType>
        <EntityContainer Name="C"><EntitySet Name="Wards" EntityType="N.Ward">
        <NavigationPropertyBinding Path="Head" Target="Nurses"/>
        <NavigationPropertyBinding Path="Nurses" Target="Nurses"/></EntitySet>
        <EntitySet Name="Nurses" EntityType="N.Nurse"><NavigationPropertyBinding Path="Wards" Target="Wards"/></EntitySet>
        </EntityContainer></Schema></edmx:DataServices></edmx:Edmx>
        """

    private static let wards = "Wards?$expand=Head,Nurses"

    /// A store with a ward that is changed here and deleted at the service.
    private func deleted() async throws -> (RecordedService, OfflineODataProvider) {
        let service = try RecordedService(metadata: Self.model)
        service.set(
            "GET " + Self.wards,
            RecordedService.json(
                #"{"value":[{"ID":1,"Name":"a","Head":{"ID":4},"Nurses":[{"ID":4},{"ID":5}]}]}"#
            )
        )
        service.set("POST $batch", HTTPResponse(status: 404))
        let provider = try await service.opened([Self.wards])
        try await provider.send("PATCH", "Wards(1)", #"{"Name":"mine"}"#)
        #expect(try await provider.upload().failedCount == 1)
        return (service, provider)
    }

    @Test func sendsThem() async throws {
        let (service, provider) = try await deleted()
        try await provider.resolveConflict("Wards(1)", with: .local)
        service.set("POST Wards", RecordedService.json(#"{"ID":1,"Name":"mine"}"#, status: 201))
        #expect(try await provider.upload().succeededCount == 1)
        #expect(
            service.bodies(of: "POST Wards") == [
                #"{"ID":1,"Name":"mine","Head@odata.bind":"Nurses(4)","#
                    + #""Nurses@odata.bind":["Nurses(4)","Nurses(5)"]}"#
            ]
        )
    }

    /// A foreign key that no client can set is named by the link, and what the service alone sets is left out.
    @Test func namesWhatAReadOnlyForeignKeyLeadsTo() async throws {
        let readOnly =
            #"<Annotation Term="Org.OData.Core.V1.Permissions" EnumMember="Org.OData.Core.V1.Permission/Read"/>"#
        let service = try RecordedService(
            metadata: """
                <edmx:Edmx Version="4.0" xmlns:edmx="http://docs.oasis-open.org/odata/ns/edmx"><edmx:DataServices>
                <Schema Namespace="N" xmlns="http://docs.oasis-open.org/odata/ns/edm">
                <EntityType Name="Nurse"><Key><PropertyRef Name="ID"/></Key>
                <Property Name="ID" Type="Edm.Int32" Nullable="false"/></EntityType>
                <EntityType Name="Ward"><Key><PropertyRef Name="ID"/></Key>
                <Property Name="ID" Type="Edm.Int32" Nullable="false"/><Property Name="Name" Type="Edm.String"/>
                <Property Name="_head" Type="Edm.Int32">\(readOnly)</Property>
                <Property Name="Version" Type="Edm.Int64">\(readOnly)</Property>
                <NavigationProperty Name="Head" Type="N.Nurse">
                <ReferentialConstraint Property="_head" ReferencedProperty="ID"/></NavigationProperty></EntityType>
                <EntityContainer Name="C"><EntitySet Name="Wards" EntityType="N.Ward">
                <NavigationPropertyBinding Path="Head" Target="Nurses"/></EntitySet>
                <EntitySet Name="Nurses" EntityType="N.Nurse"/></EntityContainer></Schema></edmx:DataServices></edmx:Edmx>
                """
        )
        service.set(
            "GET Wards",
            RecordedService.json(#"{"value":[{"ID":1,"Name":"a","_head":4,"Version":7}]}"#)
        )
        service.set("GET Nurses", RecordedService.json(#"{"value":[{"ID":4}]}"#))
        service.set("POST $batch", HTTPResponse(status: 404))
        let provider = try await service.opened(["Wards", "Nurses"])
        try await provider.send("PATCH", "Wards(1)", #"{"Name":"mine"}"#)
        #expect(try await provider.upload().failedCount == 1)
        try await provider.resolveConflict("Wards(1)", with: .local)
        service.set("POST Wards", RecordedService.json(#"{"ID":1,"Name":"mine"}"#, status: 201))
        try await provider.upload()
        #expect(
            service.bodies(of: "POST Wards") == [
                #"{"ID":1,"Name":"mine","Head@odata.bind":"Nurses(4)"}"#
            ]
        )
    }

    /// A service refuses a change for a reason of its own, and says so as for another version: it has none.
    @Test func knowsThatNobodyHasChangedTheEntity() async throws {
        let service = try RecordedService(metadata: Self.model)
        service.set(
            "GET Nurses",
            RecordedService.json(##"{"value":[{"@odata.etag":"W/\"1\"","ID":4,"Name":"a"}]}"##)
        )
        service.set("POST $batch", HTTPResponse(status: 404))
        let provider = try await service.opened(["Nurses"])
        try await provider.send("PATCH", "Nurses(4)", #"{"Name":"taken"}"#)
        service.set("PATCH Nurses(4)", HTTPResponse(status: 412))
        let read = { (name: String, version: Int) in
            service.set(
                "GET Nurses(4)",
                RecordedService.json(
                    "{\"@odata.etag\":\"W/\\\"\(version)\\\"\",\"ID\":4,\"Name\":\"\(name)\"}"
                )
            )
        }
        read("a", 1)
        #expect(try await provider.upload().failedCount == 1)
        #expect(try await !provider.conflict(for: "Nurses(4)").hasOtherValues)
        let refused = try #require(try await provider.errorArchive().first)
        try await provider.editRequest(refused.id, body: #"{"Name":"free"}"#)
        service.set("PATCH Nurses(4)", HTTPResponse(status: 204))
        #expect(try await provider.upload().succeededCount == 1)
    }

    /// A link that was changed here goes as it is here.
    @Test func sendsThoseThatWereChangedHere() async throws {
        let (service, provider) = try await deleted()
        try await provider.send("PATCH", "Wards(1)", #"{"Head@odata.bind":"Nurses(5)"}"#)
        try await provider.resolveConflict("Wards(1)", with: .local)
        service.set("POST Wards", RecordedService.json(#"{"ID":1,"Name":"mine"}"#, status: 201))
        try await provider.upload()
        let body = try #require(service.bodies(of: "POST Wards").first)
        #expect(
            body.contains(#""Head@odata.bind":"Nurses(5)""#),
            "\(body)"
        )
        #expect(!body.contains(#""Head@odata.bind":"Nurses(4)""#))
    }

    /// Both ends are created anew: the one that is resolved last names the other, which goes first.
    @Test(arguments: [["Wards(1)", "Nurses(4)"], ["Nurses(4)", "Wards(1)"]])
    func linksEntitiesThatAreBothCreatedAnew(_ order: [String]) async throws {
        let service = try RecordedService(metadata: Self.model)
        service.set(
            "GET " + Self.wards,
            RecordedService.json(
                #"{"value":[{"ID":1,"Name":"a","Head":{"ID":4},"Nurses":[{"ID":4}]}]}"#
            )
        )
        service.set("GET Nurses", RecordedService.json(#"{"value":[{"ID":4,"Name":"n"}]}"#))
        service.set("POST $batch", HTTPResponse(status: 404))
        let provider = try await service.opened([Self.wards, "Nurses"])
        try await provider.send("PATCH", "Wards(1)", #"{"Name":"mine"}"#)
        try await provider.send("PATCH", "Nurses(4)", #"{"Name":"mine"}"#)
        #expect(try await provider.upload().failedCount == 2)
        for url in order { try await provider.resolveConflict(url, with: .local) }
        service.set("POST Wards", RecordedService.json(#"{"ID":1,"Name":"mine"}"#, status: 201))
        service.set("POST Nurses", RecordedService.json(#"{"ID":4,"Name":"mine"}"#, status: 201))
        #expect(try await provider.upload().succeededCount == 2)

        let first = order[0].prefix { $0 != "(" }
        #expect(
            service.requests.filter { $0.hasPrefix("POST ") && $0 != "POST $batch" }.first
                == "POST \(first)"
        )
        let last = try #require(
            service.bodies(of: first == "Wards" ? "POST Nurses" : "POST Wards").first
        )
        let link =
            first == "Wards"
            ? #""Wards@odata.bind":["Wards(1)"]"#
            : #""Head@odata.bind":"Nurses(4)","Nurses@odata.bind":["Nurses(4)"]"#
        #expect(last.contains(link), "\(last)")
        let nurse = try await provider.executeQuery("Wards(1)/Nurses").map(\.["ID"])
        #expect(nurse == [4])
    }
}
