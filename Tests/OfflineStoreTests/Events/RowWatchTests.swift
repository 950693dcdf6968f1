import ODataSQL
import ODataTables
import Testing

@testable import OfflineStore

@Suite struct RowWatchTests {
    private static let orders = """
        query Orders Orders
        full Orders {"@odata.etag":"1","ID":1,"Title":"a"} {"ID":2,"Title":"b"} {"ID":3}
        merge
        """

    /// Runs work with the watch on the writing connection, whose temporary triggers it creates.
    private func watch<Result>(
        _ seam: SeamStore,
        _ work: (RowWatch, StoreTransaction) throws -> Result
    ) throws -> Result {
        try seam.change { try work(RowWatch(connection: $0.connection), $0) }
    }

    private func begin(_ seam: SeamStore) throws {
        try watch(seam) { try $0.begin($1.schema.layout) }
    }

    private func changes(_ seam: SeamStore) throws -> [RowChange] {
        try watch(seam) { try $0.changes($1.schema) }
    }

    private func removed(_ url: String) -> String {
        "{\"@removed\":{\"reason\":\"deleted\"},\"@odata.id\":\"\(url)\"}"
    }

    @Test func notesUpdatedAndRemovedEntities() async throws {
        let seam = try await SeamStore(after: Self.orders)
        try begin(seam)
        try await seam.run("delta Orders {\"ID\":1,\"Title\":\"c\"} \(removed("Orders(2)"))\nmerge")
        #expect(
            try Set(changes(seam)) == [
                RowChange(url: "Orders(1)", isRemoved: false),
                RowChange(url: "Orders(2)", isRemoved: true),
            ]
        )
    }

    @Test func notesAnEntityOnce() async throws {
        let seam = try await SeamStore(after: Self.orders)
        try begin(seam)
        for title in ["c", "d"] {
            try await seam.run("delta Orders {\"ID\":1,\"Title\":\"\(title)\"}\nmerge")
        }
        #expect(try changes(seam) == [RowChange(url: "Orders(1)", isRemoved: false)])
    }

    @Test(arguments: [
        #"{"@odata.etag":"2","ID":1,"Title":"a"}"#, #"{"ID":2,"Title":"b"}"#, #"{"ID":4}"#,
    ])
    func notesNeitherNewEntitiesNorUnchangedValues(_ entity: String) async throws {
        let seam = try await SeamStore(after: Self.orders)
        try begin(seam)
        try await seam.run("delta Orders \(entity)\nmerge")
        #expect(try changes(seam) == [])
    }

    @Test func forgetsTheChangesOfTheWatchBefore() async throws {
        let seam = try await SeamStore(after: Self.orders)
        try begin(seam)
        try await seam.run("delta Orders {\"ID\":1,\"Title\":\"c\"}\nmerge")
        try begin(seam)
        #expect(try changes(seam) == [])
    }

    @Test func notesNothingOnceItHasEnded() async throws {
        let seam = try await SeamStore(after: Self.orders)
        try begin(seam)
        try watch(seam) { try $0.end($1.schema.layout) }
        try await seam.run("delta Orders {\"ID\":1,\"Title\":\"c\"}\nmerge")
        #expect(try changes(seam) == [])
    }
}
