import OfflineOData
import ODataHTTP
import Testing

/// Header fields and control information of downloads: isolation, the metadata's ETag, fields that go with a delta link.
@Suite struct DownloadHeaderTests {
    private static func isolating(_ level: String) -> String {
        ShopModel.v4().replacing(
            #"<EntityContainer Name="C">"#,
            with:
                #"<EntityContainer Name="C"><Annotation Term="Org.OData.Capabilities.V1.IsolationSupported"><EnumMember>\#(level)</EnumMember></Annotation>"#
        )
    }

    @Test(arguments: [
        ("Org.OData.Capabilities.V1.IsolationLevel/Snapshot", "snapshot"), ("", nil),
    ])
    func asksForASnapshotWhereTheServiceHasOne(_ level: String, _ value: String?) async throws {
        let service = try RecordedService(
            metadata: level.isEmpty ? ShopModel.v4() : Self.isolating(level)
        )
        service.set(
            "GET Orders",
            RecordedService.json(#"{"value":[{"ID":1}],"@odata.nextLink":"Orders?p=2"}"#)
        )
        service.set("GET Orders?p=2", RecordedService.json(#"{"value":[{"ID":2}]}"#))
        let provider = try await service.opened(["Orders"])
        #expect(try await provider.executeQuery("Orders").count == 2)
        let pages = service.log.filter { $0.url.contains("Orders") }
        #expect(pages.map { $0.headers["OData-Isolation"] } == [value, value])
    }

    // MARK: Metadata

    private func document(_ metadata: String, _ etag: String?) -> HTTPResponse {
        var headers: HTTPHeaders = ["Content-Type": "application/xml"]
        headers["ETag"] = etag
        return HTTPResponse(status: 200, headers: headers, body: Array(metadata.utf8))
    }

    private static let grown = ShopModel.v4(#"<Property Name="Size" Type="Edm.Int32"/>"#)

    /// A cache in between may answer with the metadata of before.
    @Test(arguments: ["@odata.metadataEtag", "@metadataEtag"])
    func asksForTheMetadataThatAnAnswerWasMadeWith(_ name: String) async throws {
        let service = try RecordedService(metadata: ShopModel.v4())
        service.set("GET $metadata", document(ShopModel.v4(), "\"1\""))
        let old = #"{"\#(name)":"W/\"1\"","value":[{"ID":10}]}"#
        service.set("GET Items", RecordedService.json(old))
        let provider = try await service.opened(["Items"])
        #expect(service.requests == ["GET $metadata", "GET Items"])
        service.clearLog()
        service.set(
            "GET $metadata",
            document(ShopModel.v4(), "\"1\""),
            document(Self.grown, "\"2\"")
        )
        service.set(
            "GET Items",
            RecordedService.json(#"{"\#(name)":"W/\"2\"","value":[{"ID":10,"Size":3}]}"#)
        )
        try await provider.download()
        #expect(
            service.requests == ["GET $metadata", "GET Items", "GET $metadata", "GET Items"]
        )
        #expect(service.log.last { $0.url.hasSuffix("$metadata") }?.headers["If-None-Match"] == nil)
        #expect(try await provider.executeQuery("Items(10)").first?["Size"]?.integerValue == 3)
    }

    @Test func readsTheMetadataETagOfASingleEntity() async throws {
        let service = try RecordedService(metadata: ShopModel.v4())
        service.set("GET $metadata", document(ShopModel.v4(), "\"1\""))
        service.set(
            "GET Items(10)",
            RecordedService.json(#"{"@odata.metadataEtag":"\"2\"","ID":10}"#)
        )
        _ = try await service.opened(["Items(10)"])
        #expect(service.requests == ["GET $metadata", "GET Items(10)", "GET $metadata"])
    }

    /// A service may state another ETag there than it sends with the metadata, for ever: it is asked once.
    @Test(arguments: ["\"1\"", nil])
    func asksOnceForAnETagThatTheMetadataNeverHave(_ etag: String?) async throws {
        let service = try RecordedService(metadata: ShopModel.v4())
        service.set("GET $metadata", document(ShopModel.v4(), etag))
        service.set(
            "GET Items",
            RecordedService.json(#"{"@odata.metadataEtag":"\"x\"","value":[{"ID":10}]}"#)
        )
        let provider = try await service.opened(["Items"])
        try await provider.download()
        try await provider.download()
        #expect(service.requests.count { $0 == "GET $metadata" } == (etag == nil ? 3 : 4))
    }

    // MARK: Fields of the first load

    @Test func followsADeltaLinkWithTheFieldsOfTheFullRead() async throws {
        let service = try RecordedService(metadata: ShopModel.v4())
        service.set(
            "GET Orders",
            RecordedService.json(#"{"value":[{"ID":1}],"@odata.deltaLink":"Orders?d=1"}"#)
        )
        service.set(
            "GET Orders?d=1",
            RecordedService.json(#"{"value":[],"@odata.deltaLink":"Orders?d=1"}"#)
        )
        let first = try service.provider {
            $0.customHeaders = ["Accept-Language": "de", "Prefer": "handling=lenient"]
        }
        try first.add(definingQuery: OfflineODataDefiningQuery(name: "Q", query: "Orders"))
        try await first.open()
        try await first.close()
        service.clearLog()
        let second = try service.provider {
            $0.customHeaders = [
                "Accept-Language": "fr", "Prefer": "handling=strict", "X-Other": "now",
            ]
        }
        try await second.open()
        try await second.download()
        let delta = try #require(service.log.last { $0.url.hasSuffix("d=1") })
        #expect(delta.headers["Accept-Language"] == "de")
        #expect(delta.headers["Prefer"] == "odata.track-changes,handling=lenient")
        #expect(delta.headers["X-Other"] == "now")
        // What is read in full is asked for as the application wants it now, and so are its changes.
        try await second.download(withSubset: nil, isFull: true)
        let full = try #require(service.log.last { $0.url.hasSuffix("/Orders") })
        #expect(full.headers["Accept-Language"] == "fr")
        try await second.download()
        let next = try #require(service.log.last { $0.url.hasSuffix("d=1") })
        #expect(next.headers["Accept-Language"] == "fr")
        #expect(next.headers["Prefer"] == "odata.track-changes,handling=strict")
    }

    @Test func sendsNoFieldThatTheFullReadDidNotHave() async throws {
        let service = try RecordedService(metadata: ShopModel.v4())
        service.set(
            "GET Orders",
            RecordedService.json(#"{"value":[{"ID":1}],"@odata.deltaLink":"Orders?d=1"}"#)
        )
        service.set("GET Orders?d=1", HTTPResponse(status: 410))
        let first = try await service.opened(["Orders"])
        try await first.close()
        service.clearLog()
        let second = try service.provider { $0.customHeaders = ["Accept-Language": "fr"] }
        try await second.open()
        try await second.download()
        let fields = service.log.filter { $0.url.contains("Orders") }
            .map { $0.headers["Accept-Language"] }
        // The link is forgotten, and the full read is one of now.
        #expect(fields == [nil, "fr"])
    }
}
