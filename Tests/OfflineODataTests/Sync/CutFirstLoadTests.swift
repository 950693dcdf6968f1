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
}
