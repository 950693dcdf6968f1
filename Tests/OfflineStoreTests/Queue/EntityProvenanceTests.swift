import ODataSQL
import StoreRecords
import Testing

@testable import OfflineStore

@Suite struct EntityProvenanceTests {
    private static let tags = """
        query Tags Tags
        query Reds Tags?$filter=Color eq 'red'
        query Memos Memos
        full Tags {"@odata.etag":"1","Name":"t","Color":"red"} {"Name":"u"}
        full Reds {"@odata.etag":"1","Name":"t","Color":"red"}
        full Memos {"ID":1,"TagName":"t"} {"ID":2,"TagName":"t"} {"ID":3}
        merge
        """

    private func provenance(_ url: String, in seam: SeamStore) throws -> EntityProvenance {
        try seam.store.file.readBlocking { [store = seam.store] connection in
            try EntityProvenance(url, on: connection, schema: store.schema(connection))
        }
    }

    @Test func namesTheQueriesThatHoldTheEntity() async throws {
        let seam = try await SeamStore(after: Self.tags)
        let both = try provenance("Tags('t')", in: seam)
        #expect(both.queries.map(\.name).sorted() == ["Reds", "Tags"])
        #expect(both.set == "Tags")
        #expect(both.type == "S.Tag")
        #expect(both.etag == "1")
        #expect(try provenance("Tags('u')", in: seam).queries.map(\.name) == ["Tags"])
    }

    @Test func countsTheEntitiesThatReferToIt() async throws {
        let seam = try await SeamStore(after: Self.tags)
        let references = try provenance("Tags('t')", in: seam).references
        #expect(references.map(\.set) == ["Memos"])
        #expect(references.map(\.property) == ["Tag"])
        #expect(references.map(\.count) == [2])
        #expect(references.map(\.links) == [["Memos(1)", "Memos(2)"]])
        #expect(try provenance("Tags('u')", in: seam).references.isEmpty)
    }

    @Test func namesNoMoreLinksThanItsLimit() async throws {
        let count = EntityProvenance.maximumLinkCount + 5
        let memos = (1...count).map { "{\"ID\":\($0),\"TagName\":\"t\"}" }.joined(separator: " ")
        let seam = try await SeamStore(
            after: """
                query Tags Tags
                query Memos Memos
                full Tags {"Name":"t"}
                full Memos \(memos)
                merge
                """
        )
        let references = try provenance("Tags('t')", in: seam).references
        #expect(references.map(\.count) == [count])
        #expect(references.map(\.links.count) == [EntityProvenance.maximumLinkCount])
    }

    @Test func listsTheRequestsThatChangeItAndThoseThatNameIt() async throws {
        let seam = try await SeamStore(
            after: """
                \(Self.tags)
                PATCH Tags('t') {"Color":"blue"}
                PATCH Memos(3) {"Tag@odata.bind":"Tags('t')"}
                """
        )
        let found = try provenance("Tags('t')", in: seam)
        #expect(found.requests.map(\.id) == [1])
        #expect(found.referringRequestIDs == [2])
        #expect(found.state == [.local, .pending])
        #expect(found.versions.changedProperties == ["Color"])
        #expect(!found.isDeletedHere)
    }

    @Test func findsAnEntityThatIsDeletedHere() async throws {
        let seam = try await SeamStore(after: Self.tags + "\nDELETE Tags('u')")
        let found = try provenance("Tags('u')", in: seam)
        #expect(found.isDeletedHere)
        #expect(found.state == .pending)
        #expect(found.versions.local == nil)
    }

    @Test func refusesAnEntityThatIsNotInTheStore() async throws {
        let seam = try await SeamStore(after: Self.tags)
        let error = #expect(throws: StoreError.self) { try provenance("Tags('x')", in: seam) }
        #expect(error?.code == .notFound)
    }

    @Test func refusesACollection() async throws {
        let seam = try await SeamStore(after: Self.tags)
        let error = #expect(throws: StoreError.self) { try provenance("Tags", in: seam) }
        #expect(error?.code == .invalid)
    }
}
