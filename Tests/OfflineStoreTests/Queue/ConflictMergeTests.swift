import ODataTables
import Testing

@testable import OfflineStore

@Suite struct ConflictMergeTests {
    private static let order = """
        query Orders Orders
        full Orders {"ID":1,"Title":"a"}
        merge
        """

    /// A store with an order and changes of it.
    private func changed(_ changes: String...) async throws -> SeamStore {
        try await SeamStore(after: ([Self.order] + changes).joined(separator: "\n"))
    }

    /// Puts values into the waiting requests of the order.
    private func take(_ text: String, in seam: SeamStore) throws -> Bool {
        try seam.change { transaction in
            let order = try transaction.reference("Orders(1)")
            let entity = try transaction.queueEditor.entity("Orders(1)")
            let merge = ConflictMerge(transaction.queueEditor, of: entity)
            return try merge.take(transaction.body(text, for: order))
        }
    }

    @Test func makesOneRequestOfSeveralUpdates() async throws {
        let seam = try await changed(
            "PATCH Orders(1) {\"Title\":\"b\"}",
            "PATCH Orders(1) {\"Price\":3}"
        )
        #expect(try take("{\"Title\":\"m\"}", in: seam))
        let queue = try await seam.queue()
        #expect(queue == ["2 pending PATCH Orders(1) {\"Title\":\"m\",\"Price\":3}"])
        let rows = try await seam.rows("Orders")
        #expect(rows == ["{isLocal hasPendingChanges ID:1 Title:m Price:3}"])
    }

    @Test func givesTheValuesToEachMemberOfTransactions() async throws {
        let seam = try await changed(
            "tx=t PATCH Orders(1) {\"Title\":\"b\"}",
            "tx=u PATCH Orders(1) {\"Price\":3}"
        )
        #expect(try take("{\"Title\":\"m\"}", in: seam))
        let queue = try await seam.queue()
        #expect(
            queue == [
                "1 pending PATCH Orders(1) {\"Title\":\"m\"}",
                "2 pending PATCH Orders(1) {\"Title\":\"m\",\"Price\":3} after [1]",
            ]
        )
    }

    @Test func keepsRequestsApartWhoseHeadersDiffer() async throws {
        let seam = try await changed(
            "header=A:1 PATCH Orders(1) {\"Title\":\"b\"}",
            "PATCH Orders(1) {\"Price\":3}"
        )
        #expect(try take("{\"Price\":4}", in: seam))
        let queue = try await seam.queue()
        #expect(
            queue == [
                "1 pending PATCH Orders(1) {\"Title\":\"b\",\"Price\":4} [A: 1]",
                "2 pending PATCH Orders(1) {\"Price\":4} after [1]",
            ]
        )
    }

    @Test func declinesWhereNoRequestForValuesWaits() async throws {
        let seam = try await changed()
        #expect(try !take("{\"Title\":\"m\"}", in: seam))
        #expect(try await seam.queue() == [])
        #expect(try await seam.rows("Orders") == ["{ID:1 Title:a}"])
    }

    @Test func refusesAnotherKey() async throws {
        let seam = try await changed("PATCH Orders(1) {\"Title\":\"b\"}")
        let error = #expect(throws: EditError.self) { try take("{\"ID\":2}", in: seam) }
        #expect(error?.message == "the key property ID cannot be changed")
        let queue = try await seam.queue()
        #expect(queue == ["1 pending PATCH Orders(1) {\"Title\":\"b\"}"])
    }
}
