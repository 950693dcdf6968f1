@testable import StoreRecords
@testable import StoreDownload
import ODataSQLite
import ODataSQL
import ODataPayload
import ODataHTTP
import ODataModel
import ODataTables
import Testing

@testable import OfflineStore

/// Pages on their way into the scratch file.
@Suite struct PageLoadTests {
    /// Rows that could not be written must not be taken for rows that did not come.
    @Test func tellsThatAPageCannotBeWritten() async throws {
        let seam = try SeamStore()
        try seam.addQuery("Orders", url: "Orders")
        let staging = try StagingFile(besides: seam.store.file.path, encryption: nil)
        let query = try #require(
            try seam.store.file.readBlocking { try DefiningQueries($0).all() }.first
        )
        let load = try PageLoad(
            query,
            schema: try await seam.store.schema(),
            into: .staging(staging),
            stamp: 1,
            isDelta: false,
            root: "http://service/"
        )
        try staging.queue.runBlocking { try $0.execute("PRAGMA query_only = ON") }
        _ = try await load.finishPage([Array(#"{"value":[{"ID":1}]}"#.utf8)])
        await #expect(throws: SQLiteError.self) { try await load.finish() }
    }

    /// - Parameter query: The query as it was at another time; nil as it is now.
    private func load(_ seam: SeamStore, _ query: DefiningQuery? = nil) async throws -> (
        PageLoad, TableLayout, DefiningQuery
    ) {
        let now = try seam.store.file.readBlocking { try DefiningQueries($0).all() }.first
        let query = try #require(query ?? now)
        let schema = try await seam.store.schema()
        let source = try #require(schema.model.navigationSource(named: "Orders"))
        let table = try #require(schema.layout[source])
        let load = try PageLoad(
            query,
            schema: schema,
            into: .store(seam.store, table: table),
            stamp: 1,
            isDelta: false,
            root: "http://service/"
        )
        return (load, table, query)
    }

    /// The connection belongs to its queue, which writes pages of other queries when a load ends.
    @Test func endsItsStatementsOnTheQueue() async throws {
        let seam = try SeamStore()
        try seam.addQuery("Orders", url: "Orders")
        let staging = try StagingFile(besides: seam.store.file.path, encryption: nil)
        let query = try #require(
            try seam.store.file.readBlocking { try DefiningQueries($0).all() }.first
        )
        var load: PageLoad? = try PageLoad(
            query,
            schema: try await seam.store.schema(),
            into: .staging(staging),
            stamp: 1,
            isDelta: false,
            root: "http://service/"
        )
        _ = try await load?.finishPage([Array(#"{"value":[{"ID":1}]}"#.utf8)])
        try await load?.finish()
        // Nothing else runs on the queue while this thread has it.
        let counts = try staging.queue.runBlocking { connection in
            let before = connection.statementCount
            load = nil
            return (before, connection.statementCount)
        }
        #expect(counts.0 == counts.1)
        #expect(try staging.queue.runBlocking { $0.statementCount } < counts.0)
    }

    /// What a page had brought before it broke off may be deleted at the service when the load goes on.
    @Test func forgetsTheRowsOfAPageThatBrokeOff() async throws {
        let seam = try SeamStore()
        try seam.addQuery("Orders", url: "Orders")
        let (first, _, _) = try await load(seam)
        _ = try await first.finishPage([Array(#"{"value":[{"ID":1}],"@odata.nextLink":"p"}"#.utf8)])
        try await first.feed([Array(#"{"value":[{"ID":2},{"ID":3},"#.utf8)])
        await first.abandonPage()
        let (second, table, query) = try await load(seam)
        _ = try await second.finishPage([Array(#"{"value":[{"ID":3}]}"#.utf8)])
        try await second.finish()
        let count = try await DownloadWork(seam.store)
            .finishDirectLoad(table, of: query, deltaLink: nil, etag: nil)
        #expect(count == 2)
    }

    /// The service has forgotten where the load was cut: what the first half had brought may be gone.
    @Test func forgetsTheRowsOfALoadThatBeginsAnew() async throws {
        let seam = try SeamStore()
        try seam.addQuery("Orders", url: "Orders")
        let (first, _, query) = try await load(seam)
        _ = try await first.finishPage([Array(#"{"value":[{"ID":1}],"@odata.nextLink":"p"}"#.utf8)])
        try await first.finish()
        let (second, table, _) = try await load(seam, query)
        _ = try await second.finishPage([Array(#"{"value":[{"ID":3}]}"#.utf8)])
        try await second.finish()
        let count = try await DownloadWork(seam.store)
            .finishDirectLoad(table, of: query, deltaLink: nil, etag: nil)
        #expect(count == 1)
    }

    /// A single entity has the ETag of its body, else that of the header.
    @Test(
        arguments: [
            (#"{"ID":1}"#, "h", "h"), (#"{"@odata.etag":"b","ID":1}"#, "h", "b"),
            (#"{"ID":1}"#, nil, nil),
        ] as [(String, String?, String?)]
    )
    func takesTheETagOfASingleEntity(_ body: String, _ header: String?, _ etag: String?)
        async throws
    {
        let seam = try SeamStore()
        try seam.addQuery("Orders", url: "Orders(1)")
        let query = try #require(
            try seam.store.file.readBlocking { try DefiningQueries($0).all() }.first
        )
        let staging = try StagingFile(besides: seam.store.file.path, encryption: nil)
        let load = try PageLoad(
            query,
            schema: try await seam.store.schema(),
            into: .staging(staging),
            stamp: 1,
            isDelta: false,
            root: "http://service/"
        )
        _ = try await load.finishPage([Array(body.utf8)]) { $0.etag = header }
        try await load.finish()
        let found = try staging.queue.runBlocking { connection in
            try connection.firstRow("SELECT \"$etag\" FROM \"0:Orders\"", []) {
                $0.optionalString(0)
            }
        }
        #expect(found == .some(etag))
    }

    /// The last version of an entity counts that came on two pages of a first load.
    @Test func keepsTheLaterOfTwoVersions() async throws {
        let seam = try SeamStore()
        try seam.addQuery("Orders", url: "Orders")
        let (load, table, query) = try await load(seam)
        for (title, link) in [("old", ",\"@odata.nextLink\":\"p\""), ("new", "")] {
            let page = "{\"value\":[{\"ID\":1,\"Title\":\"\(title)\"}]\(link)}"
            _ = try await load.finishPage([Array(page.utf8)])
        }
        try await load.finish()
        let count = try await DownloadWork(seam.store)
            .finishDirectLoad(table, of: query, deltaLink: nil, etag: nil)
        let answer = await seam.respond("GET", "Orders(1)/Title/$value", body: nil, .init())
        #expect(count == 1)
        #expect(String(decoding: answer.body, as: UTF8.self) == "new")
    }
}
