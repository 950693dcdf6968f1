import ODataHTTP
import ODataSQLite
import OfflineOData
import Testing

/// First loads that end before their last page, page by page as the service answers them.
@Suite struct CutFirstLoadTests {
    /// The service may have forgotten where the next page was: what came from the old pages goes.
    @Test func beginsAnewWhereTheNextPageIsForgotten() async throws {
        let service = try RecordedService(metadata: TalkModel.document)
        let next = "GET Orders?$skip=1"
        service.set(
            "GET Orders",
            RecordedService.json(#"{"value":[{"ID":1}],"@odata.nextLink":"Orders?$skip=1"}"#),
            RecordedService.json(#"{"value":[{"ID":2}]}"#)
        )
        service.set(next, HTTPResponse(status: 403), HTTPResponse(status: 410))
        let provider = try service.provider()
        try provider.add(definingQuery: OfflineODataDefiningQuery(name: "Q", query: "Orders"))
        await #expect(throws: OfflineODataError.self) { try await provider.open() }
        try await provider.open()
        #expect(service.requests.filter { $0 != "GET $metadata" }.count == 4)
        #expect(try await provider.executeQuery("Orders").map { $0["ID"] } == [.integer(2)])
    }

    /// Pages that are cut twice, the second time behind an empty one: those before it stay.
    @Test(arguments: [true, false])
    func keepsThePagesBeforeAnEmptyOne(_ isFirstLoad: Bool) async throws {
        let service = try RecordedService(metadata: TalkModel.document)
        let provider = try service.provider()
        try provider.add(definingQuery: OfflineODataDefiningQuery(name: "Q", query: "Orders"))
        if !isFirstLoad {
            service.set("GET Orders", RecordedService.json(#"{"value":[{"ID":1}]}"#))
            try await provider.open()
        }
        let cut = HTTPResponse(status: 504)
        service.set(
            "GET Orders",
            RecordedService.json(#"{"value":[{"ID":1},{"ID":2}],"@odata.nextLink":"Orders?p=2"}"#)
        )
        service.set(
            "GET Orders?p=2",
            cut,
            RecordedService.json(#"{"value":[],"@odata.nextLink":"Orders?p=3"}"#)
        )
        service.set("GET Orders?p=3", cut, RecordedService.json(#"{"value":[{"ID":3}]}"#))
        func load() async throws {
            if isFirstLoad {
                try await provider.open()
            } else {
                try await provider.download(withSubset: nil, isFull: true)
            }
        }
        await #expect(throws: OfflineODataError.self) { try await load() }
        await #expect(throws: OfflineODataError.self) { try await load() }
        try await load()
        #expect(
            try await provider.executeQuery("Orders").compactMap(\.["ID"]?.integerValue) == [
                1, 2, 3,
            ]
        )
        #expect(service.requests.filter { $0 == "GET Orders" }.count == (isFirstLoad ? 1 : 2))
    }

    /// The pages before may lack what the model has by now.
    @Test func beginsAnewWhereTheModelHasGrown() async throws {
        let service = try RecordedService(metadata: ShopModel.v4())
        let provider = try service.provider()
        try provider.add(definingQuery: OfflineODataDefiningQuery(name: "Q", query: "Items"))
        service.set(
            "GET Items",
            RecordedService.json(#"{"value":[{"ID":1}],"@odata.nextLink":"Items?p=2"}"#),
            RecordedService.json(#"{"value":[{"ID":1,"Size":5}],"@odata.nextLink":"Items?p=2"}"#)
        )
        service.set(
            "GET Items?p=2",
            HTTPResponse(status: 504),
            RecordedService.json(#"{"value":[{"ID":2,"Size":6}]}"#)
        )
        await #expect(throws: OfflineODataError.self) { try await provider.open() }
        let grown = ShopModel.v4(#"<Property Name="Size" Type="Edm.Int32"/>"#)
        service.set("GET $metadata", HTTPResponse(status: 200, body: Array(grown.utf8)))
        try await provider.open()
        let sizes = try await provider.executeQuery("Items").map { $0["Size"]?.integerValue }
        #expect(sizes == [5, 6])
    }

    /// A page that is refused: it is asked for once more without asking for changes, and with 400 from the beginning.
    @Test(arguments: [(400, 4), (500, 2), (501, 2)])
    func bringsNoEntityTwiceWhereItBeginsAnew(_ status: Int, _ askedCount: Int) async throws {
        let service = try RecordedService(metadata: TalkModel.document)
        service.set(
            "GET Orders",
            RecordedService.json(#"{"value":[{"ID":1}],"@odata.nextLink":"Orders?$skip=1"}"#)
        )
        let refusals = Array(repeating: HTTPResponse(status: status), count: askedCount)
        let last = RecordedService.json(#"{"value":[{"ID":2}]}"#)
        service.set("GET Orders?$skip=1", refusals + [last])
        let provider = try service.provider()
        try provider.add(definingQuery: OfflineODataDefiningQuery(name: "Q", query: "Orders"))
        await #expect(throws: OfflineODataError.self) { try await provider.open() }
        let file = try SQLiteConnection(path: provider.storeFile, mode: .readOnly)
        #expect(try file.integer("SELECT count(*) FROM \"Orders\"") == 1)
        try await provider.open()
        #expect(
            try await provider.executeQuery("Orders").map { $0["ID"] } == [
                .integer(1), .integer(2),
            ]
        )
    }

    /// An entity that has moved between two pages is one entity, also while the load is cut; what is changed of it then is kept.
    @Test func showsEachEntityOnceWhileTheLoadIsCut() async throws {
        let service = try RecordedService(metadata: TalkModel.document)
        let provider = try service.provider()
        try provider.add(definingQuery: OfflineODataDefiningQuery(name: "Q", query: "Orders"))
        service.set(
            "GET Orders",
            RecordedService.json(#"{"value":[{"ID":1}],"@odata.nextLink":"Orders?p=2"}"#)
        )
        service.set(
            "GET Orders?p=2",
            RecordedService.json(
                #"{"value":[{"ID":1,"Title":"a"},{"ID":2}],"@odata.nextLink":"Orders?p=3"}"#
            )
        )
        service.set(
            "GET Orders?p=3",
            HTTPResponse(status: 504),
            RecordedService.json(#"{"value":[{"ID":1,"Title":"b"},{"ID":3}]}"#)
        )
        await #expect(throws: OfflineODataError.self) { try await provider.open() }
        func titles() async throws -> [String] {
            try await provider.executeQuery("Orders?$orderby=ID").map {
                $0["Title"]?.stringValue ?? "-"
            }
        }
        #expect(try await titles() == ["a", "-"])
        try await provider.send("PATCH", "Orders(1)", #"{"Title":"mine"}"#)
        try await provider.open()
        #expect(try await titles() == ["mine", "-", "-"])
        try await provider.undoPendingChanges("Orders(1)")
        #expect(try await titles().count == 3)
    }
}
