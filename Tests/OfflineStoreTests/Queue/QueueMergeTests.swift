import ODataHTTP
import ODataTables
import StoreRecords
import Testing

@testable import OfflineStore

@Suite struct QueueMergeTests {
    private static let order = """
        query Orders Orders
        full Orders {"ID":1,"Title":"a"}
        merge
        """

    /// Options of changes that may be merged into waiting ones.
    private static var optimizing: ChangeOptions {
        var options = ChangeOptions()
        options.optimizes = true
        return options
    }

    /// Updates an order and asks whether the waiting request takes the values.
    private func absorbs(
        _ text: String,
        into seam: SeamStore,
        _ options: ChangeOptions
    ) throws -> Bool {
        try seam.change(options) { transaction in
            let order = try transaction.reference("Orders(1)")
            let body = try transaction.body(text, for: order)
            return try QueueMerge(transaction).absorb(
                body,
                isReplacing: false,
                involved: transaction.updateRow(order, with: body)
            )
        }
    }

    private func cancels(_ url: String, in seam: SeamStore, _ options: ChangeOptions) throws -> Bool
    {
        try seam.change(options) {
            try QueueMerge($0).cancel(deletionOf: $0.reference(url))
        }
    }

    // MARK: Updates

    @Test func addsValuesToAWaitingUpdate() async throws {
        let seam = try await SeamStore(after: Self.order + "\nPATCH Orders(1) {\"Title\":\"b\"}")
        #expect(try absorbs("{\"Title\":\"c\",\"Price\":2}", into: seam, Self.optimizing))
        let queue = try await seam.queue()
        #expect(queue == ["1 pending PATCH Orders(1) {\"Title\":\"c\",\"Price\":2}"])
        let rows = try await seam.rows("Orders")
        #expect(rows == ["{isLocal hasPendingChanges ID:1 Title:c Price:2}"])
    }

    @Test func addsValuesToAWaitingCreation() async throws {
        let seam = try await SeamStore(
            after: "query Orders Orders\nfull Orders\nmerge\nPOST Orders {\"ID\":1,\"Title\":\"a\"}"
        )
        #expect(try absorbs("{\"Title\":\"b\"}", into: seam, Self.optimizing))
        let queue = try await seam.queue()
        #expect(queue == ["1 pending POST Orders {\"ID\":1,\"Title\":\"b\"}"])
    }

    @Test func leavesAnUpdateAloneUnlessTheApplicationOptimizes() async throws {
        let seam = try await SeamStore(after: Self.order + "\nPATCH Orders(1) {\"Title\":\"b\"}")
        #expect(try !absorbs("{\"Title\":\"c\"}", into: seam, ChangeOptions()))
        let queue = try await seam.queue()
        #expect(queue == ["1 pending PATCH Orders(1) {\"Title\":\"b\"}"])
    }

    @Test func leavesAnUpdateOfAnotherCategoryAlone() async throws {
        let seam = try await SeamStore(after: Self.order + "\nPATCH Orders(1) {\"Title\":\"b\"}")
        var options = Self.optimizing
        options.category = .named("urgent")
        #expect(try !absorbs("{\"Title\":\"c\"}", into: seam, options))
    }

    @Test func leavesAnUpdateWithOtherHeadersAlone() async throws {
        let seam = try await SeamStore(after: Self.order + "\nPATCH Orders(1) {\"Title\":\"b\"}")
        var options = Self.optimizing
        options.headers.add("Prefer", "respond-async")
        #expect(try !absorbs("{\"Title\":\"c\"}", into: seam, options))
    }

    @Test func leavesAnUpdateAloneThatIsBeingSent() async throws {
        let seam = try await SeamStore(
            after: Self.order + "\nPATCH Orders(1) {\"Title\":\"b\"}\nsend"
        )
        #expect(try !absorbs("{\"Title\":\"c\"}", into: seam, Self.optimizing))
    }

    // MARK: Deletions

    @Test func takesAWaitingCreationBack() async throws {
        let seam = try await SeamStore(after: Self.order + "\nPOST Orders {\"ID\":2}")
        #expect(try cancels("Orders(2)", in: seam, Self.optimizing))
        #expect(try await seam.queue() == [])
        #expect(try await seam.rows("Orders") == ["{ID:1 Title:a}"])
    }

    @Test func leavesACreationThatAnotherRequestNeeds() async throws {
        let seam = try await SeamStore(
            after: Self.order + "\nPOST Orders {\"ID\":2}\nPOST Items {\"ID\":5,\"OrderID\":2}"
        )
        #expect(try !cancels("Orders(2)", in: seam, Self.optimizing))
        #expect(try await seam.queue().count == 2)
    }

    @Test func leavesTheDeletionOfAnUpdatedEntityToSend() async throws {
        let seam = try await SeamStore(after: Self.order + "\nPATCH Orders(1) {\"Title\":\"b\"}")
        #expect(try !cancels("Orders(1)", in: seam, Self.optimizing))
        #expect(try await seam.queue().count == 1)
    }

    // MARK: Transactions

    @Test(arguments: ["t", "u"])
    func refusesASecondRequestForAnEntityInOneTransaction(_ name: String) async throws {
        let seam = try await SeamStore(
            after: Self.order + "\ntx=t PATCH Orders(1) {\"Title\":\"b\"}"
        )
        var options = ChangeOptions()
        options.transaction = .named(name)
        func check() throws {
            try seam.change(options) {
                let order = try $0.reference("Orders(1)")
                try QueueMerge($0).checkTransaction(order, url: "Orders(1)")
            }
        }
        guard name == "t" else { return try check() }
        let error = #expect(throws: EditError.self) { try check() }
        #expect(error?.message.hasPrefix("transaction t has request 1 for this entity") == true)
    }
}
