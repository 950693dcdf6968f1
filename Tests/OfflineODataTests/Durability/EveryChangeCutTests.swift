import CRecordingVFS
import ODataModel
import ODataProtocol
import ODataService
import ODataTables
import OfflineStore
import TestSupport
import Testing

/// A power cut at each sync of every kind of change: the whole file is as after one of the changes, and none that was acknowledged is lost.
@Suite struct EveryChangeCutTests {
    /// A change of the store, through requests or on its queue.
    private enum Change: Sendable {
        case request(String, String, String?, HTTPHeaders = [:])
        case queue(@Sendable (QueueEditor) throws -> Void)
    }

    private static let text: HTTPHeaders = ["Content-Type": "text/plain"]

    private static let changes: [Change] = [
        .request("POST", "People", #"{"ID":1,"Name":"a"}"#),
        .request(
            "POST",
            "People",
            #"{"ID":2,"Name":"b","Jobs":[{"ID":1}],"Notes":[{"Number":1}],"Boss@odata.bind":"People(1)"}"#
        ),
        .request("PATCH", "People(1)", #"{"Status":"s"}"#),
        .request("PUT", "People(1)", #"{"Name":"r"}"#),
        .request("PATCH", "Tools('t')", #"{"Colour":"red","OwnerID":2}"#, ["If-None-Match": "*"]),
        .request("POST", "People(1)/Friends/$ref", #"{"@odata.id":"People(2)"}"#),
        .request("PUT", "People(2)/Rival/$ref", #"{"@odata.id":"People(1)"}"#),
        .request("DELETE", "People(1)/Friends/$ref?$id=People(2)", nil),
        .request("PUT", "People(1)/Picture", "face", text),
        .request("PUT", "People(1)/Picture", "other face", text),
        .request("POST", "Photos", "picture", text),
        .request("DELETE", "People(1)/Picture", nil),
        .request("POST", "People(2)/W.Promote", #"{"steps":1}"#),
        .request("DELETE", "People(2)", nil),
        .request(
            "POST",
            "$batch",
            """
            {"requests":[{"id":"a","atomicityGroup":"g","method":"POST","url":"People",
              "headers":{"content-type":"application/json"},"body":{"ID":3,"Name":"c"}},
             {"id":"b","atomicityGroup":"g","method":"POST","url":"$a/Jobs",
              "headers":{"content-type":"application/json"},"body":{"ID":7}}]}
            """
        ),
        .queue { try $0.edit(3, body: Array(#"{"Status":"edited"}"#.utf8)) },
        .queue { _ = try $0.drop([4]) },
        .queue { _ = try $0.undoAll() },
    ]

    private static func make(_ change: Change, _ store: LocalStore) async throws {
        switch change {
        case .request(let method, let url, let body, let headers):
            var options = ServiceOptions()
            options.demandsPreconditions = false
            options.serviceRoot = "http://service.test/"
            var request = HTTPRequest(
                method: method,
                url: "http://service.test/" + url,
                headers: headers,
                body: Array((body ?? "").utf8)
            )
            if body != nil, headers["Content-Type"] == nil {
                request.headers["Content-Type"] = "application/json"
            }
            let answer = await ODataServiceHandler(store: store, options: options)
                .respond(to: request)
            let isDone = answer.isSuccess && !answer.text.contains(#""status":4"#)
            try #require(isDone, "\(method) \(url): \(answer.text)")
        case .queue(let work):
            try await store.file.write { try work(QueueEditor($0, store.schema($0))) }
        }
    }

    /// Every row of every table.
    private static func dump(_ store: LocalStore) throws -> [String] {
        try store.file.readBlocking { connection in
            var lines: [String] = []
            for name in try connection.tableNames().sorted() where !name.hasPrefix("sqlite_") {
                try connection.forEachRow("SELECT * FROM \(name.sqlQuoted)") { row in
                    let values = (0..<row.columnCount).map { "\(row.scalar($0))" }
                    lines.append(name + " " + values.joined(separator: " "))
                }
            }
            return lines.sorted()
        }
    }

    @Test func leavesEachChangeWholeOrNotAtAll() async throws {
        let recorded = try RecordedStore()
        let start = recorded.eventCount
        var dumps = [try Self.dump(recorded.store)]
        var acknowledged: [Int32] = []
        for change in Self.changes {
            try await Self.make(change, recorded.store)
            acknowledged.append(recorded.eventCount)
            dumps.append(try Self.dump(recorded.store))
        }
        let cuts = (start...recorded.eventCount).filter {
            recorded.isSync($0 - 1) || recorded.isSync($0) || $0 == recorded.eventCount
        }
        try #require(cuts.count > Self.changes.count)
        var damages: [(recording_damage, UInt32)] = [(recording_lost, 0), (recording_torn, 1)]
        for seed in 2..<UInt32(TestScale.size(2, soak: 20)) {
            damages += [(recording_mixed, seed), (recording_torn, seed)]
        }
        for cut in cuts {
            let promised = acknowledged.count { $0 <= cut }
            for (damage, seed) in damages {
                let files = try recorded.rebuild(cut, damage, seed)
                let store = try LocalStore(path: files.path + "/a.sqlite", isCreating: false)
                let found = try Self.dump(store)
                let isWhole = dumps[promised...].prefix(2).contains(found)
                #expect(isWhole, "cut after event \(cut), damage \(damage.rawValue), seed \(seed)")
            }
        }
    }
}
