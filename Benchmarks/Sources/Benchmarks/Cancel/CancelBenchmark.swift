internal import CYardsticks
#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif
import ODataProtocol
import OfflineOData

/// Measures how soon a first load ends when it is cancelled in the middle of a large page, coming or stalled.
///
/// After each, the opening is called again without the stall: it must end with all rows.
struct CancelBenchmark {
    private let rounds: Int
    private let pages: ReadingPages

    /// The ways to cancel.
    private enum Way: String, CaseIterable {
        case token = "CancelToken"
        case provider = "cancelDownload()"
        case task = "Task.cancel()"
    }

    /// A load is cancelled when so many bytes have come; a stalled one gets a few more.
    private static let byteCount = 4_000_000
    private static let stalledByteCount = 6_000_000

    /// Takes the size from the options.
    init(_ options: Options) throws {
        rounds = try options.number("rounds", default: 100)
        let rows = try options.number("rows", default: 60_000)
        guard rows >= 40_000 else {
            throw BenchmarkError("--rows must be at least 40000: the page must be large")
        }
        pages = try ReadingPages(Options(["--rows", "\(rows)", "--page-size", "\(rows)"]))
    }

    /// Runs all rounds and prints the report.
    func run() async throws {
        let workspace = try Workspace()
        let directory = try workspace.emptyDirectory("pages")
        let size = try pages.write(to: directory)
        let server = try PageServer(directory: directory)
        detail("\nCancel: a first load of one page of \(size) bytes, \(rounds) rounds of each")
        var table = Table(header: ["", "median ms", "p90 ms", "largest ms"])
        for isStalled in [false, true] {
            var times: [Double] = []
            for round in 0..<rounds {
                let way = Way.allCases[round % Way.allCases.count]
                let store = try workspace.emptyDirectory("store")
                times.append(try await cancel(way, isStalled: isStalled, server.serviceRoot, store))
            }
            let sample = Sample(times.map { $0 * 1_000 })
            table.add([
                isStalled ? "stalled page" : "page that is coming", sample.median.text(decimals: 2),
                sample.percentile90.text(decimals: 2), sample.largest.text(decimals: 2),
            ])
        }
        _ = try server.stop()
        detail(table.text)
        detail("  the next opening brought every store to \(pages.rows) rows\n")
    }

    /// Cancels one load, answers the seconds until it had ended, and loads the rest.
    private func cancel(
        _ way: Way,
        isStalled: Bool,
        _ service: String,
        _ directory: String
    ) async throws -> Double {
        let watch = ProgressWatch(threshold: Self.byteCount)
        let parameters = OfflineODataParameters()
        parameters.storePath = URL(filePath: directory)
        if isStalled { parameters.customHeaders["X-Stall-After"] = "\(Self.stalledByteCount)" }
        let provider = try OfflineODataProvider(
            serviceRoot: service,
            parameters: parameters,
            delegate: watch
        )
        try provider.add(
            definingQuery: OfflineODataDefiningQuery(name: "Readings", query: "Readings")
        )
        let seconds = try await cancel(way, provider, watch, isStalled: isStalled)
        provider.updateCustomHeaders([:])
        try await provider.open()
        try await expectAllRows(provider)
        return seconds
    }

    private func cancel(
        _ way: Way,
        _ provider: OfflineODataProvider,
        _ watch: ProgressWatch,
        isStalled: Bool
    ) async throws -> Double {
        let ending = Ending()
        let token =
            way == .token
            ? provider.open { error in
                ending.end(error)
                watch.reach()
            } : nil
        let task =
            way == .token
            ? nil
            : Task {
                do {
                    try await provider.open()
                    ending.end(nil)
                } catch {
                    ending.end(error)
                }
                watch.reach()
            }
        await watch.wait()
        // So that a stalled page has come to its halt.
        if isStalled { try await Task.sleep(for: .milliseconds(100)) }
        let start = yardstick_wall_seconds()
        switch way {
        case .token: token?.cancel()
        case .provider: provider.cancelDownload()
        case .task: task?.cancel()
        }
        let error = await ending.wait()
        let seconds = yardstick_wall_seconds() - start
        guard Self.isCancelled(error) else {
            throw BenchmarkError(
                "\(way.rawValue): the load ended with \(error.map { "\($0)" } ?? "success")"
            )
        }
        return seconds
    }

    private static func isCancelled(_ error: (any Error)?) -> Bool {
        if error is CancellationError { return true }
        return (error as? OfflineODataError)?.category == .cancelled
    }

    private func expectAllRows(_ provider: OfflineODataProvider) async throws {
        let answer = await provider.respond(to: HTTPRequest(method: "GET", url: "Readings/$count"))
        guard answer.status == 200, String(decoding: answer.body, as: UTF8.self) == "\(pages.rows)"
        else {
            throw BenchmarkError(
                "after the resumed load: \(answer.status) \(String(decoding: answer.body, as: UTF8.self))"
            )
        }
    }
}
