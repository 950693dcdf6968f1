@testable import StoreDownload
@testable import StoreRecords
@testable import ODataSQLite
@testable import ODataSQL
import ODataModel
import TestSupport
import Testing

@testable import ODataTables
@testable import OfflineProvider
@testable import OfflineValues
@testable import OfflineOData
@testable import OfflineStore

/// Large sets that are added to a store which is in use: built aside, they appear at once.
@Suite struct TableBuildTests {
    private let service: RecordedService
    private let provider: OfflineODataProvider
    private var store: LocalStore { provider.store }
    private var work: DownloadWork { DownloadWork(store) }

    private static let count = 12_000

    /// A store with one order, and a query for items that has not been loaded.
    init() async throws {
        service = try RecordedService(metadata: ShopModel.v4())
        service.set("GET Orders", RecordedService.json(#"{"value":[{"ID":1,"Title":"first"}]}"#))
        provider = try await service.opened(["Orders"])
        try provider.add(definingQuery: OfflineODataDefiningQuery(name: "New", query: "Items"))
    }

    // MARK: Staging

    private func query() async throws -> DefiningQuery {
        try #require(
            try await store.file.read { try DefiningQueries($0).all() }.first { $0.name == "New" }
        )
    }

    /// Stages items 1 to `count`, and item 5 once more.
    private func stage(_ query: DefiningQuery) async throws -> StagingFile {
        let staging = try StagingFile(besides: store.file.path, encryption: nil)
        let table = try await table()
        try staging.queue.runBlocking { connection in
            try StagingFile.prepare(connection, for: query)
            let name = StagingFile.name(of: table.name, query: query)
            try connection.execute(table.createStatement(named: name))
            try connection.execute(
                """
                WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < \(Self.count))
                INSERT INTO \(name.sqlQuoted) ("$id", "ID", "Name") SELECT i, i, 'item ' || i FROM n;
                INSERT INTO \(name.sqlQuoted) ("$id", "ID", "Name") VALUES (\(Self.count + 7), 5, 'last')
                """
            )
        }
        return staging
    }

    private func table() async throws -> TableLayout {
        let schema = try await store.schema()
        let source = try #require(schema.model.navigationSource(named: "Items"))
        return try #require(schema.layout[source])
    }

    private func loaded(_ query: DefiningQuery) -> [DownloadWork.Loaded] {
        [.init(task: .init(query: query, direct: nil, isDelta: false), deltaLink: "next")]
    }

    /// Builds the table without letting it appear.
    private func build(_ query: DefiningQuery, _ staging: StagingFile) throws -> TableBuild {
        try store.file.writer.runBlocking { connection in
            try connection.run("ATTACH ?1 AS staging", [.text(staging.path)])
            defer { try? connection.execute("DETACH staging") }
            return try connection.write {
                let merge = try StagedMerge(
                    connection,
                    schema: try store.schema(connection),
                    query: query,
                    stamp: 9
                )
                var build = try #require(try TableBuild(merge))
                while !build.isComplete { try build.copySlice(merge, isBesideChanges: false) }
                return build
            }
        }
    }

    // MARK: What is to be seen

    private func hiddenTables() async throws -> [String] {
        try await store.file.read { try $0.tableNames().filter { $0.hasPrefix("$load:") } }
    }

    private func itemCount() async throws -> Int {
        try await provider.executeQuery("Items").count
    }

    /// Table and indexes of the items, as the file describes them.
    private func description() async throws -> [String] {
        try await store.file.read { connection in
            var lines: [String] = []
            try connection.forEachRow(
                """
                SELECT "type" || ' ' || "name" || ' ' || "sql" FROM sqlite_schema
                WHERE "tbl_name" = 'Items' ORDER BY 1
                """
            ) { lines.append($0.string(0)) }
            return lines
        }
    }

    // MARK: Tests

    @Test(arguments: [
        (512, 0.2, false, 768), (512, 0.2, true, 768), (512, 0.5, false, 768),
        (512, 0.5, true, 256),
        (512, 2, false, 256), (64, 9, true, 64), (8_000, 0.1, false, 8_192),
    ])
    func copiesFewerRowsAtOnceWhileChangesAreMade(
        _ size: Int,
        _ milliseconds: Double,
        _ isBesideChanges: Bool,
        _ next: Int
    ) {
        let time = Duration.microseconds(milliseconds * 1_000)
        #expect(
            TableBuild.size(after: size, taking: time, isBesideChanges: isBesideChanges) == next
        )
    }

    @Test func countsTheChangesThatBegin() async throws {
        let changes = store.file.waitingChanges
        let before = changes.begunCount
        try await provider.createEntity(EntityValue(entitySet: "Orders", ["ID": 2]))
        try await provider.createEntity(EntityValue(entitySet: "Orders", ["ID": 3]))
        #expect(changes.begunCount == before + 2)
    }

