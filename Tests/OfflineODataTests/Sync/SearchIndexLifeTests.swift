@testable import ODataSQLite
@testable import ODataTables
@testable import StoreRecords
import TestSupport
import Testing

@testable import OfflineOData
@testable import OfflineProvider
@testable import OfflineStore

/// The search index of a set, whatever happens to the set: each way in which rows change leaves searches right.
@Suite(.enabled(if: SearchSupport.isPresent, Comment(rawValue: SearchSupport.absence)))
struct SearchIndexLifeTests {
    private let service: RecordedService

    private static let names = ["red lamp", "green lamp", "red door", "", "LAMP", "old, red lamp"]

    init() throws {
        service = try RecordedService(metadata: ShopModel.v4())
    }

    private static func page(_ ids: some Sequence<Int>, names: [String] = names, more: String = "")
        -> HTTPResponse
    {
        let items = ids.map { "{\"ID\":\($0),\"Name\":\"\(names[$0 % names.count])\"\(more)}" }
        return RecordedService.json("{\"value\":[\(items.joined(separator: ","))]}")
    }

    private func opened(_ ids: some Sequence<Int>) async throws -> OfflineODataProvider {
        service.set("GET Items", Self.page(ids))
        return try await service.opened(["Items"])
    }

    private func words(_ text: String) -> [String] {
        text.lowercased().split { !$0.isLetter }.map(String.init)
    }

