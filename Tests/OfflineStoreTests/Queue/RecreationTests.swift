import StoreRecords
import Testing

@testable import OfflineStore

@Suite struct RecreationTests {
    /// Queues the creation of an entity anew, as the end of its conflict does.
    private func recreate(_ url: String, in seam: SeamStore) throws {
        try seam.change { transaction in
            let editor = transaction.queueEditor
            let entity = try editor.entity(url)
            let requests = try editor.journal.requests(on: entity.row).map(editor.entry)
            try Recreation(editor, of: entity).queue(requests)
        }
    }

    private func refusal(_ url: String, in seam: SeamStore) -> String? {
        #expect(throws: StoreError.self) { try recreate(url, in: seam) }?.message
    }

    private func deleted(_ set: String, _ url: String) -> String {
        "delta \(set) {\"@removed\":{\"reason\":\"deleted\"},\"@odata.id\":\"\(url)\"}\nmerge"
    }

    @Test func makesAnUpdateOfADeletedEntityItsCreation() async throws {
        let seam = try await SeamStore(
            after: """
                query Orders Orders
                full Orders {"ID":1,"Title":"a","Price":2}
                merge
                PATCH Orders(1) {"Title":"mine"}
                \(deleted("Orders", "Orders(1)"))
                """
        )
        try recreate("Orders(1)", in: seam)
        let queue = try await seam.queue()
        #expect(queue == ["1 pending POST Orders {\"ID\":1,\"Title\":\"mine\",\"Price\":2}"])
        let rows = try await seam.rows("Orders")
        #expect(rows == ["{isLocal hasPendingChanges ID:1 Title:mine Price:2}"])
    }

    @Test func makesOneCreationOfSeveralUpdates() async throws {
        let seam = try await SeamStore(
            after: """
                query Orders Orders
                full Orders {"ID":1,"Title":"a"}
                merge
                PATCH Orders(1) {"Title":"mine"}
                PATCH Orders(1) {"Price":3}
                \(deleted("Orders", "Orders(1)"))
                """
        )
        try recreate("Orders(1)", in: seam)
        let queue = try await seam.queue()
        #expect(queue == ["1 pending POST Orders {\"ID\":1,\"Title\":\"mine\",\"Price\":3}"])
    }

    @Test func refusesASingleton() async throws {
        let seam = try await SeamStore(
            after: """
                query Top Top
                one Top {"Name":"t","Color":"red"}
                merge
                PATCH Top {"Color":"blue"}
                """
        )
        #expect(refusal("Top", in: seam)?.contains("a singleton cannot be created") == true)
    }

    @Test func refusesAMediaEntity() async throws {
        let seam = try await SeamStore(
            after: """
                query Photos Photos
                full Photos {"ID":1,"Title":"a"}
                merge
                PATCH Photos(1) {"Title":"b"}
                \(deleted("Photos", "Photos(1)"))
                """
        )
        let message = refusal("Photos(1)", in: seam)
        #expect(message?.contains("a media entity is created from its stream") == true)
        #expect(try await seam.queue() == ["1 pending PATCH Photos(1) {\"Title\":\"b\"}"])
    }

    @Test func refusesAnEntityThatIsDeletedHereToo() async throws {
        let seam = try await SeamStore(
            after: """
                query Orders Orders
                full Orders {"ID":1,"Title":"a"}
                merge
                DELETE Orders(1)
                """
        )
        #expect(refusal("Orders(1)", in: seam)?.hasPrefix("the entity is deleted here too") == true)
    }

    @Test func refusesAnEntityWithoutChangedValues() async throws {
        let seam = try await SeamStore(
            after: "query Orders Orders\nfull Orders {\"ID\":1,\"Title\":\"a\"}\nmerge"
        )
        #expect(refusal("Orders(1)", in: seam)?.contains("no value of it is changed here") == true)
    }
}
