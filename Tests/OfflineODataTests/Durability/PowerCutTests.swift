import CRecordingVFS
import ODataSQLite
import StoreRecords
import ODataAnswers
import OfflineStore
import TestSupport
import Testing

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// Local changes outlive a power cut at any sync: the files are rebuilt from what was written, with what was not synced lost, mixed or torn.
@Suite struct PowerCutTests {
    /// Statements of a create and of an update of one entity, at most: what it takes does not grow with the store or the queue.
    private static let statementsOfACreate = 16
    private static let statementsOfAnUpdate = 26

    @Test func takesOneSyncAndFewStatements() throws {
        let recorded = try RecordedStore()
        // The first change makes the tables.
        try recorded.send("POST", "People", #"{"ID":1,"Name":"a"}"#)
        try recorded.send("PATCH", "People(1)", #"{"Name":"b"}"#)
        for number in 2..<12 {
            var before = recorded.eventCount
            var statements = try recorded.send(
                "POST",
                "People",
                "{\"ID\":\(number),\"Name\":\"x\"}"
            )
            #expect(
                recorded.syncs(before: recorded.eventCount) - recorded.syncs(before: before) == 1
            )
            #expect(statements <= Self.statementsOfACreate, "\(statements) statements of a create")
            before = recorded.eventCount
            statements = try recorded.send("PATCH", "People(\(number))", #"{"Name":"y"}"#)
            #expect(
                recorded.syncs(before: recorded.eventCount) - recorded.syncs(before: before) == 1
            )
            #expect(
                statements <= Self.statementsOfAnUpdate,
                "\(statements) statements of an update"
            )
        }
    }

    @Test func keepsEachAcknowledgedChangeWithItsRequest() throws {
        let recorded = try RecordedStore()
        try recorded.send("POST", "People", #"{"ID":1,"Name":"first"}"#)
        let start = recorded.eventCount
        // How many events had been written when each change was acknowledged.
        var acknowledged: [Int32] = [start]
        for number in 2...TestScale.size(8, soak: 60) {
            try recorded.send("POST", "People", "{\"ID\":\(number),\"Name\":\"p\(number)\"}")
            acknowledged.append(recorded.eventCount)
            // Some changes meet a log that was just taken into the file.
            if number % 5 == 0 {
                let other = try SQLiteConnection(
                    path: recorded.store.file.path,
                    mode: .readWrite
                )
                try other.execute("PRAGMA synchronous = FULL; PRAGMA wal_checkpoint(TRUNCATE)")
            }
        }
        let cuts = (start...recorded.eventCount).filter {
            recorded.isSync($0 - 1) || recorded.isSync($0) || $0 == recorded.eventCount
        }
        try #require(cuts.count > acknowledged.count)
        var damages: [(recording_damage, UInt32)] = [(recording_lost, 0), (recording_kept, 0)]
        for seed in 0..<UInt32(TestScale.size(1, soak: 8)) {
            damages += [(recording_mixed, seed), (recording_torn, seed)]
        }
        for cut in cuts {
            let promised = acknowledged.count { $0 <= cut }
            for (damage, seed) in damages {
                let files = try recorded.rebuild(cut, damage, seed)
                let place = "cut after event \(cut), damage \(damage.rawValue), seed \(seed)"
                let store = try LocalStore(path: files.path + "/a.sqlite", isCreating: false)
                try store.file.readBlocking { connection in
                    #expect(try connection.text("PRAGMA integrity_check") == "ok", "\(place)")
                    let people = try connection.integer("SELECT count(*) FROM \"People\"") ?? -1
                    let requests = try connection.integer("SELECT count(*) FROM \"$queue\"") ?? -1
                    let paired = try connection.integer(
                        """
                        SELECT count(*) FROM "People" p JOIN "$queue" q ON q."row" = p."$id"
                        JOIN "$local" l ON l."row" = p."$id" AND l."table" = 'People'
                        WHERE q."flags" & 16
                        """
                    )
                    #expect(people >= promised, "\(place)")
                    #expect(requests == people && paired == people, "\(place)")
                }
            }
        }
    }
}
