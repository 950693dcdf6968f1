import ODataSQL
import ODataTables
import StoreRecords
import Testing

@testable import OfflineStore

@Suite struct CorrectionTests {
    private static let order = """
        query Orders Orders
        full Orders {"ID":1,"Title":"a"}
        merge
        """

    private func changed(_ events: String...) async throws -> SeamStore {
        try await SeamStore(after: ([Self.order] + events).joined(separator: "\n"))
    }

    /// Updates the order and corrects its refused request; whether nothing is left to queue.
    private func corrects(_ text: String, in seam: SeamStore) throws -> Bool {
        try seam.change { transaction in
            let order = try transaction.reference("Orders(1)")
            let body = try transaction.body(text, for: order)
            let involved = try transaction.updateRow(order, with: body)
            return try Correction(transaction).correct(
                with: body,
                isReplacing: false,
                involved,
                among: RequestQueue(transaction.connection).entries(forRow: order.row)
            )
        }
    }

    private func dropsFailed(_ url: String, in seam: SeamStore) throws -> Bool {
        try seam.change { try Correction($0).dropFailed(of: $0.reference(url)) }
    }

    /// A transaction is never taken apart: the deletion waits behind it.
    @Test func keepsARefusedMemberOfATransactionBesideADeletion() async throws {
        let seam = try await changed(
            "query Tags Tags",
            "full Tags {\"Name\":\"t\"}",
            "merge",
            "tx=T PATCH Orders(1) {\"Title\":\"b\"}",
            "tx=T POST Tags {\"Name\":\"u\"}",
            "send",
            "fail 1 400",
            "fail 2 400"
        )
        let before = try await seam.queue()
        #expect(before.count == 2)
        #expect(try !dropsFailed("Orders(1)", in: seam))
        #expect(try await seam.queue() == before)
    }

    // MARK: Updates

    @Test func givesARefusedUpdateTheNewValues() async throws {
        let seam = try await changed("PATCH Orders(1) {\"Title\":\"b\"}", "send", "fail 1 400")
        #expect(try corrects("{\"Price\":2}", in: seam))
        let queue = try await seam.queue()
        #expect(queue == ["1 pending PATCH Orders(1) {\"Title\":\"b\",\"Price\":2}"])
        let rows = try await seam.rows("Orders")
        #expect(rows == ["{isLocal hasPendingChanges ID:1 Title:b Price:2}"])
    }

    @Test func leavesAnUpdateThatIsNotRefused() async throws {
        let seam = try await changed("PATCH Orders(1) {\"Title\":\"b\"}")
        #expect(try !corrects("{\"Price\":2}", in: seam))
        let queue = try await seam.queue()
        #expect(queue == ["1 pending PATCH Orders(1) {\"Title\":\"b\"}"])
    }

    /// The last word stays the last: the caller queues the update behind the other one as well.
    @Test func leavesTheUpdateToQueueWhereAnotherRequestFollows() async throws {
        let seam = try await changed(
            "PATCH Orders(1) {\"Title\":\"b\"}",
            "PATCH Orders(1) {\"Price\":1}",
            "send",
            "fail 1 400"
        )
        #expect(try !corrects("{\"Price\":2}", in: seam))
        let first = try await seam.queue().first
        #expect(
            first?.hasPrefix("1 failed PATCH Orders(1) {\"Title\":\"b\"}") == true,
            "\(first ?? "")"
        )
    }

    // MARK: Deletions

    @Test func dropsARefusedCreationWithNothingLeftToDelete() async throws {
        let seam = try await changed("POST Orders {\"ID\":2}", "send", "fail 1 400")
        #expect(try dropsFailed("Orders(2)", in: seam))
        #expect(try await seam.queue() == [])
        #expect(try await seam.rows("Orders") == ["{ID:1 Title:a}"])
    }

    @Test func dropsARefusedUpdateAndLeavesTheDeletionToSend() async throws {
        let seam = try await changed("PATCH Orders(1) {\"Title\":\"b\"}", "send", "fail 1 400")
        #expect(try !dropsFailed("Orders(1)", in: seam))
        #expect(try await seam.queue() == [])
    }

    @Test func keepsARefusedUpdateOfWhichTheServiceHasAnotherVersion() async throws {
        let seam = try await changed(
            "PATCH Orders(1) {\"Title\":\"b\"}",
            "send",
            "fail 1 412",
            "their 1 etag=2 {\"ID\":1,\"Title\":\"theirs\"}"
        )
        #expect(try !dropsFailed("Orders(1)", in: seam))
        let queue = try await seam.queue()
        #expect(queue == ["1 failed PATCH Orders(1) {\"Title\":\"b\"} answered 412"])
    }

    @Test func keepsARefusedCreationThatAnotherRequestNeeds() async throws {
        let seam = try await changed(
            "POST Orders {\"ID\":2}",
            "POST Items {\"ID\":5,\"OrderID\":2}",
            "send",
            "fail 1 400"
        )
        #expect(try !dropsFailed("Orders(2)", in: seam))
        #expect(try await seam.queue().count == 2)
    }
}
