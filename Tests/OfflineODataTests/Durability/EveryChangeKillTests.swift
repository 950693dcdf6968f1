import Dispatch
import StoreRecords
import ODataSQLite
import ODataValues
import OfflineStore
import TestSupport
import Testing

#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// A process that makes every kind of change is killed at some moment: the store is as after one of the changes, and none that was
/// acknowledged is lost.
@Suite struct EveryChangeKillTests {
    static let killCount = TestScale.size(6, soak: 500)
    /// Microseconds, about as many as a change takes.
    private static let longestDelay = 1_000

    @Test func leavesEachChangeWholeOrNotAtAll() async throws {
        let template = try TemporaryDirectory()
        try Self.makeTemplate(in: template)
        let states = try await Self.states(template)
        var generator = SeededGenerator(seed: 11)
        var moments: Set<Int> = []
        for kill in 0..<Self.killCount {
            let directory = try Self.copy(template)
            let last = Int.random(in: 0..<EveryChange.changes.count, using: &generator)
            // Some are over sooner: then it is one of the next that is cut.
            let delay = Int.random(in: 0...Self.longestDelay, using: &generator)
            await #expect(processExitsWith: .signal(SIGKILL)) {
                [path = directory.path as String, last = last as Int, delay = delay as Int] in
                try await EveryChangeKillTests.makeAll(in: path, killedIn: last, after: delay)
            }
            let promised = try Self.acknowledged(in: directory.path)
            moments.insert(promised)
            let store = try LocalStore(path: directory.path + "/a.sqlite", isCreating: false)
            let check = try store.file.readBlocking { try $0.text("PRAGMA integrity_check") }
            #expect(check == "ok", "kill \(kill)")
            let isWhole = try states[promised...].prefix(2).contains(Self.state(of: store))
            #expect(isWhole, "kill \(kill) after \(promised) changes")
        }
        // Few kills on a busy machine may all come when the changes are done.
        if TestScale.isSoak { #expect(moments.count > EveryChange.changes.count / 2) }
    }

    // MARK: The process that is killed

    /// Makes the changes, each acknowledged by a byte in a file, until it is killed so many microseconds after one has begun.
    private static func makeAll(in path: String, killedIn last: Int, after delay: Int) async throws
    {
        let store = try LocalStore(path: path + "/a.sqlite", isCreating: false)
        let file = unsafe open(path + "/acknowledged", O_CREAT | O_WRONLY | O_APPEND, 0o600)
        for (index, change) in EveryChange.changes.enumerated() {
            if index == last {
                let end = DispatchTime.now() + .microseconds(delay)
                DispatchQueue.global().asyncAfter(deadline: end) { kill(getpid(), SIGKILL) }
            }
            try await EveryChange.make(change, store)
            _ = unsafe write(file, "x", 1)
        }
        while true { pause() }
    }

    private static func acknowledged(in path: String) throws -> Int {
        FileManager.default.contents(atPath: path + "/acknowledged")?.count ?? 0
    }

    // MARK: Stores

    private static func makeTemplate(in directory: TemporaryDirectory) throws {
        let store = try LocalStore(path: directory.path + "/a.sqlite", isCreating: true)
        let schema = try StoreSchema.make(Array(WorkshopModel.metadata.utf8))
        try store.file.writeBlocking { try StoreSchema.save(schema, on: $0) }
    }

    private static func copy(_ template: TemporaryDirectory) throws -> TemporaryDirectory {
        let directory = try TemporaryDirectory()
        for name in try FileManager.default.contentsOfDirectory(atPath: template.path) {
            try FileManager.default.copyItem(
                atPath: template.path + "/" + name,
                toPath: directory.path + "/" + name
            )
        }
        return directory
    }

    /// What the store holds before the changes and after each.
    private static func states(_ template: TemporaryDirectory) async throws -> [[String]] {
        let directory = try copy(template)
        let store = try LocalStore(path: directory.path + "/a.sqlite", isCreating: false)
        var states = [try state(of: store)]
        for change in EveryChange.changes {
            try await EveryChange.make(change, store)
            states.append(try state(of: store))
        }
        return states
    }

    /// Every row of every table, but for what differs from run to run: local ids, times, contents that nothing names.
    private static func state(of store: LocalStore) throws -> [String] {
        try store.file.readBlocking { connection in
            var lines: [String] = []
            for name in try connection.tableNames().sorted() where !name.hasPrefix("sqlite_") {
                try connection.forEachRow("SELECT * FROM \(name.sqlQuoted)\(used(name))") { row in
                    let values = (0..<row.columnCount).map { plain(row.scalar($0)) }
                    lines.append(name + " " + values.joined(separator: " "))
                }
            }
            return lines.sorted()
        }
    }

    /// A content is written before the change that makes it a stream's.
    private static func used(_ table: String) -> String {
        let contents = """
            (SELECT "content" FROM "$streamHead" UNION SELECT "stream" FROM "$queue"
             UNION SELECT "content" FROM "$streamBase"
             UNION SELECT "value" FROM "$effect" WHERE "kind" = 5)
            """
        return switch table {
        case "$content": " WHERE \"id\" IN \(contents)"
        case "$stream": " WHERE \"content\" IN \(contents)"
        default: ""
        }
    }

    private static func plain(_ value: Scalar) -> String {
        switch value {
        case .blob(let bytes) where bytes.count == 16: return "local"
        // Seconds since 1970, when the writing of a content began.
        case .integer(let number) where number > 1_000_000_000: return "time"
        case .text(let text) where text.wholeMatch(of: #/\d{4}-\d\d-\d\dT[\d:.]+Z/#) != nil:
            return "time"
        case .text(let text): return text.replacing(#/[0-9a-f]{32}/#, with: "local")
        default: return "\(value)"
        }
    }
}
