import Dispatch
import Foundation
import Glibc
import ODataProtocol
import OfflineOData
import OfflineResources
import TestSupport
import Testing

/// A process is killed while policies act: nothing pending is lost, and nothing is evicted that may not be.
@Suite struct PolicyKillTests {
    static let killCount = TestScale.size(5, soak: 200)
    /// Microseconds, more than a step takes.
    private static let longestDelay = 4_000
    private static let stepCount = 6

    /// A copy that is stale and goes at start-up, and one that is not stale.
    private static let stale = "Items?$filter=ID ge 5"
    private static let current = "Items?$filter=ID lt 5"

    @Test func keepsWhatIsPendingAndWhatIsNotStale() async throws {
        var generator = SeededGenerator(seed: 5)
        for kill in 0..<Self.killCount {
            let directory = try TemporaryDirectory()
            try await Self.prepare(directory.path)
            let step = Int.random(in: 0..<Self.stepCount, using: &generator)
            let delay = Int.random(in: 0...Self.longestDelay, using: &generator)
            await #expect(processExitsWith: .signal(SIGKILL)) {
                [path = directory.path as String, step = step as Int, delay = delay as Int] in
                try await PolicyKillTests.act(in: path, killedIn: step, after: delay)
            }
            try await Self.check(directory.path, "kill \(kill) in step \(step) after \(delay)")
        }
    }

    // MARK: The store

    /// A directory that goes with its owner.
    private final class TemporaryDirectory: Sendable {
        let path: String

        init() throws {
            let url = FileManager.default.temporaryDirectory.appending(
                path: "kills-" + UUID().uuidString
            )
            try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
            path = url.path
        }

        deinit { try? FileManager.default.removeItem(atPath: path) }
    }

    private static func items(_ ids: [Int]) -> HTTPResponse { LiteralService.items(ids) }

    private static func engine(
        _ path: String,
        _ network: ManualReachability,
        _ clock: TestClock
    ) async throws -> PolicyEngine {
        let parameters = OfflineODataParameters()
        parameters.storePath = URL(filePath: path)
        parameters.retryPolicy = .never
        parameters.transport = HandlerTransport(
            LiteralService { request in
                guard request.method == "GET" else { return nil }
                if request.url.contains("Cards") { return cards }
                return request.url.contains("ge") ? items([5, 6]) : items([1, 2])
            }
        )
        let provider = try OfflineODataProvider(
            serviceRoot: "http://service.localhost/odata/",
            parameters: parameters
        )
        try await provider.addDefiningQuery(
            OfflineODataDefiningQuery(name: "Cards", query: "Cards")
        )
        try await provider.open()
        var options = PolicyEngineOptions()
        options.reachability = network
        options.clock = clock
        return PolicyEngine(provider: provider, options: options)
    }

    private static let cards = LiteralService.json(
        "{\"@odata.context\":\"http://service.localhost/odata/$metadata#Cards\",\"value\":[{\"ID\":8},{\"ID\":9}]}"
    )

    private static func policy(after seconds: Int) -> ResourcePolicy {
        ResourcePolicy(
            expirationPolicy: .after,
            expireAfter: seconds,
            evictionPolicy: .onExpiryAtStartup
        )
    }

    /// Two copies, one of which has an entity with a change that waits, and a defining query.
    private static func prepare(_ path: String) async throws {
        let network = ManualReachability()
        let engine = try await engine(path, network, TestClock(1_000_000_000))
        _ = try await engine.read(stale, policy: policy(after: 10))
        _ = try await engine.read(current, policy: policy(after: 3_600))
        network.set(isReachable: false)
        var item = try #require(try await engine.provider.executeQuery("Items(5)").first)
        item["Name"] = "mine"
        try await engine.update(item)
    }

    // MARK: The process that is killed

    /// Lets policies act step by step, each change acknowledged by a byte in a file, until the process is killed.
    private static func act(in path: String, killedIn last: Int, after delay: Int) async throws {
        let network = ManualReachability()
        let clock = TestClock(1_000_000_100)
        let engine = try await engine(path, network, clock)
        let file = unsafe open(path + "/acknowledged", O_CREAT | O_WRONLY | O_APPEND, 0o600)
        for step in 0..<stepCount {
            if step == last {
                let end = DispatchTime.now() + .microseconds(delay)
                DispatchQueue.global().asyncAfter(deadline: end) { kill(getpid(), SIGKILL) }
            }
            network.set(isReachable: step == 2 || step == 4)
            switch step {
            case 0: try await engine.start()
            case 1, 3:
                for id in 0..<5 {
                    let entity = EntityValue(
                        entitySet: "Items",
                        ["ID": .integer(Int64(100 * step + id)), "Name": "new"]
                    )
                    try await engine.create(entity)
                    _ = unsafe write(file, "x", 1)
                }
            case 2:
                _ = try? await engine.read(
                    current,
                    policy: ResourcePolicy(fetchPolicy: .withRefresh)
                )
                await engine.finishRefreshes()
            case 4: try? await engine.refresh(current)
            default:
                clock.advance(-10_100)
                try await engine.start()
            }
        }
        while true { pause() }
    }

    private static func check(_ path: String, _ comment: Comment) async throws {
        let promised =
            FileManager.default.contents(atPath: path + "/acknowledged")?.count ?? 0
        let network = ManualReachability()
        network.set(isReachable: false)
        let engine = try await engine(path, network, TestClock(1_000_000_100))
        let provider = engine.provider
        for isAgain in [false, true] {
            #expect(try await provider.checkIntegrity().isEmpty, comment)
            let requests = try await provider.requestQueue()
            #expect(requests.filter { $0.method == "PATCH" }.map(\.url) == ["Items(5)"], comment)
            #expect(requests.count >= promised + 1, comment)
            #expect(
                try await provider.executeQuery("Items?$filter=Name eq 'new'").count
                    == requests.count - 1,
                comment
            )
            #expect(try await provider.executeQuery("Items(5)").first?["Name"] == "mine", comment)
            #expect(try await provider.executeQuery("Cards").count == 2, comment)
            let held = try await engine.read(
                current,
                policy: ResourcePolicy(fetchPolicy: .fromCache)
            )
            #expect(Set(held.ids ?? []).isSuperset(of: [1, 2]), comment)
            guard !isAgain else { break }
            // The next start finishes what was cut, and takes no more.
            try await engine.start()
            #expect(try await provider.executeQuery("Items(6)").isEmpty, comment)
        }
    }

    // MARK: Clocks that jump

    @Test(arguments: [-1_000_000.0, -1, 60, 1_000_000_000])
    func keepsWhatIsPendingWhereTheClockJumps(_ jump: Double) async throws {
        let directory = try TemporaryDirectory()
        try await Self.prepare(directory.path)
        let network = ManualReachability()
        network.set(isReachable: false)
        let engine = try await Self.engine(
            directory.path,
            network,
            TestClock(1_000_000_000 + jump)
        )
        let provider = engine.provider
        let count = try await engine.start()
        // A clock that went back evicts nothing: the age of the copies is not known.
        #expect(count == (jump < 0 ? 0 : jump < 3_600 ? 1 : 3))
        #expect(try await provider.executeQuery("Items(6)").isEmpty == (jump > 0))
        #expect(try await provider.executeQuery("Items(1)").isEmpty == (jump > 3_600))
        #expect(try await provider.executeQuery("Items(5)").first?["Name"] == "mine")
        #expect(try await provider.requestQueue().map(\.url) == ["Items(5)"])
        #expect(try await provider.executeQuery("Cards").count == 2)
    }
}