    /// Asks for words by the index, and compares with the entities themselves.
    private func check(_ provider: OfflineODataProvider, _ place: SourceLocation = #_sourceLocation)
        async throws
    {
        let all = try await provider.executeQuery("Items")
        for word in ["red", "lamp", "green", "new", "changed", "extra"] {
            let found = try await provider.executeQuery("Items?$search=\(word)").map { $0["ID"] }
            let expected = all.filter { entity in
                ["Name", "Note"].contains { words(entity[$0]?.stringValue ?? "").contains(word) }
            }
            #expect(found == expected.map { $0["ID"] }, "\(word)", sourceLocation: place)
        }
        let plan = try await provider.explainQuery("Items?$search=red").statements[0].plan
        #expect(plan.contains { $0.contains("$search(Items) VIRTUAL") }, sourceLocation: place)
        #expect(try await provider.checkIntegrity().isEmpty, sourceLocation: place)
    }

    private func item(_ id: Int, _ provider: OfflineODataProvider) async throws -> EntityValue {
        try #require(try await provider.executeQuery("Items(\(id))").first)
    }

    /// Few rows wait for the index to be brought up to date, many do not.
    @Test(arguments: [10, 1_000])
    func followsLocalChanges(_ count: Int) async throws {
        let provider = try await opened(1...count)
        try await provider.createSearchIndex(on: "Items")
        try await check(provider)
        for id in stride(from: 1, to: count, by: 9) {
            var item = try await item(id, provider)
            item["Name"] = "changed"
            try await provider.updateEntity(item)
        }
        try await check(provider)
        try await provider.deleteEntity(try await item(2, provider))
        try await provider.createEntity(
            EntityValue(entitySet: "Items", ["ID": 5_000, "Name": "new"])
        )
        try await check(provider)
        _ = try await provider.undoAllPendingChanges()
        try await check(provider)
        #expect(try await provider.executeQuery("Items?$search=changed").isEmpty)
        #expect(try await provider.executeQuery("Items").count == count)
    }

    @Test(arguments: [10, 1_000])
    func followsDownloads(_ count: Int) async throws {
        let provider = try await opened(1...count)
        try await provider.createSearchIndex(on: "Items")
        var mine = try await item(3, provider)
        mine["Name"] = "changed lamp"
        try await provider.updateEntity(mine)
        service.set(
            "GET Items",
            Self.page(3...(count + 500), names: ["new", "red", "green new lamp"])
        )
        try await provider.download()
        try await check(provider)
        #expect(try await provider.executeQuery("Items(1)").isEmpty)
        service.set("GET Items", Self.page([]))
        try await provider.download()
        try await check(provider)
    }

    @Test func followsImports() async throws {
        let provider = try await opened(1...100)
        try await provider.createSearchIndex(on: "Items")
        let json = Array(#"[{"ID":1,"Name":"new"},{"ID":500,"Name":"red new"}]"#.utf8)
        try await provider.importData([OfflineODataDataFile(entitySet: "Items", json: json)])
        try await check(provider)
        #expect(try await provider.executeQuery("Items?$search=new").count == 2)
    }

    @Test func followsTheRemovalOfAQuery() async throws {
        let provider = try await opened(1...100)
        try await provider.createSearchIndex(on: "Items")
        try await provider.removeDefiningQuery(named: "Q0")
        try await check(provider)
        #expect(try await provider.executeQuery("Items?$search=red").isEmpty)
    }

    /// A large set that is loaded for the first time takes the place of its table, which had an index.
    @Test(arguments: [100, 12_000])
    func followsFirstLoads(_ count: Int) async throws {
        service.set("GET Orders", RecordedService.json(#"{"value":[{"ID":1,"Title":"first"}]}"#))
        let provider = try await service.opened(["Orders"])
        try await provider.createSearchIndex(on: "Items")
        try await check(provider)
        try provider.add(definingQuery: OfflineODataDefiningQuery(name: "Items", query: "Items"))
        service.set("GET Items", Self.page(1...count))
        try await provider.download()
        #expect(try await provider.executeQuery("Items").count == count)
        try await check(provider)
        let file = try SQLiteConnection(path: provider.store.file.path, mode: .readOnly)
        #expect(try file.integer("SELECT count(*) FROM sqlite_schema WHERE type = 'trigger'") == 3)
    }

    /// Properties with texts that a new model brings are searched in like the others.
    @Test func followsUpgrades() async throws {
        let provider = try await opened(1...100)
        try await provider.createSearchIndex(on: "Items")
        service.set(
            "GET $metadata",
            HTTPResponse(
                status: 200,
                headers: ["Content-Type": "application/xml"],
                body: Array(ShopModel.v4(#"<Property Name="Note" Type="Edm.String"/>"#).utf8)
            )
        )
        service.set("GET Items", Self.page(1...100, more: #","Note":"extra word""#))
        try await provider.download()
        try await check(provider)
        #expect(try await provider.executeQuery("Items?$search=extra").count == 100)
        var item = try await item(1, provider)
        item["Note"] = "changed"
        try await provider.updateEntity(item)
        try await check(provider)
    }

    /// What is taken out of the store's files for good leaves the index, too.
    @Test func keepsNothingOfWhatIsWiped() async throws {
        let provider = try await opened(1...100)
        try await provider.createSearchIndex(on: "Items")
        try await provider.createEntity(
            EntityValue(entitySet: "Items", ["ID": 500, "Name": "Geheimnis"])
        )
        for name in ["a", "b"] {
            var item = try await item(1, provider)
            item["Name"] = .string("geheimnis \(name)")
            try await provider.updateEntity(item)
        }
        _ = try await provider.undoAllPendingChanges()
        let path = provider.store.file.path
        try await provider.store.file.write { connection in
            try connection.forEachRow("PRAGMA secure_delete = ON") { _ in }
            try SearchIndexUpkeep.purge(connection)
        }
        try await check(provider)
        let file = try SQLiteConnection(path: path, mode: .readOnly)
        for table in try file.tableNames() where table.hasPrefix("$search") {
            try file.forEachRow("SELECT * FROM \(table.sqlQuoted)") { row in
                for column in 0..<row.columnCount {
                    #expect(!"\(row.scalar(column))".contains("eheimnis"))
                }
            }
        }
    }

    @Test func isMadeOnceAndRemoved() async throws {
        let provider = try await opened(1...10)
        let before = try await provider.executeQuery("Items?$search=red").count
        for _ in 0..<2 { try await provider.createSearchIndex(on: "Items") }
        #expect(try await provider.executeQuery("Items?$search=red").count == before)
        for _ in 0..<2 { try await provider.removeSearchIndex(on: "Items") }
        #expect(try await provider.executeQuery("Items?$search=red").count == before)
        let file = try SQLiteConnection(path: provider.store.file.path, mode: .readOnly)
        let left =
            "SELECT count(*) FROM sqlite_schema WHERE name GLOB '$search*' OR name GLOB '$changed*'"
        #expect(try file.integer(left) == 0)
        await #expect(throws: OfflineODataError.self) {
            try await provider.createSearchIndex(on: "Nope")
        }
    }

    /// Another program may write the file without bringing the index up to date.
    @Test func seesWhatOtherProgramsWrite() async throws {
        let provider = try await opened(1...100)
        try await provider.createSearchIndex(on: "Items")
        let other = try SQLiteConnection(path: provider.store.file.path, mode: .readWrite)
        try other.execute(
            "UPDATE \"Items\" SET \"Name\" = 'changed' WHERE \"ID\" < 90; DELETE FROM \"Items\" WHERE \"ID\" > 95"
        )
        try await check(provider)
        var item = try await item(1, provider)
        item["Name"] = "red"
        try await provider.updateEntity(item)
        try await check(provider)
        #expect(try other.integer("SELECT count(*) FROM \"$changed(Items)\"") == 0)
    }

    @Test func reportsAnIndexThatDiffers() async throws {
        let provider = try await opened(1...100)
        try await provider.createSearchIndex(on: "Items")
        let other = try SQLiteConnection(path: provider.store.file.path, mode: .readWrite)
        try other.execute(
            "UPDATE \"Items\" SET \"Name\" = 'changed'; DELETE FROM \"$changed(Items)\""
        )
        let lines = try await provider.checkIntegrity().map { "\($0)" }
        #expect(lines.count == 1 && lines[0].contains("search index of Items"), "\(lines)")
        try await provider.removeSearchIndex(on: "Items")
        try await provider.createSearchIndex(on: "Items")
        try await check(provider)
    }
}
