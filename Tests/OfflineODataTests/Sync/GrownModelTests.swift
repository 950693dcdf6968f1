import ODataHTTP
import OfflineOData
import Testing

/// What waits while the service's model gets a property more.
@Suite struct GrownModelTests {
    private static let metadata = """
        <edmx:Edmx Version="4.0" xmlns:edmx="http://docs.oasis-open.org/odata/ns/edmx"><edmx:DataServices>
        <Schema Namespace="N" xmlns="http://docs.oasis-open.org/odata/ns/edm">
        <EntityType Name="Item"><Key><PropertyRef Name="ID"/></Key>
        <Property Name="ID" Type="Edm.Int32" Nullable="false"/><Property Name="Name" Type="Edm.String"/></EntityType>
        <EntityContainer Name="C"><EntitySet Name="Items" EntityType="N.Item"/></EntityContainer></Schema></edmx:DataServices></edmx:Edmx>
        """

    private static func item(_ version: Int, _ values: String) -> String {
        #"{"@odata.etag":"W/\"\#(version)\"","ID":1\#(values)}"#
    }

    private static func page(_ item: String, next: Int) -> HTTPResponse {
        RecordedService.json(#"{"value":[\#(item)],"@odata.deltaLink":"Items?d=\#(next)"}"#)
    }

    private static func grow(_ service: RecordedService) {
        let grown = metadata.replacing(
            "</EntityType>",
            with: #"<Property Name="Added" Type="Edm.String"/></EntityType>"#
        )
        service.set("GET $metadata", HTTPResponse(status: 200, body: Array(grown.utf8)))
    }

    /// The newest version stands beside a refused deletion, also where it differs in nothing but the new property.
    @Test func takesTheNewPropertyOfAnEntityWhoseDeletionWasRefused() async throws {
        let service = try RecordedService(metadata: Self.metadata)
        service.set("GET Items", Self.page(Self.item(1, #","Name":"a""#), next: 1))
        let provider = try await service.opened(["Items"])
        let theirs = Self.item(2, #","Name":"theirs""#)
        service.set("DELETE Items(1)", HTTPResponse(status: 412))
        service.set("GET Items(1)", RecordedService.json(theirs))
        try await provider.send("DELETE", "Items(1)")
        try await provider.upload()
        #expect(try await provider.errorArchive().count == 1)

        Self.grow(service)
        service.set(
            "GET Items",
            Self.page(Self.item(2, #","Name":"theirs","Added":null"#), next: 2)
        )
        try await provider.download()
        service.set(
            "GET Items?d=2",
            Self.page(Self.item(3, #","Name":"theirs","Added":"value""#), next: 3)
        )
        try await provider.download()

        try await provider.discardAllErrors()
        let item = try await provider.executeQuery("Items(1)").first
        #expect(item?["Added"] == .string("value"))
        #expect(item?["Name"] == .string("theirs"))
        #expect(item?.etag == #"W/"3""#)
    }

    /// Of an entity that was created here all is known.
    @Test func replacesAnEntityThatWasCreatedBefore() async throws {
        let service = try RecordedService(metadata: Self.metadata)
        service.set("GET Items", RecordedService.json(#"{"value":[]}"#))
        let provider = try await service.opened(["Items"])
        try await provider.send("POST", "Items", #"{"ID":7,"Name":"n"}"#)
        Self.grow(service)
        try await provider.download()
        try await provider.send("PUT", "Items(7)", #"{"Name":"n2"}"#)
        let item = try #require(await provider.executeQuery("Items(7)").first)
        #expect(item["Name"] == .string("n2"))
        #expect(item["Added"] == .null)
        #expect(try await provider.executeQuery("Items?$filter=Added eq null").count == 1)
    }
}
