internal import CYardsticks
import Foundation
import ODataProtocol
import OfflineOData
import OfflineResources

/// Measures what policies cost: a read from the store by a fetch policy against the same read without, and what many stored collections
/// cost an opening and a download.
struct PoliciesBenchmark {
    private let collections: Int
    private let reads: Int
    private let runs: Int

    /// Takes the sizes from the options.
    init(_ options: Options) throws {
        collections = try options.number("collections", default: 10_000)
        reads = try options.number("reads", default: 2_000)
        runs = try options.number("runs", default: 5)
    }

    /// Runs the measurements and prints the report.
    func run() async throws {
        print("\nPolicies: \(reads) reads of 20 entities, \(collections) stored collections")
        try await measureReads()
        try await measureCollections()
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

    private func measureReads() async throws {
        let workspace = try Workspace()
        let provider = try provider(workspace.emptyDirectory("reads"))
        try await provider.open()
        let engine = PolicyEngine(provider: provider)
        let url = "Lines?$top=20"
        _ = try await engine.read(url)
        let policy = ResourcePolicy(fetchPolicy: .fromCache)
        var (plain, cached): ([Double], [Double]) = ([], [])
        for _ in 0..<runs {
            plain.append(
                try await seconds {
                    for _ in 0..<reads { _ = try await provider.executeQuery(url) }
                }
            )
            cached.append(
                try await seconds {
                    for _ in 0..<reads { _ = try await engine.read(url, policy: policy) }
                }
            )
        }
        var table = Table(header: ["read", "us each", "ratio", "limit"])
        let base = Sample(plain).median
        table.add(["executeQuery", text(base), "1.00", ""])
        let own = Sample(cached).median
        table.add(["FETCH_FROM_CACHE", text(own), (own / base).text(decimals: 2), "1.30"])
        print(table.text + "\n")
    }

    private func text(_ seconds: Double) -> String {
        (seconds / Double(reads) * 1_000_000).text(decimals: 1)
    }

    // MARK: Many collections

    private func measureCollections() async throws {
        var table = Table(header: ["stored collections", "open ms", "download ms", "limit"])
        var base: (Double, Double)?
        for count in [0, collections] {
            let workspace = try Workspace()
            let directory = try workspace.emptyDirectory("collections")
            let provider = try provider(directory)
            try await provider.open()
            let engine = PolicyEngine(provider: provider)
            for number in 0..<count { _ = try await engine.read("Lines?$top=20&$skip=\(number)") }
            var (opens, downloads): ([Double], [Double]) = ([], [])
            for _ in 0..<runs {
                opens.append(
                    try await seconds { try await self.provider(directory).open() } * 1_000
                )
                downloads.append(try await seconds { try await provider.download() } * 1_000)
            }
            let (open, download) = (Sample(opens).median, Sample(downloads).median)
            table.add([
                "\(count)", open.text(decimals: 2), download.text(decimals: 2),
                base.map {
                    "\((open / $0.0).text(decimals: 2)), \((download / $0.1).text(decimals: 2)) of 1.05"
                }
                    ?? "",
            ])
            base = (open, download)
        }
        print(table.text + "\n")
    }

    private func seconds(_ work: () async throws -> Void) async throws -> Double {
        let start = yardstick_wall_seconds()
        try await work()
        return yardstick_wall_seconds() - start
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
