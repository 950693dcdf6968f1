import Testing

@testable import StoreRecords
@testable import OfflineStore

/// What the file says of a query: how far it was read, and what the next download asks for.
@Suite struct DefiningQueryTests {
    private func change(_ seam: SeamStore, _ work: (DefiningQueries) throws -> Void) throws {
        try seam.store.file.writeBlocking { try work(DefiningQueries($0)) }
    }

    private func query(_ seam: SeamStore) throws -> DefiningQuery {
        try #require(try seam.store.file.readBlocking { try DefiningQueries($0).all() }.first)
    }

    private func filled() throws -> SeamStore {
        let seam = try SeamStore()
        try seam.addQuery("Orders", url: "Orders")
        return seam
    }

    @Test func isLoadedWhenItWasReadToTheEnd() throws {
        let seam = try filled()
        try change(seam) { try $0.setNextLink("p2", of: "Orders") }
        #expect(try query(seam).nextLink == "p2")
        #expect(try !query(seam).isLoaded)
        try change(seam) { try $0.finish("Orders", deltaLink: "d", etag: "e") }
        let found = try query(seam)
        #expect([found.nextLink, found.deltaLink, found.etag] == [nil, "d", "e"])
        #expect(found.isLoaded && !found.needsFullRead)
    }

    /// Neither the delta link nor the ETag of the whole result may spare the full read.
    @Test func isReadInFullWhenItsDeltaIsForgotten() throws {
        let seam = try filled()
        try change(seam) { try $0.finish("Orders", deltaLink: "d", etag: "e") }
        try change(seam) { try $0.forgetDelta(of: "Orders") }
        let found = try query(seam)
        #expect([found.deltaLink, found.etag] == [nil, nil])
        #expect(found.isLoaded && found.needsFullRead)
        try change(seam) { try $0.finish("Orders", deltaLink: nil) }
        #expect(try !query(seam).needsFullRead)
    }

    /// The ETag of a result vouches for the store only while no answer to a change has come in between.
    @Test func forgetsItsETagWhereAnAnswerCame() throws {
        let seam = try filled()
        try change(seam) { try $0.finish("Orders", deltaLink: nil, etag: "e e") }
        #expect(try query(seam).etag == "e e")
        try seam.store.file.writeBlocking { try AnswerCounter.advance($0) }
        #expect(try query(seam).etag == nil)
    }

    /// The first URL may have been a slip of the pen.
    @Test func takesAnotherURLInThePlaceOfOneThatWasNeverLoaded() throws {
        let seam = try filled()
        try seam.addQuery("Orders", url: "Orders?$top=1")
        #expect(try query(seam).url == "Orders?$top=1")
    }

    @Test func refusesAnotherURLUnderTheSameName() throws {
        let seam = try filled()
        try seam.addQuery("Orders", url: "Orders")
        try change(seam) { try $0.finish("Orders", deltaLink: nil) }
        #expect(throws: StoreError.self) { try seam.addQuery("Orders", url: "Orders?$top=1") }
        try seam.addQuery("Items", url: "Items")
        let slots = try seam.store.file.readBlocking { try DefiningQueries($0).all().map(\.slot) }
        #expect(slots == [0, 1])
        try seam.removeQuery("Orders")
        try seam.addQuery("Tags", url: "Tags")
        let all = try seam.store.file.readBlocking { try DefiningQueries($0).all() }
        #expect(all.map { "\($0.name) \($0.slot)" } == ["Items 1", "Tags 0"])
    }
}
