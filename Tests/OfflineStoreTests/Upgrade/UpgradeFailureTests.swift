@testable import StoreDownload
@testable import StoreUpgrade
@testable import StoreRecords
import ODataSQL
import ODataSQLite
import ODataModel
import ODataTables
import TestSupport
import Testing

@testable import OfflineStore

#if canImport(Darwin)
    import Darwin
#else
    import Glibc
#endif

/// Upgrades that are stopped on their way: the store is as it was, and a later upgrade goes through.
@Suite struct UpgradeFailureTests {
    struct Stopped: Error {}

    static let old = SmallDocument.items(
        "<Property Name=\"Price\" Type=\"Edm.Decimal\" Precision=\"10\" Scale=\"2\"/>",
        traits: "OpenType=\"true\""
    )
    static let new = SmallDocument.items(
        """
        <Property Name="Price" Type="Edm.Decimal" Precision="30" Scale="4"/>
        <Property Name="Free" Type="Edm.String"/><Property Name="More" Type="Edm.String"/>
        """,
        traits: "OpenType=\"true\""
    )
    static let entities = [#"{"ID":1,"Price":1.10,"Free":"x"}"#, #"{"ID":2,"Price":null}"#]

    private func filled() async throws -> FilledStore {
        let store = try FilledStore(Self.old)
        try await store.load("Items", Self.entities)
        return store
    }

    private func check(_ store: FilledStore, equals before: [String]) async throws {
        #expect(try store.dump() == before)
        #expect(try store.faults() == "ok")
        #expect(try store.entities("Items").count == Self.entities.count)
        // Other tables can be made, and the upgrade goes through at last.
        try await store.store.upgrade(to: Self.new)
        let expected = try Self.entities.map { try JSONValue($0) }
        #expect(
            JSONValue.array(expected).difference(to: .array(try store.entities("Items"))) == nil
        )
        #expect(try store.faults() == "ok")
    }

    @Test(arguments: SchemaUpgrade.Stage.allCases)
    func leavesTheStoreAsItWas(_ stage: SchemaUpgrade.Stage) async throws {
        let store = try await filled()
        let before = try store.dump()

        await #expect(throws: Stopped.self) {
            try await store.store.upgrade(
                to: Self.new,
                reached: { if $0 == stage { throw Stopped() } }
            )
        }

        try await check(store, equals: before)
    }

    @Test(arguments: SchemaUpgrade.Stage.allCases)
    func survivesTheEndOfItsProcess(_ stage: SchemaUpgrade.Stage) async throws {
        let store = try await filled()
        let before = try store.dump()
        let path = store.store.file.path
        let number = SchemaUpgrade.Stage.allCases.firstIndex(of: stage) ?? 0

        await #expect(processExitsWith: .signal(SIGKILL)) {
            [path = path as String, number = number as Int] in
            let stage = SchemaUpgrade.Stage.allCases[number]
            try await LocalStore(path: path, isCreating: false).upgrade(
                to: UpgradeFailureTests.new,
                reached: { if $0 == stage { kill(getpid(), SIGKILL) } }
            )
        }

        try await check(store, equals: before)
    }

    @Test func refusesWhatIsNoMetadata() async throws {
        let store = try await filled()
        let before = try store.dump()

        await #expect(throws: (any Error).self) {
            try await store.store.upgrade(to: Array("<nothing/>".utf8))
        }

        try await check(store, equals: before)
    }

    @Test(arguments: [false, true])
    func namesTheRequestsThatAnIncompatibleChangeTouches(_ isRefused: Bool) async throws {
        let store = try await filled()
        try store.update("Items(1)", #"{"Price":2}"#)
        if isRefused {
            try store.store.file.writeBlocking {
                try RequestQueue($0).fail(
                    1,
                    failure: .init(httpStatus: 400, code: "", message: "no")
                )
            }
        }
        let before = try store.dump()

        let error = await #expect(throws: StoreError.self) {
            try await store.store.upgrade(to: SmallDocument.items("", traits: "OpenType=\"true\""))
        }

        #expect(error?.code == .incompatibleSchema)
        #expect(error?.details.first?.hasPrefix("T.Item/Price: property removed") == true)
        #expect(error?.details.last?.hasSuffix("is affected: PATCH Items(1)") == true)
        #expect(try store.dump() == before)
    }

    @Test func keepsLocalChangesAndTheirCopies() async throws {
        let store = try await filled()
        try store.update("Items(1)", #"{"Price":2.50}"#)
        let queue = try store.dump(of: "$queue%")

        try await store.store.upgrade(to: Self.new)

        #expect(try store.dump(of: "$queue%") == queue)
        #expect(try store.entities("Items").first?["Price"]?.text == "2.50")
        #expect(try store.basePrices() == ["1.10"])
    }

    /// A set that goes takes the requests for its entities with it, and none for those of another set of the same type.
    @Test func namesTheRequestsForASetThatGoes() async throws {
        func document(_ sets: [String]) -> [UInt8] {
            SmallDocument.text(
                """
                <EntityType Name="A"><Key><PropertyRef Name="ID"/></Key>
                <Property Name="ID" Type="Edm.Int32" Nullable="false"/>
                <Property Name="Title" Type="Edm.String"/></EntityType>
                """,
                sets: sets.map { ($0, "T.A", "") }
            )
        }
        let store = try FilledStore(document(["As", "Bs"]))
        try await store.load("As", [#"{"ID":1}"#])
        try await store.load("Bs", [#"{"ID":1}"#])
        try store.update("As(1)", #"{"Title":"x"}"#)
        try store.update("Bs(1)", #"{"Title":"x"}"#)

        let error = await #expect(throws: StoreError.self) {
            try await store.store.upgrade(to: document(["As"]))
        }

        let touched = error?.details.filter { $0.contains("is affected") } ?? []
        #expect(touched == ["waiting request 2 is affected: PATCH Bs(1)"])
    }
}

extension FilledStore {
    /// Prices of the base copies, as exact text or as the text that compares as the number does.
    fileprivate func basePrices() throws -> [String] {
        try store.file.readBlocking { connection in
            let schema = try self.store.schema(connection)
            let source = try #require(schema.model.navigationSource(named: "Items"))
            let table = try #require(schema.layout[source])
            let price = try #require(table.columns.first { $0.path == ["Price"] })
            var texts: [String] = []
            try connection.forEachRow(
                "SELECT json_extract(\"$exact\", '$.\"\(price.name)\"') FROM \(table.baseName.sqlQuoted)"
            ) { texts.append($0.string(0)) }
            return texts
        }
    }
}
