import StoreRecords
import Testing

@testable import OfflineStore

/// A memo that holds the key of a tag again, since the request is taken back that has released it.
@Suite struct LostPrincipalsTests {
    private static let memo = """
        query Memos Memos
        query Tags Tags
        full Memos {"ID":1,"TagName":"t"}
        full Tags {"Name":"t"}
        merge
        PATCH Memos(1) {"TagName":null}
        """

    /// Takes the first request back, so that the memo holds the key of the tag; nothing is released yet.
    private func takeBackFirst(in transaction: StoreTransaction) throws -> Set<ChangedRow> {
        let editor = transaction.queueEditor
        let (rows, links) = try editor.touched(by: [editor.entry(1)])
        try editor.queue.remove(1)
        try editor.rebuild.rebuild(rows, links: links)
        return rows
    }

    @Test func setsTheForeignKeyOfADeletedPrincipalToNull() async throws {
        let seam = try await SeamStore(after: Self.memo + "\nDELETE Tags('t')")
        let changed = try seam.change { try takeBackFirst(in: $0) }
        #expect(try await seam.rows("Memos") == ["{ID:1 TagName:t}"])
        try seam.change { try LostPrincipals($0.queueEditor).release(changed) }
        #expect(try await seam.rows("Memos") == ["{isLocal hasPendingChanges ID:1}"])
    }

    @Test func givesTheForeignKeyBackWithTheDeletion() async throws {
        let seam = try await SeamStore(after: Self.memo + "\nDELETE Tags('t')")
        try seam.change { try LostPrincipals($0.queueEditor).release(takeBackFirst(in: $0)) }
        try seam.edit { try $0.drop([2]) }
        #expect(try await seam.rows("Memos") == ["{ID:1 TagName:t}"])
        #expect(try await seam.queue() == [])
    }

    @Test func leavesTheForeignKeyOfAPrincipalThatExists() async throws {
        let seam = try await SeamStore(after: Self.memo)
        try seam.change { try LostPrincipals($0.queueEditor).release(takeBackFirst(in: $0)) }
        #expect(try await seam.rows("Memos") == ["{ID:1 TagName:t}"])
    }

    /// The deletion of a box says nothing about memos: their foreign keys stay.
    @Test func leavesTheForeignKeyOfARelationWithoutAction() async throws {
        let box = "01234567-89ab-cdef-0123-456789abcdef"
        let seam = try await SeamStore(
            after: """
                query Memos Memos
                query Boxes Boxes
                full Memos {"ID":1,"BoxID":"\(box)"}
                full Boxes {"ID":"\(box)"}
                merge
                PATCH Memos(1) {"BoxID":null}
                DELETE Boxes(\(box))
                """
        )
        try seam.change { try LostPrincipals($0.queueEditor).release(takeBackFirst(in: $0)) }
        #expect(try await seam.rows("Memos") == ["{ID:1 BoxID:\(box)}"])
    }
}
