internal import CYardsticks
import ODataProtocol
import OfflineOData

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// Compares `$search` with an index against FTS5 driven from C, over the same table and the same index, and against the scan.
///
/// C's statement is the plain one: the words from FTS5, joined with the rows. Both read every value and stay on one thread.
struct SearchBenchmark {
    private let rows: Int
    private let runs: Int

    /// What the store may take.
    private static let limit = 1.3

    /// Takes the size from the options.
    init(_ options: Options) throws {
        rows = try options.number("rows", default: 300_000)
        runs = try options.number("runs", default: 9)
    }

    /// A search of the store, and the same in FTS5's words.
    private struct Line {
        let name: String
        let url: String
        let sql: String
        let repeats: Int
    }

    private static let index = #""$search(Readings)""#

    private static func rows(_ match: String, _ more: String = "") -> String {
        """
        SELECT t.* FROM \(index) AS s JOIN "Readings" AS t ON t."$id" = s.rowid \
        WHERE \(index) MATCH '\(match)'\(more) ORDER BY t."ID"
        """
    }

    private static let lines = [
        Line(
            name: "one word, one row",
            url: #"Readings?$search="R 00012345""#,
            sql: rows("\"R 00012345\""),
            repeats: 500
        ),
        Line(
            name: "three words and a filter",
            url: #"Readings?$search=leeds AND roof AND "größer été noise"&$filter=State eq 'paid'"#,
            sql: rows(
                "\"leeds\" AND \"roof\" AND \"größer été noise\"",
                " AND t.\"State\" = 'paid'"
            ),
            repeats: 20
        ),
        Line(
            name: "first 20 of many",
            url: "Readings?$search=pump noise roof&$top=20",
            sql: rows("\"pump\" AND \"noise\" AND \"roof\"") + " LIMIT 20",
            repeats: 5
        ),
        Line(
            name: "$count of a common word",
            url: "Readings/$count?$search=pump",
            sql: "SELECT count(*) FROM \(index) WHERE \(index) MATCH '\"pump\"'",
            repeats: 5
        ),
    ]

    /// Makes the store and measures all.
    func run() async throws {
        let workspace = try Workspace()
        let store = try await ReadsBenchmark.readings(workspace, rows: rows)
        let scan = try time { try Self.read("Readings/$count?$search=pump", store.provider) }
        let made = yardstick_wall_seconds()
        try await store.provider.createSearchIndex(on: "Readings")
        let making = yardstick_wall_seconds() - made
        var table = Table(
            header: PairedTimes.header("", "C ms", "store ms", Self.limit.text(decimals: 2))
        )
        for line in Self.lines { table.add(try await measure(line, store)) }
        detail("\nSearch: \(rows) rows, \(runs) pairs of runs")
        detail(table.text)
        detail("  a count by the scan: \((scan * 1e3).text(decimals: 0)) ms of CPU;")
        detail("  the index was made in \(making.text(decimals: 2)) s\n")
    }

    private func time(_ work: () throws -> Void) rethrows -> Double {
        let start = yardstick_cpu_seconds()
        try work()
        return yardstick_cpu_seconds() - start
    }

    private func measure(_ line: Line, _ store: ReadStore) async throws -> [String] {
        var times = PairedTimes()
        let yardstick = ReadYardstick(path: store.path)
        for _ in 0..<runs {
            let (wall, processor) = try yardstick.times(line.sql, repeats: line.repeats)
            times.addFirst(wall: wall, processor: processor)
            try await times.addSecond {
                for _ in 0..<line.repeats { try Self.read(line.url, store.provider) }
            }
        }
        let scale = 1e3 / Double(line.repeats)
        Summary.shared.add(
            times.summary(
                "$search : FTS5 from C, \(line.name)",
                unit: "ms",
                scale: scale,
                wanted: Self.limit
            )
        )
        return [line.name] + times.columns(scale: scale)
    }

    private static func read(_ url: String, _ provider: OfflineODataProvider) throws {
        guard !url.contains("$count") else {
            let response = provider.respond(to: HTTPRequest(method: "GET", url: escaped(url)))
            guard response.status == 200, response.body != Array("0".utf8) else {
                throw BenchmarkError("\(url) counts nothing")
            }
            return
        }
        var values = ReadValues()
        for entity in try provider.executeQuery(url) { values.read(entity, ReadValues.reading) }
        guard values.rows > 0 else { throw BenchmarkError("\(url) finds nothing") }
    }

    private static func escaped(_ url: String) -> String {
        url.split(separator: " ").joined(separator: "%20")
    }
}
