internal import CYardsticks
import ODataProtocol
import OfflineOData

/// Measures how soon a long read ends when its task is cancelled, and whether the next read is as fast as before.
struct CancelledReadBenchmark {
    private let rounds: Int
    private let rows: Int

    /// The ways to read; each takes much longer than the moment after which it is cancelled.
    private enum Way: String, CaseIterable {
        case query = "executeQuery"
        case apply = "$apply"
        case respond = "respond"
        case live = "liveQuery"
        case export = "exportData"
        case check = "checkIntegrity"
    }

    /// Time that a read runs before it is cancelled.
    private static let start = Duration.milliseconds(10)

    private static let metadata = """
        <?xml version="1.0"?>
        <edmx:Edmx Version="4.0" xmlns:edmx="http://docs.oasis-open.org/odata/ns/edmx"><edmx:DataServices>
        <Schema Namespace="N" xmlns="http://docs.oasis-open.org/odata/ns/edm">
          <EntityType Name="Line"><Key><PropertyRef Name="ID"/></Key>
            <Property Name="ID" Type="Edm.Int32" Nullable="false"/>
            <Property Name="Text" Type="Edm.String" Nullable="false"/></EntityType>
          <EntityContainer Name="C"><EntitySet Name="Lines" EntityType="N.Line"/></EntityContainer>
        </Schema></edmx:DataServices></edmx:Edmx>
        """

    private static let filter = "contains(tolower(Text),'zz') or endswith(toupper(Text),'QQ')"

    /// Takes the size from the options.
    init(_ options: Options) throws {
        rounds = try options.number("rounds", default: 100)
        rows = try options.number("rows", default: 500_000)
    }

    /// Runs all rounds and prints the report.
    func run() async throws {
        let workspace = try Workspace()
        let provider = try OfflineODataProvider(
            storeFile: workspace.emptyDirectory("store") + "/lines.sqlite",
            isCreating: true
        )
        try await provider.importData([lines()], metadata: Array(Self.metadata.utf8))
        detail("\nCancelled reads: \(rows) entities, \(rounds) rounds of each")
        var table = Table(header: ["", "whole ms", "median ms", "largest ms", "next read ms"])
        for way in Way.allCases {
            let whole = try await seconds { try await Self.read(way, provider) }
            var ends: [Double] = []
            var nexts: [Double] = []
            for _ in 0..<rounds {
                ends.append(try await cancelled(way, provider) * 1_000)
                nexts.append(
                    try await seconds { _ = try await provider.executeQuery("Lines(7)") } * 1_000
                )
            }
            let end = Sample(ends)
            table.add([
                way.rawValue, (whole * 1_000).text(decimals: 0), end.median.text(decimals: 2),
                end.largest.text(decimals: 2), Sample(nexts).median.text(decimals: 2),
            ])
        }
        detail(table.text + "\n")
    }

    private func lines() -> OfflineODataDataFile {
        var json = "["
        for number in 0..<rows {
            json +=
                "\(number > 0 ? "," : "")\n{\"ID\":\(number),\"Text\":\"Line \(number) of many, with some words\"}"
        }
        return OfflineODataDataFile(entitySet: "Lines", json: Array((json + "]").utf8))
    }

    private func seconds(_ work: () async throws -> Void) async throws -> Double {
        let start = yardstick_wall_seconds()
        try await work()
        return yardstick_wall_seconds() - start
    }

    /// Begins a read, cancels it, and answers the seconds until it had ended.
    private func cancelled(_ way: Way, _ provider: OfflineODataProvider) async throws -> Double {
        let task = Task { try await Self.read(way, provider) }
        try await Task.sleep(for: Self.start)
        return try await seconds {
            task.cancel()
            switch await task.result {
            case .failure(let error) where error is CancellationError: return
            case .failure(let error as OfflineODataError) where error.category == .cancelled: return
            case .failure(let error): throw error
            // An answer in HTTP form says by its status that it was cut.
            case .success:
                guard way == .respond else {
                    throw BenchmarkError("\(way.rawValue) ended before it was cancelled")
                }
            }
        }
    }

    private static func read(_ way: Way, _ provider: OfflineODataProvider) async throws {
        switch way {
        case .query: _ = try await provider.executeQuery("Lines?$filter=\(filter)")
        case .apply:
            _ = try await provider.executeQuery(
                "Lines?$apply=filter(\(filter))/aggregate($count as Number)"
            )
        case .respond:
            _ = await provider.respond(
                to: HTTPRequest(method: "GET", url: "Lines/$count?$filter=\(filter)")
            )
        case .live:
            var live = provider.liveQuery("Lines?$filter=\(filter)").makeAsyncIterator()
            // A live query that is cancelled ends.
            guard try await live.next() != nil else { throw CancellationError() }
        case .export: try await provider.exportData { _ in }
        case .check: _ = try await provider.checkIntegrity()
        }
    }
}
