import Foundation
import OfflineOData
import OfflineResources
import TestSupport

/// An open store with an engine, over a service of literal answers, a network and a clock that the test sets.
final class PolicyBench: Sendable {
    let service: LiteralService
    let transport: HandlerTransport
    let provider: OfflineODataProvider
    let engine: PolicyEngine
    let network: ManualReachability
    let clock: TestClock
    let directory: URL

    /// - Parameters:
    ///   - answers: What the service answers.
    ///   - queries: Defining queries, by their name.
    ///   - optimizesQueue: Whether changes become part of those that wait.
    ///   - logger: What hears of the provider's records.
    ///   - other: Another bench, whose file is opened once more, as after a start of the application.
    init(
        queries: [String] = [],
        after other: PolicyBench? = nil,
        _ options: PolicyEngineOptions = PolicyEngineOptions(),
        optimizesQueue: Bool = false,
        logger: (any OfflineODataLogger)? = nil,
        _ answers: @escaping LiteralService.Answer = { _ in LiteralService.items([1, 2]) }
    ) async throws {
        directory =
            other?.directory
            ?? FileManager.default.temporaryDirectory.appending(
                path: "policies-" + UUID().uuidString
            )
        isOwner = other == nil
        try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
        service = LiteralService(answers)
        transport = HandlerTransport(service)
        let parameters = OfflineODataParameters()
        parameters.storePath = directory
        parameters.transport = transport
        parameters.retryPolicy = .never
        parameters.enableRequestQueueOptimization = optimizesQueue
        parameters.logger = logger
        provider = try OfflineODataProvider(
            serviceRoot: "http://service.localhost/odata/",
            parameters: parameters
        )
        for query in queries {
            try await provider.addDefiningQuery(
                OfflineODataDefiningQuery(name: query, query: query)
            )
        }
        try await provider.open()
        network = ManualReachability()
        clock = TestClock(other.map { $0.clock.now.timeIntervalSince1970 } ?? 1_000_000_000)
        var options = options
        options.reachability = network
        options.clock = clock
        engine = PolicyEngine(provider: provider, options: options)
    }

    private let isOwner: Bool

    deinit {
        if isOwner { try? FileManager.default.removeItem(at: directory) }
    }

    /// What the files of the store hold, write-ahead log and scratch files included.
    func bytesOnDisk() throws -> [UInt8] {
        try FileManager.default.subpathsOfDirectory(atPath: directory.path).reduce(into: []) {
            $0 += Array((try? Data(contentsOf: directory.appending(path: $1))) ?? Data())
        }
    }
}

extension ResourceAnswer {
    /// The ids of the items; nil where there is no answer.
    var ids: [Int64]? { entities?.compactMap { $0["ID"]?.integerValue } }
}
