internal import CYardsticks
import OfflineOData

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// Compares requests answered from a store with the same SQL driven from C, values read out.
///
/// The SQL is what `explainQuery` tells of the request, column for column. C prepares it once and runs it so many times; the store
/// is called by its synchronous forms, so that both stay on one thread. CPU time of the process is compared.
struct ReadsBenchmark {
    private let rows: Int
    private let runs: Int
    /// Only lines whose name holds it are measured.
    private let wanted: String

    /// Takes the size from the options.
    init(_ options: Options) throws {
        rows = try options.number("rows", default: 1_000_000)
        runs = try options.number("runs", default: 7)
        wanted = options.text("only", default: "")
    }

    /// Makes the stores and measures all.
    func run() async throws {
        let workspace = try Workspace()
        var table = Table(header: ["", "C us", "store us", "store : C", "limit"])
        let readings = try await Self.readings(workspace, rows: rows)
        for line in try await ReadingLines(readings, rows: rows).lines { try measure(line, &table) }
        let depots = try await depots(workspace)
        for line in try await DepotLines(depots, rows: rows).lines { try measure(line, &table) }
        detail("\nReads: \(rows) rows, least CPU of \(runs) pairs of runs")
        detail(table.text + "\n")
    }

    private func measure(_ line: ReadLine, _ table: inout Table) throws {
        guard wanted.isEmpty || line.name.contains(wanted) else { return }
        var (limit, ours) = (Double.infinity, Double.infinity)
        for _ in 0...runs {
            limit = min(limit, try line.yardstick())
            let start = yardstick_cpu_seconds()
            try line.store()
            ours = min(ours, yardstick_cpu_seconds() - start)
        }
        ours -= line.deduction
        let factor = 1e6 / Double(line.repeats)
        summarize(line, ours: ours * factor, limit: limit * factor)
        table.add([
            line.name, (limit * factor).text(decimals: 1), (ours * factor).text(decimals: 1),
            (ours / limit).text(decimals: 2), line.limit,
        ])
    }

    private func summarize(_ line: ReadLine, ours: Double, limit: Double) {
        guard let wanted = Double(line.limit) else { return }
        var summary = SummaryLine(
            work: line.name,
            ours: ours,
            limit: limit,
            unit: "us",
            ratio: ours / limit,
            wanted: wanted,
            bound: .atMost
        )
        summary.cpuRatio = ours / limit
        Summary.shared.add(summary)
    }

    // MARK: Stores

    /// A store of readings with an index over two properties.
    static func readings(_ workspace: borrowing Workspace, rows: Int) async throws -> ReadStore {
        let directory = try workspace.emptyDirectory("pages")
        _ = try ReadingPages(Options(["--rows", String(rows)])).write(to: directory)
        let store = try await load(workspace, "readings", directory, ["Readings"])
        try await store.provider.createIndex(on: "Readings", properties: ["State", "Amount"])
        return store
    }

    private func depots(_ workspace: borrowing Workspace) async throws -> ReadStore {
        let directory = try workspace.emptyDirectory("pages")
        try DepotPages(rows: rows).write(to: directory)
        return try await Self.load(workspace, "depots", directory, DepotPages.names)
    }

    private static func load(
        _ workspace: borrowing Workspace,
        _ name: String,
        _ pages: String,
        _ sets: [String]
    ) async throws -> ReadStore {
        let server = try PageServer(directory: pages)
        let directory = try workspace.emptyDirectory(name)
        let parameters = OfflineODataParameters()
        parameters.storeName = name
        parameters.storePath = URL(filePath: directory)
        let provider = try OfflineODataProvider(
            serviceRoot: server.serviceRoot,
            parameters: parameters
        )
        for set in sets {
            try provider.add(definingQuery: OfflineODataDefiningQuery(name: set, query: set))
        }
        try await provider.open()
        _ = try server.stop()
        return ReadStore(provider: provider, path: directory + "/\(name).sqlite")
    }
}

/// A store that is read, and its file.
struct ReadStore {
    let provider: OfflineODataProvider
    let path: String

    /// The statements that answer a query, the parameters of the first replaced by their values.
    func sql(_ query: String) async throws -> [String] {
        try await provider.explainQuery(query).statements.enumerated().map { level, statement in
            guard level == 0 else { return statement.sql }
            // From the last on, so that `?1` is not found in `?12`.
            return statement.values.indices.reversed().reduce(statement.sql) { text, index in
                text.replacing("?\(index + 1)", with: statement.values[index])
            }
        }
    }
}
