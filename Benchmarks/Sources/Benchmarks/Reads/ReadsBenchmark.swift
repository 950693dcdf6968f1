internal import CYardsticks
#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif
import ODataModel
import ODataProtocol
import OfflineOData

/// Compares requests answered as OData JSON with the same SQL driven from C, values read out.
struct ReadsBenchmark {
    private let rows: Int
    private let runs: Int
    private let pages: ReadingPages

    /// Takes the size from the options.
    init(_ options: Options) throws {
        rows = try options.number("rows", default: 1_000_000)
        runs = try options.number("runs", default: 7)
        pages = try ReadingPages(Options(["--rows", String(rows)]))
    }

    /// One kind of request with the SQL that answers it.
    private struct Reading {
        let name: String
        /// The request; `#` is replaced by a key.
        let url: String
        let sql: String
        let repeats: Int
    }

    private static let columns =
        "\"ID\",\"Code\",\"Name\",\"Comment\",\"City\",\"State\",\"Count\",\"Amount\",\"Factor\",\"Temperature\","
        + "\"IsValid\",\"CreatedAt\",\"ChangedAt\",\"Reference\",\"Day\""

    private static let top =
        "FROM \"Readings\" WHERE \"State\" = 'paid' AND \"Amount\" > 500000000 ORDER BY \"Amount\" DESC, \"ID\" LIMIT 100"

    /// The rows as SQLite's own function makes JSON of them.
    private static let object =
        "json_object("
        + columns.split(separator: ",").map { name in
            "'\(name.dropFirst().dropLast())', \(name == "\"Reference\"" ? "hex(\(name))" : String(name))"
        }.joined(separator: ",") + ")"

    private static let readings = [
        Reading(
            name: "by key",
            url: "Readings(#)",
            sql: "SELECT \(columns) FROM \"Readings\" WHERE \"ID\" = ?1",
            repeats: 5_000
        ),
        Reading(
            name: "top 100, filtered and ordered",
            url:
                "Readings?$filter=State eq 'paid' and Amount gt 5000000&$orderby=Amount desc&$top=100",
            sql: "SELECT \(columns) \(top)",
            repeats: 300
        ),
        Reading(
            name: "the same against json_object()",
            url:
                "Readings?$filter=State eq 'paid' and Amount gt 5000000&$orderby=Amount desc&$top=100",
            sql: "SELECT \(object) \(top)",
            repeats: 300
        ),
        Reading(
            name: "$count with a filter",
            url: "Readings/$count?$filter=Count gt 1000 and IsValid eq true",
            sql: "SELECT count(*) FROM \"Readings\" WHERE \"Count\" > 1000 AND \"IsValid\" = 1",
            repeats: 1
        ),
        Reading(
            name: "groupby",
            url:
                "Readings?$apply=groupby((City),aggregate(Count with sum as Sum,$count as Number))",
            sql: "SELECT \"City\", sum(\"Count\"), count(*) FROM \"Readings\" GROUP BY \"City\"",
            repeats: 1
        ),
    ]

    /// Makes the store and measures all.
    func run() async throws {
        let workspace = try Workspace()
        let directory = try workspace.emptyDirectory("pages")
        _ = try pages.write(to: directory)
        let server = try PageServer(directory: directory)
        let store = try workspace.emptyDirectory("store")
        let provider = try await load(store, server.serviceRoot)
        _ = try server.stop()
        let path = store + "/reads.sqlite"
        print("\nReads: \(rows) rows, least CPU of \(runs) pairs of runs")
        var table = Table(header: ["", "C us", "store us", "store : C"])
        for reading in Self.readings {
            let (limit, ours) = try await measure(reading, provider, path)
            table.add(line(reading.name, limit, ours, reading.repeats))
        }
        let (limit, ours) = try bind(directory, path)
        table.add(line("parse and bind, against sqlite3_prepare_v3()", limit, ours, 1_000))
        print(table.text + "\n")
    }

    private func line(_ name: String, _ limit: Double, _ ours: Double, _ repeats: Int) -> [String] {
        let factor = 1e6 / Double(repeats)
        return [
            name, (limit * factor).text(decimals: 1), (ours * factor).text(decimals: 1),
            (ours / limit).text(decimals: 2),
        ]
    }

    private func load(_ directory: String, _ service: String) async throws -> OfflineODataProvider {
        let parameters = OfflineODataParameters()
        parameters.storeName = "reads"
        parameters.storePath = URL(filePath: directory)
        let provider = try OfflineODataProvider(serviceRoot: service, parameters: parameters)
        try provider.add(
            definingQuery: OfflineODataDefiningQuery(name: "Readings", query: "Readings")
        )
        try await provider.open()
        try await provider.createIndex(on: "Readings", properties: ["State", "Amount"])
        return provider
    }

    private func measure(
        _ reading: Reading,
        _ provider: OfflineODataProvider,
        _ path: String
    ) async throws -> (limit: Double, ours: Double) {
        var limit = Double.infinity
        var ours = Double.infinity
        // Keys far apart, so that pages are not met by accident.
        let step = max(1, rows / reading.repeats)
        for _ in 0...runs {
            var result = yardstick_reads()
            let problem = unsafe yardstick_read(
                path,
                reading.sql,
                Int32(reading.repeats),
                1_000,
                Int64(step),
                &result
            )
            if let problem = unsafe problem {
                throw BenchmarkError(unsafe String(cString: problem))
            }
            limit = min(limit, result.cpu_seconds)
            let start = yardstick_cpu_seconds()
            for turn in 0..<reading.repeats {
                let url = reading.url.split(separator: "#", omittingEmptySubsequences: false)
                    .joined(separator: String(1_000 + step * turn))
                let response = await provider.respond(to: HTTPRequest(method: "GET", url: url))
                guard response.status == 200 else {
                    throw BenchmarkError(String(decoding: response.body, as: UTF8.self))
                }
            }
            ours = min(ours, yardstick_cpu_seconds() - start)
        }
        return (limit, ours)
    }

    /// Reading and binding a typical request, beside compiling the SQL that answers it.
    private func bind(_ directory: String, _ path: String) throws -> (limit: Double, ours: Double) {
        let bytes = try Data(contentsOf: URL(filePath: directory + "/metadata.xml"))
        let model = try CSDLDocument(reading: Array(bytes)).model
        let url =
            "Readings?$filter=State eq 'paid' and Amount gt 5000000&$orderby=Amount desc&$top=100"
        var limit = Double.infinity
        var ours = Double.infinity
        for _ in 0...runs {
            var result = yardstick_reads()
            let problem = unsafe yardstick_prepare(
                path,
                "SELECT \(Self.columns) \(Self.top)",
                1_000,
                &result
            )
            if let problem = unsafe problem {
                throw BenchmarkError(unsafe String(cString: problem))
            }
            limit = min(limit, result.cpu_seconds)
            let start = yardstick_cpu_seconds()
            for _ in 0..<1_000 { _ = try BoundRequest(parsing: url, in: model) }
            ours = min(ours, yardstick_cpu_seconds() - start)
        }
        return (limit, ours)
    }
}
