@testable import StoreRecords
import ODataSQL
@testable import StoreDownload
@testable import StoreUpgrade
import ODataSQLite
import ODataTables
import TestSupport
import Testing

@testable import OfflineStore

/// Upgrades of stores with many tables.
@Suite struct LargeUpgradeTests {
    private static let tableCount = TestScale.size(300, soak: 1_000)
    private static let propertyCount = 30
    private static let addedCount = 500

    /// A document whose first types have one property more each, and the first of all the rest of them.
    private static func document(adding count: Int) -> [UInt8] {
        let types = (0..<tableCount).map { number in
            let share = count / tableCount + (number < count % tableCount ? 1 : 0)
            let properties = (0..<propertyCount + share).map {
                "<Property Name=\"P\($0)\" Type=\"Edm.String\"/>"
            }
            return """
                <EntityType Name="E\(number)"><Key><PropertyRef Name="ID"/></Key>
                <Property Name="ID" Type="Edm.Int32" Nullable="false"/>\(properties.joined())</EntityType>
                """
        }
        return SmallDocument.text(
            types.joined(),
            sets: (0..<tableCount).map { ("S\($0)", "T.E\($0)", "") }
        )
    }

    /// SQLite reads the whole schema again for each `ALTER TABLE`; the lock is to be held for one reading, not for 500.
    @Test func holdsTheLockForOneReadingOfTheSchema() async throws {
        let store = try FilledStore(Self.document(adding: 0))
        let schema = try store.schema()
        try store.store.file.writeBlocking { connection in
            let catalog = TableCatalog(connection, layout: schema.layout)
            for source in schema.layout.sources.dropFirst()
            where !BuiltInSets.contains(source, in: schema.model) {
                try catalog.ensureTable(source)
            }
        }
        try await store.load("S0", [#"{"ID":1,"P0":"a"}"#])
        let document = Self.document(adding: Self.addedCount)
        let plan = try store.store.file.readBlocking { try UpgradePlan(document, on: $0) }

        let held = try store.store.file.writer.runBlocking { connection in
            try ContinuousClock().measure {
                try connection.write { try SchemaUpgrade(connection).run(document, prepared: plan) }
            }
        }

        #expect(held < .seconds(1), "the lock was held for \(held)")
        #expect(try store.faults() == "ok")
        #expect(try store.entities("S0")[0]["P0"]?.text == "'a'")
        let after = try store.schema()
        let count = after.layout.sources.compactMap { after.layout[$0]?.columns.count }.reduce(0, +)
        let before = schema.layout.sources.compactMap { schema.layout[$0]?.columns.count }.reduce(
            0,
            +
        )
        #expect(count - before == Self.addedCount)
        try await store.reload("S0", [#"{"ID":1,"P0":"b","P30":"new"}"#])
        #expect(try store.ids("S0?$filter=P30 eq 'new'") == ["1"])
    }

    /// Another connection that has read the old schema finds the new columns.
    @Test func isSeenByConnectionsThatAreOpen() async throws {
        let store = try FilledStore(
            SmallDocument.items("<Property Name=\"A\" Type=\"Edm.String\"/>")
        )
        try await store.load("Items", [#"{"ID":1,"A":"a"}"#])
        let other = try FilledStore(opening: store)
        #expect(try other.ids("Items?$filter=A eq 'a'") == ["1"])

        try await store.store.upgrade(
            to: SmallDocument.items(
                "<Property Name=\"A\" Type=\"Edm.String\"/><Property Name=\"B\" Type=\"Edm.String\"/>"
            )
        )
        try store.update("Items(1)", #"{"B":"b"}"#)

        #expect(try other.ids("Items?$filter=B eq 'b'") == ["1"])
    }
}
