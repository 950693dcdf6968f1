import ODataHTTP
import OfflineOData
import Testing

/// Related entities that a service sends without being asked, as with `Org.OData.Core.V1.AutoExpand` (OData 4.01 Part 1 § 11.2.5.2).
@Suite struct UnexpectedRelationTests {
    private func orders(_ service: RecordedService, _ url: String = "Orders", _ items: String...) {
        for (page, text) in items.enumerated() {
            let next = page + 1 < items.count ? #","@odata.nextLink":"Orders?p=\#(page + 1)""# : ""
            service.set(
                "GET \(page == 0 ? url : "Orders?p=\(page)")",
                RecordedService.json("{\"value\":[\(text)]\(next)}")
            )
        }
    }

    private func related(_ provider: OfflineODataProvider) async throws -> [String] {
        try await provider.executeQuery("Orders?$expand=Items&$orderby=ID").map { order in
            let ids = order["Items"]?.items?.compactMap { $0["ID"]?.integerValue?.description }
            return "\(order["ID"]?.integerValue ?? 0): "
                + (ids ?? []).sorted().joined(separator: " ")
        }
    }

    private static let item = #"{"ID":10,"Name":"x"}"#

    /// The first load writes straight into its table, which keeps no links: it begins anew, whichever page shows them.
    @Test(arguments: [0, 1])
    func comeWithTheirLinks(_ plainPages: Int) async throws {
        let service = try RecordedService(metadata: ShopModel.v4())
        let plain = #"{"ID":5,"Title":"e"}"#
        let rich = """
            {"ID":1,"Title":"a","Items":[\(Self.item)]},{"ID":2,"Title":"b","Items":[\(Self.item),{"ID":11,"Name":"y"}]}
            """
        if plainPages == 0 {
            orders(service, "Orders", rich, plain)
        } else {
            orders(service, "Orders", plain, rich)
        }
        let provider = try await service.opened(["Orders"])
        #expect(try await related(provider) == ["1: 10", "2: 10 11", "5: "])
        #expect(try await provider.executeQuery("Items").count == 2)
        #expect(try await provider.checkIntegrity().isEmpty)
        #expect(try await provider.compareWithService().differences.isEmpty)
    }

    /// The load was cut, the service has forgotten the page that it goes on with, and it begins anew.
    @Test func comeWhereACutLoadBeginsAnew() async throws {
        let service = try RecordedService(metadata: ShopModel.v4())
        orders(service, "Orders", #"{"ID":5,"Title":"e"}"#, "")
        service.set("GET Orders?p=1", RecordedService.unreachable)
        let provider = try service.provider { $0.retryPolicy = .never }
        try provider.add(
            definingQuery: OfflineODataDefiningQuery(name: "Orders", query: "Orders")
        )
        await #expect(throws: OfflineODataError.self) { try await provider.open() }
        orders(service, "Orders", #"{"ID":1,"Title":"a","Items":[\#(Self.item)]}"#)
        service.set("GET Orders?p=1", HTTPResponse(status: 410))
        service.clearLog()
        try await provider.open()
        #expect(service.requests.contains("GET Orders?p=1"))
        #expect(try await related(provider) == ["1: 10"])
    }

    /// Where they lead nowhere there is nothing to link: the load goes on as it is.
    @Test func mayLeadNowhere() async throws {
        let service = try RecordedService(metadata: ShopModel.v4())
        orders(service, "Orders", #"{"ID":1,"Title":"a","Items":[]},{"ID":2,"Title":"b"}"#)
        let provider = try await service.opened(["Orders"])
        #expect(try await related(provider) == ["1: ", "2: "])
        #expect(service.requests.count { $0 == "GET Orders" } == 1)
    }

    /// Another query brings the same entities straight into their table at the same time.
    @Test func comeBesideAQueryOfTheirOwn() async throws {
        let service = try RecordedService(metadata: ShopModel.v4())
        orders(service, "Orders", #"{"ID":1,"Title":"a","Items":[\#(Self.item)]}"#)
        service.set(
            "GET Items",
            RecordedService.json("{\"value\":[\(Self.item),{\"ID\":12,\"Name\":\"z\"}]}")
        )
        let provider = try await service.opened(["Orders", "Items"])
        #expect(try await related(provider) == ["1: 10"])
        #expect(try await provider.executeQuery("Items").count == 2)
        #expect(try await provider.checkIntegrity().isEmpty)
    }
}
