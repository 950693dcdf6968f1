@testable import StoreRecords
@testable import StoreDownload
import ODataSQLite
import Testing

@testable import OfflineStore

/// What a download asks for, and what it leaves of what was staged.
@Suite struct DownloadWorkTests {
    private func query(_ seam: SeamStore, _ name: String = "Orders") throws -> DefiningQuery {
        let all = try seam.store.file.readBlocking { try DefiningQueries($0).all() }
        return try #require(all.first { $0.name == name })
    }

    private func loaded() async throws -> SeamStore {
        let seam = try SeamStore()
        for name in ["Orders", "Tags"] { try seam.addQuery(name, url: name) }
        try await seam.merge([
            seam.page("Orders", isDelta: false, #"{"ID":1}"#),
            seam.page("Tags", isDelta: false, #"{"Name":"t"}"#),
        ])
        return seam
    }

    @Test func asksForChangesWhereNothingSpeaksAgainstIt() async throws {
        let seam = try await loaded()
        let work = DownloadWork(seam.store)
        func forms(_ tasks: [DownloadWork.Task]) -> [String] {
            tasks.map { "\($0.query.name) \($0.isDelta ? "delta" : "full")" }
        }
        #expect(try await forms(work.tasks()) == ["Orders delta", "Tags delta"])
        #expect(try await forms(work.tasks(names: ["Tags"])) == ["Tags delta"])
        #expect(try await forms(work.tasks(isFull: true)) == ["Orders full", "Tags full"])
        #expect(try await forms(work.tasks(onlyUnloaded: true)) == [])
        try seam.store.file.writeBlocking { try DefiningQueries($0).forgetDelta(of: "Tags") }
        #expect(try await forms(work.tasks()) == ["Orders delta", "Tags full"])
        #expect(try await forms(work.tasks(onlyUnloaded: true)) == ["Tags full"])
        try seam.addQuery("Cards", url: "Cards")
        #expect(
            try await forms(work.tasks()) == ["Orders delta", "Tags full", "Cards full"]
        )
    }

    /// A service that once refused to track changes is asked again only where the person wants everything anew.
    @Test func asksNotForTrackingWhereItIsRefused() async throws {
        let seam = try await loaded()
        let work = DownloadWork(seam.store)
        try await work.noteUntracked(query(seam))
        #expect(try await work.tasks().map(\.asksForChanges) == [false, true])
        #expect(try await work.tasks(isFull: true).map(\.asksForChanges) == [true, true])
    }

    /// A result that has not changed is loaded as before, with the link to later changes that it had.
    @Test func keepsTheDeltaLinkOfAnUnchangedResult() async throws {
        let seam = try await loaded()
        let before = try query(seam)
        let work = DownloadWork(seam.store)
        let item = DownloadWork.Loaded(
            task: DownloadWork.Task(query: before, direct: nil, isDelta: false),
            deltaLink: nil,
            etag: "e",
            isUnchanged: true
        )
        let staging = try StagingFile(besides: seam.store.file.path, encryption: nil)
        let merged = try await work.merge([item], staging: staging, stamp: 9)
        #expect(merged.refused.isEmpty)
        let after = try query(seam)
        #expect([before.deltaLink, after.deltaLink, after.etag] == ["d", "d", "e"])
    }

    /// What a broken page had brought is not merged: rows, removals and links come again.
    @Test func forgetsWhatABrokenPageHasStaged() async throws {
        let seam = try await loaded()
        let staging = try StagingFile(besides: seam.store.file.path, encryption: nil)
        let load = try PageLoad(
            query(seam),
            schema: try await seam.store.schema(),
            into: .staging(staging),
            stamp: 2,
            isDelta: true,
            start: "d",
            root: "http://service/"
        )
        let head = #"{"@odata.context":"http://service/$metadata#Orders/$delta","value":["#
        let broken = """
            \(head){"@removed":{"reason":"deleted"},"@odata.id":"Orders(1)"},{"ID":5,"Tags":[{"Name":"t"}]},
            {"@odata.context":"http://service/$metadata#Orders/$link","source":"Orders(1)",
            "relationship":"Tags","target":"Tags('t')"},
            """
        try await load.feed([Array(broken.utf8)])
        await load.abandonPage()
        _ = try await load.finishPage([Array("\(head){\"ID\":2}]}".utf8)])
        try await load.finish()
        let counts = try ["Orders", "Tags", "$removed", "$linkchange", "$links"].map { name in
            try staging.queue.runBlocking {
                try $0.integer("SELECT count(*) FROM \"0:\(name)\"") ?? 0
            }
        }
        #expect(counts == [1, 0, 0, 0, 0])
    }
}
