internal import CYardsticks
#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif
import ODataProtocol
import OfflineOData
import OfflineResources

/// Measures what policies cost: reads from the store by a fetch policy against the same reads without, and what many stored collections
/// cost an opening and a download.
///
/// Each pair is measured in turns, a block of the one and a block of the other, so that other work on the machine meets both. Both sides
/// answer the same entities in the same form.
struct PoliciesBenchmark {
    private let collections: Int
    private let reads: Int
    private let runs: Int
    private let only: String

    /// Reads between two readings of the clock.
    private static let block = 50

    /// Takes the sizes from the options.
    init(_ options: Options) throws {
        collections = try options.number("collections", default: 10_000)
        reads = try options.number("reads", default: 2_000)
        runs = try options.number("runs", default: 5)
        only = options.text("only", default: "")
    }

    /// Runs the measurements and prints the report.
    func run() async throws {
        detail("\nPolicies: \(reads * runs) reads of each kind, \(collections) stored collections")
        if isWanted(Self.kinds.map(\.name)) { try await measureReads() }
        if isWanted(["open", "download"]) { try await measureCollections() }
    }

    /// Whether one of the measurements is asked for.
    private func isWanted(_ names: [String]) -> Bool {
        only.isEmpty || names.contains { $0.contains(only) }
    }

    private func provider(_ directory: String) throws -> OfflineODataProvider {
        let parameters = OfflineODataParameters()
        parameters.storePath = URL(filePath: directory)
        parameters.transport = LineTransport()
        let provider = try OfflineODataProvider(
            serviceRoot: "http://lines.test/",
            parameters: parameters
        )
        try provider.add(
            definingQuery: OfflineODataDefiningQuery(name: "Lines", query: "Lines")
        )
        return provider
    }

    // MARK: Reads

    /// A read in both ways; each answers how many entities came.
    private struct Read: Sendable {
        var name: String
        var plain: @Sendable (OfflineODataProvider) async throws -> Int
        var byPolicy: @Sendable (PolicyEngine) async throws -> Int
    }

    private static let policy = ResourcePolicy(fetchPolicy: .fromCache)
    private static let url = "Lines?$top=20"
    private static let query = ODataQuery("Lines").top(20)

    private static let kinds = [
        Read(
            name: "20 entities, by URL",
            plain: { try await $0.executeQuery(url).count },
            byPolicy: { try await $0.read(url, policy: policy).entities?.count ?? 0 }
        ),
        Read(
            name: "20 entities, by ODataQuery",
            plain: { try await $0.executeQuery(query).count },
            byPolicy: { try await $0.read(query, policy: policy).entities?.count ?? 0 }
        ),
        Read(
            name: "20 entities and their texts",
            plain: { try await texts($0.executeQuery(url)) },
            byPolicy: { try await texts($0.read(url, policy: policy).entities ?? []) }
        ),
        Read(
            name: "one entity, by URL",
            plain: { try await $0.executeQuery("Lines(7)").count },
            byPolicy: { try await $0.read("Lines(7)", policy: policy).entities?.count ?? 0 }
        ),
        Read(
            name: "one entity, by key",
            plain: { try await $0.entity(in: "Lines", key: 7) == nil ? 0 : 1 },
            byPolicy: {
                try await $0.read(entitySet: "Lines", key: 7, policy: policy).entities?.count ?? 0
            }
        ),
    ]

    private static func texts(_ entities: [EntityValue]) -> Int {
        entities.count { $0["Text"]?.stringValue?.isEmpty == false }
    }

