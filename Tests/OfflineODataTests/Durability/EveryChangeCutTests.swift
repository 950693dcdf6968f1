import CRecordingVFS
import StoreRecords
import ODataSQLite
import ODataAnswers
import OfflineStore
import TestSupport
import Testing

/// A power cut at each sync of every kind of change: the whole file is as after one of the changes, and none that was acknowledged is lost.
@Suite struct EveryChangeCutTests {
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
        for change in EveryChange.changes {
            try await EveryChange.make(change, recorded.store)
            acknowledged.append(recorded.eventCount)
            dumps.append(try Self.dump(recorded.store))
        }
        let cuts = (start...recorded.eventCount).filter {
            recorded.isSync($0 - 1) || recorded.isSync($0) || $0 == recorded.eventCount
        }
        try #require(cuts.count > EveryChange.changes.count)
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
