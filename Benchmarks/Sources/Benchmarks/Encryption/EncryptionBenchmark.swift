#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif
internal import CYardsticks
import ODataProtocol
import OfflineOData

/// Compares encrypted stores with plain ones, in one run: opening, first load, reads and durable creates.
///
/// It needs a SQLite that can encrypt, which both kinds of stores use: `make benchmark-encryption` puts one into `LD_PRELOAD`.
struct EncryptionBenchmark {
    private let runs: Int
    private let rows: Int
    private let reads: Int
    private let changes: Int
    /// The key of the first row, see `ReadingRow`; the others follow it.
    private let firstID = 1_000

    /// How a store is kept.
    private enum Kind: String, CaseIterable {
        case plain = "plain"
        case bytes = "key of 32 bytes"
        case text = "key from a text"

        var key: OfflineODataEncryptionKey? {
            switch self {
            case .plain: nil
            case .bytes: OfflineODataEncryptionKey(bytes: Array(1...32))
            case .text: OfflineODataEncryptionKey("correct horse battery staple")
            }
        }
    }

    /// What is measured.
    private enum Work: String, CaseIterable {
        case load = "first load"
        case open = "opening the store"
        case keys = "reads by key"
        case pages = "filtered pages of 100"
        case creates = "durable creates"
    }

    /// Takes the size from the options.
    init(_ options: Options) throws {
        runs = try options.number("runs", default: 5)
        rows = try options.number("rows", default: 100_000)
        reads = try options.number("reads", default: 2_000)
        changes = try options.number("changes", default: 1_000)
    }

    /// Runs all kinds in turn and prints the report.
    func run() async throws {
        guard OfflineODataEncryptionKey.isAvailable else {
            detail("\nEncryption: left out, the SQLite of this program cannot encrypt\n")
            return
        }
        let workspace = try Workspace()
        let directory = try workspace.emptyDirectory("pages")
        _ = try ReadingPages(Options(["--rows", "\(rows)"])).write(to: directory)
        let server = try PageServer(directory: directory)
        var times: [Work: [Kind: [Double]]] = [:]
        for run in 0...runs {
            for kind in Kind.allCases {
                let target = try workspace.emptyDirectory("store")
                let measured = try await measure(kind, in: target, server.serviceRoot)
                // The first round warms up.
                guard run > 0 else { continue }
                for (work, time) in measured {
                    times[work, default: [:]][kind, default: []] += [time]
                }
            }
        }
        _ = try server.stop()
        report(times)
    }

    private func measure(
        _ kind: Kind,
        in directory: String,
        _ service: String
    ) async throws -> [Work: Double] {
        let parameters = OfflineODataParameters()
        parameters.storePath = URL(filePath: directory)
        parameters.storeKey = kind.key
        var times: [Work: Double] = [:]
        times[.load] = try await Self.seconds {
            let provider = try OfflineODataProvider(serviceRoot: service, parameters: parameters)
            try provider.add(
                definingQuery: OfflineODataDefiningQuery(name: "Readings", query: "Readings")
            )
            try await provider.open()
            try await provider.close()
        }
        let start = yardstick_wall_seconds()
        let provider = try OfflineODataProvider(serviceRoot: service, parameters: parameters)
        try await read(provider, "Readings(\(firstID))")
        times[.open] = yardstick_wall_seconds() - start
        times[.keys] = try await Self.seconds {
            for number in 0..<reads {
                try await read(provider, "Readings(\(firstID + number &* 7_919 % rows))")
            }
        }
        times[.pages] = try await Self.seconds {
            for number in 0..<reads / 20 {
                let from = firstID + number &* 7_919 % rows
                try await read(provider, "Readings?$filter=ID gt \(from)&$orderby=ID&$top=100")
            }
        }
        times[.creates] = try await Self.seconds {
            for number in 0..<changes {
                try await provider.createEntity(ReadingStore.reading(number))
            }
        }
        try await provider.close(force: true)
        return times
    }

    private func read(_ provider: OfflineODataProvider, _ url: String) async throws {
        let answer = await provider.respond(to: HTTPRequest(method: "GET", url: url))
        guard answer.status == 200 else {
            throw BenchmarkError("\(url) was answered \(answer.status)")
        }
    }

    private static func seconds(_ work: () async throws -> Void) async rethrows -> Double {
        let start = yardstick_wall_seconds()
        try await work()
        return yardstick_wall_seconds() - start
    }

    private func report(_ times: [Work: [Kind: [Double]]]) {
        detail(
            "\nEncryption: \(rows) rows, \(reads) reads, \(changes) creates, \(runs) runs; ratios are medians of pairs"
        )
        var table = Table(
            header: ["", "plain ms", "32 bytes ms", "text ms", "32 bytes : plain", "text : plain"]
        )
        for work in Work.allCases {
            guard let kinds = times[work], let plain = kinds[.plain] else { continue }
            func median(_ kind: Kind) -> String {
                (Sample(kinds[kind] ?? [0]).median * 1_000).text(decimals: 1)
            }
            func ratio(_ kind: Kind) -> String {
                Sample(zip(kinds[kind] ?? plain, plain).map { $0 / $1 }).median.text(decimals: 2)
            }
            table.add([
                work.rawValue, median(.plain), median(.bytes), median(.text), ratio(.bytes),
                ratio(.text),
            ])
        }
        detail(table.text)
        detail("")
    }
}
