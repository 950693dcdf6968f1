import ODataHTTP
import OfflineOData
import Testing

/// How members of a change set name what another member creates: in the URL at any service, in a body only where the service says so
/// (`Capabilities.BatchSupport/ReferencesInRequestBodiesSupported`).
@Suite struct ChangeSetReferenceTests {
    private func opened(announces: Bool = false, isJSON: Bool = false) async throws -> (
        RecordedService, OfflineODataProvider
    ) {
        let annotation = """
            <Annotation Term="Org.OData.Capabilities.V1.BatchSupport"><Record>
            <PropertyValue Property="ReferencesInRequestBodiesSupported" Bool="\(announces)"/>
            </Record></Annotation></EntityContainer>
            """
        let service = try RecordedService(
            metadata: Self.model.replacing("</EntityContainer>", with: annotation)
        )
        service.set("GET Orders", RecordedService.json(#"{"value":[{"ID":1,"Title":"a"}]}"#))
        service.set("GET Items", RecordedService.json(#"{"value":[]}"#))
        service.set("POST $batch", Self.answer("HTTP/1.1 400 Bad\r\n\r\n"))
        let provider = try await service.opened(["Orders", "Items"]) {
            if isJSON { $0.uploadBatchFormat = .json }
        }
        service.clearLog()
        return (service, provider)
    }

    /// Items know their order.
    private static let model = ShopModel.v4(
        """
        <Property Name="OrderID" Type="Edm.Int32"/>
        <NavigationProperty Name="Order" Type="Shop.Order" Partner="Items">
        <ReferentialConstraint Property="OrderID" ReferencedProperty="ID"/></NavigationProperty>
        """
    )
    .replacing("Collection(Shop.Item)\"/>", with: "Collection(Shop.Item)\" Partner=\"Order\"/>")
    .replacing(
        "<EntitySet Name=\"Items\" EntityType=\"Shop.Item\"/>",
        with: """
            <EntitySet Name="Items" EntityType="Shop.Item">
            <NavigationPropertyBinding Path="Order" Target="Orders"/></EntitySet>
            """
    )

    private static func answer(_ message: String) -> HTTPResponse {
        let part = "--r\r\nContent-Type: application/http\r\n\r\n\(message)\r\n--r--"
        return HTTPResponse(
            status: 200,
            headers: ["Content-Type": "multipart/mixed; boundary=r"],
            body: Array(part.utf8)
        )
    }

    private func order(_ key: Int?, _ provider: OfflineODataProvider) async throws -> String {
        var values: EntityValue = EntityValue(entitySet: "Orders", ["Title": "new"])
        if let key { values["ID"] = .integer(Int64(key)) }
        let made = try await provider.createEntity(values, options: .transaction("t"))
        return try #require(made.readLink)
    }

    /// Lets the service be seen to give another key than the one that was sent.
    private func replaceKey(_ service: RecordedService, _ provider: OfflineODataProvider)
        async throws
    {
        try await provider.createEntity(EntityValue(entitySet: "Orders", ["ID": 50, "Title": "b"]))
        service.set(
            "POST $batch",
            Self.answer(
                "HTTP/1.1 201 Created\r\nContent-Type: application/json\r\n\r\n{\"ID\":70,\"Title\":\"b\"}"
            ),
            Self.answer("HTTP/1.1 400 Bad\r\n\r\n")
        )
        try await provider.upload()
        service.clearLog()
    }

    @Test func namesANewEntityInABodyWhereTheServiceTakesIt() async throws {
        let (service, provider) = try await opened(announces: true)
        let order = try await order(nil, provider)
        try await provider.send(
            "POST",
            "Items",
            "{\"Name\":\"i\",\"Order@odata.bind\":\"\(order)\"}",
            transaction: "t"
        )
        _ = try await provider.upload()
        let body = try #require(service.bodies(of: "POST $batch").first)
        #expect(body.contains(#""Order@odata.bind":"$1""#))
        #expect(body.contains("POST Items HTTP"))
    }

    @Test func sendsABoundCreationToTheCollectionElsewhere() async throws {
        let (service, provider) = try await opened()
        let order = try await order(nil, provider)
        try await provider.send(
            "POST",
            "Items",
            "{\"Name\":\"i\",\"Order@odata.bind\":\"\(order)\"}",
            transaction: "t"
        )
        _ = try await provider.upload()
        let body = try #require(service.bodies(of: "POST $batch").first)
        #expect(body.contains("POST $1/Items HTTP/1.1"))
        #expect(body.contains(#"{"Name":"i"}"#))
        #expect(!body.contains("bind"))
    }

    @Test func sendsNothingWhereABodyWouldHaveToNameANewEntity() async throws {
        let (service, provider) = try await opened()
        let item = try await item(provider)
        try await provider.send(
            "POST",
            "Orders(1)/Items/$ref",
            "{\"@odata.id\":\"\(item)\"}",
            transaction: "t"
        )
        #expect(try await provider.upload().failedCount == 2)
        #expect(service.requests.isEmpty)
        let archived = try await provider.errorArchive()
        #expect(archived.allSatisfy { $0.failure?.code == "AtomicGroup" })
        #expect(
            archived.first?.failure?.message.contains("ReferencesInRequestBodiesSupported") == true
        )
    }

    private func item(_ provider: OfflineODataProvider) async throws -> String {
        let made = try await provider.createEntity(
            EntityValue(entitySet: "Items", ["Name": "i"]),
            options: .transaction("t")
        )
        return try #require(made.readLink)
    }

    /// In JSON a request says which others it names (OData JSON 4.01 § 19.1).
    @Test func dependsOnTheCreationThatItsURLNames() async throws {
        let (service, provider) = try await opened(isJSON: true)
        let order = try await order(nil, provider)
        try await provider.send("POST", order + "/Items", #"{"Name":"i"}"#, transaction: "t")
        _ = try? await provider.upload()
        let body = try #require(service.bodies(of: "POST $batch").first)
        #expect(body.contains(#""url":"$1/Items""#))
        #expect(body.contains(#""dependsOn":["1"]"#))
    }

    /// The same in a body, where the service takes references there.
    @Test func namesANewEntityByItsContentIDInABodyThoughAKeyWasSent() async throws {
        let (service, provider) = try await opened(announces: true)
        _ = try await order(7, provider)
        let body = #"{"ID":3,"Name":"Orders(7)","Order@odata.bind":"Orders(7)"}"#
        try await provider.send("POST", "Items", body, transaction: "t")
        _ = try? await provider.upload()
        let sent = try #require(service.bodies(of: "POST $batch").first)
        #expect(sent.contains(#""Order@odata.bind":"$1""#))
        #expect(sent.contains(#""Name":"Orders(7)""#))
    }

    /// The key that was sent may become another's: in a URL the Content-ID is always right.
    @Test func namesANewEntityByItsContentIDThoughAKeyWasSent() async throws {
        let (service, provider) = try await opened()
        let order = try await order(7, provider)
        #expect(order == "Orders(7)")
        try await provider.send(
            "POST",
            "Orders(7)/Items",
            #"{"Name":"i"}"#,
            transaction: "t"
        )
        _ = try await provider.upload()
        let body = try #require(service.bodies(of: "POST $batch").first)
        #expect(body.contains("POST $1/Items HTTP/1.1"))
    }

    @Test func namesNoKeyThatWillBeReplacedInABody() async throws {
        let (service, provider) = try await opened()
        try await replaceKey(service, provider)
        _ = try await order(7, provider)
        try await provider.send(
            "POST",
            "Items",
            #"{"Name":"i","Order@odata.bind":"Orders(7)"}"#,
            transaction: "t"
        )
        _ = try await provider.upload()
        let body = try #require(service.bodies(of: "POST $batch").first)
        #expect(body.contains("POST $1/Items HTTP/1.1"))
        #expect(!body.contains("Orders(7)"))
    }

    @Test func namesNoKeyThatWillBeReplacedAsAForeignKey() async throws {
        let (service, provider) = try await opened()
        try await replaceKey(service, provider)
        _ = try await order(7, provider)
        try await provider.send(
            "POST",
            "Items",
            #"{"Name":"i","OrderID":7}"#,
            transaction: "t"
        )
        _ = try await provider.upload()
        let body = try #require(service.bodies(of: "POST $batch").first)
        #expect(body.contains("POST $1/Items HTTP/1.1"))
        #expect(body.contains(#"{"Name":"i"}"#))
    }

    /// The number of a link request is no entity's.
    @Test func namesACreationBehindALinkRequest() async throws {
        let (service, provider) = try await opened(announces: true)
        let order = try await order(nil, provider)
        let item = try await item(provider)
        try await provider.send(
            "POST",
            order + "/Items/$ref",
            "{\"@odata.id\":\"\(item)\"}",
            transaction: "t"
        )
        try await provider.send(
            "POST",
            "Items",
            "{\"Name\":\"j\",\"Order@odata.bind\":\"\(order)\"}",
            transaction: "t"
        )
        _ = try await provider.upload()
        let body = try #require(service.bodies(of: "POST $batch").first)
        #expect(body.contains("POST $1/Items/$ref"))
        #expect(body.contains(#""Order@odata.bind":"$1""#))
    }

    /// The key in the body may come to be another entity's, which no Content-ID in its place would say.
    @Test func namesNoNewEntityByAKeyThatMayBeReplaced() async throws {
        let (service, provider) = try await opened(announces: true)
        try await replaceKey(service, provider)
        _ = try await order(60, provider)
        try await provider.send("POST", "Items", #"{"Name":"i","OrderID":60}"#, transaction: "t")
        _ = try await provider.upload()
        let body = try #require(service.bodies(of: "POST $batch").first)
        #expect(body.contains("POST $1/Items HTTP/1.1"))
        #expect(body.contains(#"{"Name":"i"}"#))
    }
}