    private func measureReads() async throws {
        let workspace = try Workspace()
        let directory = try workspace.emptyDirectory("reads")
        let routed = try provider(directory)
        try await routed.open()
        let engine = PolicyEngine(provider: routed)
        _ = try await engine.read(Self.url)
        _ = try await engine.read(Self.query)
        // Without an engine: the same file, no policies at all.
        let plain = try provider(directory)
        try await plain.open()
        var table = Table(header: PairedTimes.header("read", "plain us", "by policy us", "1.30"))
        for kind in Self.kinds where isWanted([kind.name]) {
            var times = PairedTimes()
            for _ in 0..<max(1, reads * runs / Self.block) {
                try await times.addFirst(Self.repeated { try await kind.plain(plain) })
                try await times.addSecond(Self.repeated { try await kind.byPolicy(engine) })
            }
            table.add([kind.name] + times.columns(scale: 1_000_000 / Double(Self.block)))
            Summary.shared.add(
                times.summary(
                    "read by policy : plain, \(kind.name)",
                    unit: "us",
                    scale: 1e6 / Double(Self.block),
                    wanted: 1.3
                )
            )
        }
        detail(table.text + "\n")
    }

    /// A block of reads, all of which must find the same number of entities.
    private static func repeated(_ read: @escaping () async throws -> Int) -> PairedTimes.Work {
        {
            let count = try await read()
            for _ in 1..<block {
                guard try await read() == count, count > 0 else {
                    throw BenchmarkError("a read answered another number of entities")
                }
            }
        }
    }

    // MARK: Many collections

    private func measureCollections() async throws {
        let workspace = try Workspace()
        let empty = try await store(workspace.emptyDirectory("none"), collections: 0)
        let full = try await store(workspace.emptyDirectory("many"), collections: collections)
        var (opens, downloads) = (PairedTimes(), PairedTimes())
        for _ in 0..<runs * 4 {
            if isWanted(["open"]) {
                try await opens.addFirst { try await provider(empty.directory).open() }
                try await opens.addSecond { try await provider(full.directory).open() }
            }
            guard isWanted(["download"]) else { continue }
            try await downloads.addFirst { try await empty.provider.download() }
            try await downloads.addSecond { try await full.provider.download() }
        }
        var table = Table(
            header: PairedTimes.header("collections", "none ms", "\(collections) ms", "1.05")
        )
        for (name, times) in [("open", opens), ("download", downloads)] where isWanted([name]) {
            table.add([name] + times.columns(scale: 1_000))
            Summary.shared.add(
                times.summary(
                    "\(name) with \(collections) stored collections : with none",
                    unit: "ms",
                    scale: 1_000,
                    wanted: 1.05
                )
            )
        }
        detail(table.text + "\n")
    }

    /// A store with so many stored collections of 20 entities each.
    private func store(_ directory: String, collections: Int) async throws -> (
        directory: String, provider: OfflineODataProvider
    ) {
        let provider = try provider(directory)
        try await provider.open()
        let engine = PolicyEngine(provider: provider)
        for number in 0..<collections { _ = try await engine.read("Lines?$top=20&$skip=\(number)") }
        // What the last fetches have left in the log is not the cost of a download.
        for _ in 0..<3 { try await provider.download() }
        return (directory, provider)
    }
}

/// A service of 1,000 lines in the same process; `$skip` and `$top` choose among them.
private struct LineTransport: HTTPTransport {
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

    func send(_ request: HTTPRequest, options: HTTPRequestOptions) async throws
        -> HTTPStreamingResponse
    {
        let isMetadata = request.url.contains("$metadata")
        let body = isMetadata ? Self.metadata : Self.page(request.url)
        return HTTPStreamingResponse(
            status: 200,
            headers: ["Content-Type": isMetadata ? "application/xml" : "application/json"],
            body: HTTPBody(Array(body.utf8))
        )
    }

    private static func page(_ url: String) -> String {
        func number(_ name: String) -> Int? {
            url.firstRange(of: name + "=").flatMap {
                Int(url[$0.upperBound...].prefix { $0.isNumber })
            }
        }
        let first = (number("skip") ?? 0) % 980
        let lines = (first..<first + (number("top") ?? 1_000 - first)).map {
            "{\"ID\":\($0),\"Text\":\"Line \($0) of many, with some words\"}"
        }
        return
            "{\"@odata.context\":\"http://lines.test/$metadata#Lines\",\"value\":[\(lines.joined(separator: ","))]}"
    }
}
