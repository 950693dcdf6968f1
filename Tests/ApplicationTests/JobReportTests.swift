import OfflineOData
import Testing

/// Reports of jobs: read, written, merged.
@Suite struct JobReportTests {
    private static func report(
        _ shard: String,
        _ stores: Int,
        _ outcomes: (store: String, status: String, started: String)...,
        job: String = "j"
    ) throws -> OfflineODataJobReport {
        let lines = outcomes.map {
            #"{"store":"\#($0.store)","status":"\#($0.status)","attempts":1,"started":"2026-01-01T\#($0.started):00.000Z","seconds":1.500,"steps":[]}"#
        }
        let text =
            "{\"job\":\"\(job)\",\"shards\":[\"\(shard)\"],\"stores\":\(stores),\"outcomes\":["
            + lines.joined(separator: ",") + "]}"
        return try #require(OfflineODataJobReport(json: Array(text.utf8)))
    }

    private static let text = """
        {"job":"j","shards":["1/2"],"stores":3,"outcomes":[
        {"store":"a","status":"done","attempts":2,"started":"2026-01-01T10:00:00.000Z","seconds":1.500,"steps":[\
        {"do":"open","finished":"2026-01-01T10:00:01.000Z","seconds":1.000,"entities":7}]},
        {"store":"b","status":"failed","attempts":1,"started":"2026-01-01T10:00:02.000Z","seconds":0.250,"steps":[],\
        "error":{"step":"open","category":"internal","message":"the disk is full"}},
        {"store":"c","status":"refused","attempts":1,"started":"2026-01-01T10:00:03.000Z","seconds":0.250,"steps":[],"refusedIDs":[4,9]}
        ],"done":1,"refused":1,"unreachable":0,"failed":1,"remaining":0}

        """

    @Test func writesWhatItReads() throws {
        let report = try #require(OfflineODataJobReport(json: Array(Self.text.utf8)))
        #expect(String(decoding: report.json(), as: UTF8.self) == Self.text)
        #expect(report.outcome(of: "a")?.duration == .milliseconds(1_500))
        #expect(report.outcome(of: "b")?.failure?.message == "the disk is full")
        #expect(report.outcome(of: "c")?.refusedRequestIDs == [4, 9])
        #expect(report.remainingCount == 0)
    }

    @Test(arguments: [1, 4, 57, 204, 804, 806, 999])
    func keepsEachMillisecond(_ milliseconds: Int) throws {
        let fraction = String(String(1_000 + milliseconds).dropFirst())
        let text = Self.text.replacing("10:00:02.000Z", with: "17:34:20.\(fraction)Z")
        let report = try #require(OfflineODataJobReport(json: Array(text.utf8)))
        #expect(String(decoding: report.json(), as: UTF8.self) == text)
    }

    @Test func readsTheWholeLinesOfACutReport() throws {
        let whole = Array(Self.text.utf8)
        let head = try #require(whole.firstIndex(of: 0x0A))
        for count in stride(from: head, to: whole.count, by: 7) {
            let report = try #require(OfflineODataJobReport(json: Array(whole.prefix(count))))
            #expect(report.outcomes.count <= 3)
            #expect(report.outcomes.first.map { $0.store == "a" } ?? true)
        }
    }

    @Test(arguments: [
        "", "{}", "[]", "null", #"{"job":1}"#,
        #"{"job":"j","shards":[],"stores":1,"outcomes":[{}]}"#,
    ])
    func refusesWhatIsNoReport(_ text: String) {
        #expect(OfflineODataJobReport(json: Array(text.utf8)) == nil)
    }

    @Test func mergesParts() throws {
        let merged = try OfflineODataJobReport.merging([
            Self.report("2/2", 2, ("d", "refused", "10:00"), ("b", "done", "10:01")),
            Self.report("1/2", 2, ("a", "done", "10:00"), ("c", "unreachable", "10:01")),
        ])
        #expect(merged.storeCount == 4)
        #expect(merged.shards == ["2/2", "1/2"])
        #expect(merged.missingShards.isEmpty)
        #expect(merged.outcomes.map(\.store) == ["a", "b", "c", "d"])
        #expect(merged.count(of: .done) == 2)
        #expect(merged.repeatedStores.isEmpty)
    }

    @Test(arguments: [
        (["1/3", "3/3"], ["2/3"]),
        (["2/12"], ["1/12", "3/12"] + (4...12).map { "\($0)/12" }),
        // Cut in two ways: one of them is complete.
        (["1/3", "1/2", "2/2"], []),
        (["1/4", "1/3", "2/3"], ["3/3"]),
    ])
    func namesThePartsWithoutAReport(_ shards: [String], _ missing: [String]) throws {
        let merged = try OfflineODataJobReport.merging(
            shards.map { try Self.report($0, 1, ($0, "done", "10:00")) }
        )
        #expect(merged.missingShards == missing)
        let text = String(decoding: merged.json(), as: UTF8.self)
        #expect(text.contains(#","missingShards":["#) == !missing.isEmpty)
    }

    @Test func takesAReportOfAllStoresForComplete() throws {
        let whole = try #require(
            OfflineODataJobReport(
                json: Array(#"{"job":"j","shards":[],"stores":5,"outcomes":[]}"#.utf8)
            )
        )
        let merged = try OfflineODataJobReport.merging([
            whole, Self.report("1/2", 3, ("a", "done", "10:00")),
        ])
        #expect(merged.storeCount == 5)
        #expect(merged.missingShards.isEmpty)
    }

    @Test func keepsTheFinishedOutcomeOfAStore() throws {
        let merged = try OfflineODataJobReport.merging([
            Self.report("1/1", 1, ("a", "done", "10:00")),
            Self.report("1/1", 1, ("a", "failed", "11:00")),
        ])
        #expect(merged.storeCount == 1)
        #expect(merged.outcomes.map(\.status) == [.done])
        #expect(merged.repeatedStores.isEmpty)
    }

    @Test func namesStoresThatWereDoneTwice() throws {
        let merged = try OfflineODataJobReport.merging([
            Self.report("1/2", 1, ("a", "done", "10:00")),
            Self.report("2/2", 1, ("a", "done", "11:00")),
        ])
        #expect(merged.repeatedStores == ["a"])
        #expect(String(decoding: merged.json(), as: UTF8.self).contains(#""repeated":["a"]}"#))
    }

    @Test func refusesToMergeDifferentJobs() throws {
        let reports = [try Self.report("1/2", 0), try Self.report("2/2", 0, job: "k")]
        #expect(throws: OfflineODataError.self) { try OfflineODataJobReport.merging(reports) }
        #expect(throws: OfflineODataError.self) { try OfflineODataJobReport.merging([]) }
    }
}
