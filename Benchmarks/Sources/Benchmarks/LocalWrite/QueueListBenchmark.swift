internal import CYardsticks
import ODataProtocol
import OfflineOData

/// Compares lists of a long queue with the same lists of a short one.
struct QueueListBenchmark {
    private let entries: Int
    private let runs: Int

    private static let shortCount = 1_000
    private static let batchSize = 500
    /// Requests of the long queue that carry a tag: as many as in the short one.
    private static let tagEvery = 100

    /// A list, of a queue of so many requests.
    private static let lists: [(name: String, url: @Sendable (Int) -> String)] = [
        ("first page", { _ in "RequestQueue?$top=50" }),
        ("page in the middle", { "RequestQueue?$filter=RequestID gt \($0 / 2)&$top=50" }),
        ("last page, backwards", { _ in "RequestQueue?$orderby=RequestID desc&$top=50" }),
        ("one by its id", { "RequestQueue(\($0 / 2))" }),
        ("of one state", { _ in "RequestQueue?$filter=Status eq 'pending'&$top=50" }),
        (
            "of a state that none has",
            { _ in "RequestQueue?$filter=Status eq 'unknownOutcome'&$top=50" }
        ),
        ("with a tag", { _ in "RequestQueue?$filter=CustomTag eq 'marked'&$top=50" }),
        ("those that wait for one", { "RequestQueue(\($0 / 2))/DependentRequests" }),
        ("the archive", { _ in "ErrorArchive?$top=50" }),
        ("number (counts every row)", { _ in "RequestQueue/$count" }),
    ]

    /// Takes the size from the options.
    init(_ options: Options) throws {
        entries = try options.number("entries", default: 100_000)
        runs = try options.number("runs", default: 21)
    }

    /// Fills both queues and prints the report.
    func run() async throws {
        let workspace = try Workspace()
        let directory = try workspace.emptyDirectory("pages")
        _ = try ReadingPages(Options(["--rows", "1000"])).write(to: directory)
        let server = try PageServer(directory: directory)
        let short = try await store(
            in: workspace.emptyDirectory("short"),
            server.serviceRoot,
            Self.shortCount
        )
        let long = try await store(
            in: workspace.emptyDirectory("long"),
            server.serviceRoot,
            entries
        )
        _ = try server.stop()
        detail("\nLists of a queue of \(Self.shortCount) and of one of \(entries), \(runs) runs")
        var table = Table(header: ["", "short us", "long us", "ratio"])
        for list in Self.lists {
            let first = try await seconds(short, list.url(Self.shortCount))
            let second = try await seconds(long, list.url(entries))
            table.add([
                list.name, (first * 1e6).text(decimals: 0), (second * 1e6).text(decimals: 0),
                (second / first).text(decimals: 2),
            ])
        }
        detail(table.text + "\n")
    }

    private func store(in directory: String, _ service: String, _ count: Int) async throws
        -> ReadingStore
    {
        let store = try await ReadingStore(in: directory, service)
        let step = max(1, count / (Self.shortCount / Self.tagEvery))
        for first in stride(from: 0, to: count, by: Self.batchSize) {
            try await store.createBatch(
                ReadingStore.batch(first..<min(count, first + Self.batchSize))
            )
        }
        for number in stride(from: 0, to: count, by: step) {
            let options = OfflineODataRequestOptions()
            options.customTag = "marked"
            try await store.provider.createEntity(
                ReadingStore.reading(count + number),
                options: options
            )
        }
        return store
    }

    /// Median seconds of one answer.
    private func seconds(_ store: ReadingStore, _ url: String) async throws -> Double {
        var seconds: [Double] = []
        for _ in 0..<runs {
            let start = yardstick_wall_seconds()
            let answer = await store.provider.respond(to: HTTPRequest(method: "GET", url: url))
            seconds.append(yardstick_wall_seconds() - start)
            guard answer.status == 200 else {
                throw BenchmarkError("\(url): \(String(decoding: answer.body, as: UTF8.self))")
            }
        }
        return Sample(seconds).median
    }
}
