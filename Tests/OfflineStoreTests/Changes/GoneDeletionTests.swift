import Testing

@testable import OfflineStore

@Suite struct GoneDeletionTests {
    private static let cards = """
        query Cards Cards?$expand=Lines
        full Cards {"Name":"a","Title":"x","Lines":[{"No":1,"Text":"i"}]} {"Name":"b"}
        merge
        """
    private static let gone =
        "delta Cards {\"@removed\":{\"reason\":\"deleted\"},\"@odata.id\":\"Cards('a')\"}\nmerge"

    private func changed(_ events: String...) async throws -> SeamStore {
        try await SeamStore(after: ([Self.cards] + events).joined(separator: "\n"))
    }

    private func settles(_ url: String, in seam: SeamStore) throws -> Bool {
        try seam.change { try GoneDeletion($0).settle($0.reference(url)) }
    }

    @Test func removesTheEntityWithItsChanges() async throws {
        let seam = try await changed("PATCH Cards('a') {\"Title\":\"mine\"}", Self.gone)
        #expect(try settles("Cards('a')", in: seam))
        #expect(try await seam.queue() == [])
        #expect(try await seam.rows("Cards") == ["{Name:b}"])
    }

    @Test func removesTheChangesOfWhatTheEntityContains() async throws {
        let seam = try await changed(
            "PATCH Cards('a')/Lines(1) {\"Text\":\"mine\"}",
            "POST Cards('a')/Lines {\"No\":2}",
            Self.gone
        )
        #expect(try settles("Cards('a')", in: seam))
        #expect(try await seam.queue() == [])
        #expect(try await seam.rows("Cards") == ["{Name:b}"])
    }

    @Test func notesTheLostChangeInTheEventLog() async throws {
        let seam = try await changed("PATCH Cards('a') {\"Title\":\"mine\"}", Self.gone)
        let before = try seam.events().count
        #expect(try settles("Cards('a')", in: seam))
        #expect(try seam.events().count == before + 1)
    }

    @Test func leavesAnEntityThatTheServiceHas() async throws {
        let seam = try await changed("PATCH Cards('a') {\"Title\":\"mine\"}")
        #expect(try !settles("Cards('a')", in: seam))
        #expect(try await seam.queue() == ["1 pending PATCH Cards('a') {\"Title\":\"mine\"}"])
        let rows = try await seam.rows("Cards")
        #expect(rows == ["{isLocal hasPendingChanges Name:a Title:mine}", "{Name:b}"])
    }

    /// A request that may be at the service keeps the entity: the deletion waits for its answer.
    @Test func leavesAnEntityOfWhichARequestIsBeingSent() async throws {
        let seam = try await changed(
            "PATCH Cards('a') {\"Title\":\"mine\"}",
            Self.gone,
            "send"
        )
        #expect(try !settles("Cards('a')", in: seam))
        #expect(try await seam.queue() == ["1 sending PATCH Cards('a') {\"Title\":\"mine\"}"])
    }
}