    @Test func appearsAsIfItHadBeenMerged() async throws {
        let query = try await query()
        let result = try await work.merge(loaded(query), staging: stage(query), stamp: 9)
        #expect(result.insertedCount == Self.count)
        #expect(try await itemCount() == Self.count)
        // Of rows with one key the last stays.
        #expect(try await provider.executeQuery("Items(5)").first?["Name"]?.stringValue == "last")
        #expect(try await hiddenTables().isEmpty)
        #expect(try await self.query().isLoaded)
        #expect(try await provider.checkIntegrity().isEmpty)
        let table = try await table()
        let key = try #require(table.createKeyIndexStatement)
        #expect(
            try await description() == [
                "index \(table.keyIndexName) \(key)", "table Items \(table.createStatement())",
            ]
        )
        // The key is unique, and new rows have ids of their own.
        await #expect(throws: OfflineODataError.self) {
            try await provider.createEntity(EntityValue(entitySet: "Items", ["ID": 6]))
        }
        try await provider.createEntity(EntityValue(entitySet: "Items", ["ID": 90_000]))
        #expect(try await itemCount() == Self.count + 1)
    }

    @Test func isNotSeenBeforeItAppears() async throws {
        let query = try await query()
        let staging = try await stage(query)
        let build = try build(query, staging)
        #expect(build.isComplete)
        #expect(try await itemCount() == 0)
        #expect(try await hiddenTables() == ["$load:Items"])
    }

    /// The process ended while the table was built: the next download drops what is left.
    @Test func isDroppedByTheNextDownload() async throws {
        let query = try await query()
        _ = try build(query, try await stage(query))
        let again = try LocalStore(path: store.file.path, isCreating: false)
        #expect(try await again.file.read { try $0.tableNames().contains("$load:Items") })
        _ = try await DownloadWork(again).begin()
        #expect(try await hiddenTables().isEmpty)
        let result = try await DownloadWork(again).merge(
            loaded(query),
            staging: stage(query),
            stamp: 10
        )
        #expect(result.insertedCount == Self.count)
    }

    @Test func leavesNothingWhenCancelled() async throws {
        let query = try await query()
        let staging = try await stage(query)
        let (work, loaded) = (work, loaded(query))
        let task = Task { try await work.merge(loaded, staging: staging, stamp: 9) }
        // Cancelled in the middle, unless it is faster than we are.
        var isOver = false
        while try await hiddenTables().isEmpty, !isOver {
            isOver = try await self.query().isLoaded
        }
        task.cancel()
        let result = try? await task.value
        #expect(try await itemCount() == (result == nil ? 0 : Self.count))
        #expect(try await hiddenTables().isEmpty)
        #expect(try await self.query().isLoaded == (result != nil))
    }

    @Test(arguments: [false, true])
    func meetsWhatIsCreatedInTheSetMeanwhile(_ isSameKey: Bool) async throws {
        let query = try await query()
        let staging = try await stage(query)
        let build = try build(query, staging)
        let key: Int64 = isSameKey ? 7 : 90_000
        try await provider.createEntity(
            EntityValue(entitySet: "Items", ["ID": .integer(key), "Name": "mine"])
        )
        try store.file.writer.runBlocking { connection in
            try connection.run("ATTACH ?1 AS staging", [.text(staging.path)])
            defer { try? connection.execute("DETACH staging") }
            try connection.write {
                let merge = try StagedMerge(
                    connection,
                    schema: try store.schema(connection),
                    query: query,
                    stamp: 9
                )
                #expect(try merge.merge(build).inserted == Self.count - (isSameKey ? 1 : 0))
            }
        }
        let mine = try await provider.executeQuery("Items(\(key))").first
        #expect(mine?["Name"]?.stringValue == "mine")
        #expect(mine?.hasPendingChanges == true)
        #expect(try await itemCount() == Self.count + (isSameKey ? 0 : 1))
    }

    /// Creates in a set that a whole download brings meanwhile survive, whichever way it takes.
    @Test func localCreatesSurviveTheDownload() async throws {
        let items = (1...Self.count).map { "{\"ID\":\($0),\"Name\":\"i\"}" }.joined(separator: ",")
        service.set("GET Items", RecordedService.json("{\"value\":[\(items)]}"))
        async let creates: Int = {
            var number = 0
            while try await !self.query().isLoaded {
                number += 1
                try await provider.createEntity(
                    EntityValue(
                        entitySet: number.isMultiple(of: 2) ? "Orders" : "Items",
                        ["ID": .integer(Int64(100_000 + number))]
                    )
                )
            }
            return number
        }()
        try await provider.download()
        let made = try await creates
        #expect(try await itemCount() == Self.count + (made + 1) / 2)
        #expect(try await provider.executeQuery("Orders").count == 1 + made / 2)
        #expect(try await hiddenTables().isEmpty)
        #expect(try await provider.checkIntegrity().isEmpty)
    }

    @Test func keepsIndexesOfTheApplication() async throws {
        try await provider.createIndex(on: "Items", properties: ["Name"])
        let query = try await query()
        let result = try await work.merge(loaded(query), staging: stage(query), stamp: 9)
        #expect(result.insertedCount == Self.count)
        #expect(try await description().contains { $0.hasPrefix("index $index:Items:Name") })
    }

    @Test func buildsOnlyLargeSets() async throws {
        let query = try await query()
        let staging = try await stage(query)
        try staging.queue.runBlocking {
            try $0.execute(
                "DELETE FROM \(StagingFile.name(of: "Items", query: query).sqlQuoted) WHERE \"$id\" > 50"
            )
        }
        try store.file.writer.runBlocking { connection in
            try connection.run("ATTACH ?1 AS staging", [.text(staging.path)])
            defer { try? connection.execute("DETACH staging") }
            try connection.write {
                let merge = try StagedMerge(
                    connection,
                    schema: try store.schema(connection),
                    query: query,
                    stamp: 9
                )
                #expect(try TableBuild(merge) == nil)
            }
        }
        #expect(
            try await work.merge(loaded(query), staging: staging, stamp: 9).insertedCount == 50
        )
    }
}

extension DownloadWork.Merged {
    /// The entities that came new, in all queries together.
    fileprivate var insertedCount: Int { results.values.reduce(0) { $0 + $1.inserted } }
}
