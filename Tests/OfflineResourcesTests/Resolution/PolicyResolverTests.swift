import Foundation
import Testing

@testable import OfflinePolicies

@Suite struct PolicyResolverTests {
    private static let now = Date(timeIntervalSince1970: 1_700_000_000)

    /// A policy set at every level, with a value of its own at each.
    private static let levels: [(level: PolicyLevel, after: Int)] = [
        (.header, 50), (.request, 40), (.path, 30), (.service, 20), (.library, 10),
    ]

    /// Sets `expireAfter` at some levels and returns what a resolver makes of it.
    private func resolve(_ levels: [(level: PolicyLevel, after: Int)]) throws -> ResolvedPolicy<Int>
    {
        var defaults = EffectivePolicy.library
        var backend = BackendConfiguration()
        var request = ResourcePolicy()
        var headers: ResponsePolicyHeaders?
        for (level, after) in levels {
            switch level {
            case .header:
                let date = HeaderDateText.text(Self.now.addingTimeInterval(Double(after)))
                headers = ResponsePolicyHeaders { $0 == "Oracle-Mobile-Sync-Expires" ? date : nil }
            case .request: request.expireAfter = after
            case .path:
                let pattern = try #require(PathPattern("orders/*"))
                backend.policies = [
                    PathPolicy(pattern: pattern, policy: ResourcePolicy(expireAfter: after))
                ]
            case .service: backend.defaultPolicy.expireAfter = after
            case .library: defaults.expireAfter = ResolvedPolicy(after, from: .library)
            }
        }
        return PolicyResolver(configuration: backend, defaults: defaults)
            .policy(for: "orders/7", request: request, headers: headers, now: Self.now)
            .expireAfter
    }

    @Test(arguments: 0..<5, 0..<5)
    func prefersTheHigherOfTwoLevels(_ first: Int, _ second: Int) throws {
        let pair = [Self.levels[first], Self.levels[second]]
        let winner = Self.levels[min(first, second)]
        let found = try resolve(pair)
        #expect(found.value == winner.after)
        #expect(found.level == winner.level)
        #expect(found.pattern == (winner.level == .path ? "orders/*" : nil))
    }

    /// Patterns of a configuration, the path that is asked for and the pattern that decides.
    static let patterns: [(patterns: [String], path: String, decides: String?)] = [
        (["items"], "items", "items"), (["/items"], "items/", "/items"),
        (["items/*"], "items/7", "items/*"), (["items/*"], "items/7/parts", nil),
        (["items/*"], "items", "items/*"), (["items/*", "items"], "items", "items"),
        (["items/**"], "items", "items/**"), (["items/**"], "items/7/parts/3", "items/**"),
        (["items/**", "items/*"], "items/7", "items/*"),
        (["items/**", "items/*", "items/7"], "items/7", "items/7"),
        (["**", "items/**"], "items/7/parts", "items/**"), (["/**"], "anything/else", "/**"),
        (["items/*"], "itemsx/7", nil), (["Items/*"], "items/7", nil),
        (["items/*"], "items(7)", "items/*"), (["items(7)"], "items/7", "items(7)"),
        (["items/*"], "items('a/b')", "items/*"),
        (["items/*"], "items?$filter=a eq 'x/y'", "items/*"),
        (["items/**"], "items(7)/parts(3)/name", "items/**"),
        (["a/b/*", "a/**"], "a/b/c/d", "a/**"),
        (["items(ID=7)"], "items(7)", "items(ID=7)"),
        (["items('a b')"], "items('a%20b')", "items('a b')"),
        (["items('a%20b')"], "items('a b')", "items('a%20b')"),
        (["items(A=7,B=8)"], "items(A=7,B=8)/parts", nil),
        (["items(A=7,B=8)/*"], "items(A=7,B=8)/parts", "items(A=7,B=8)/*"),
    ]

    @Test(arguments: patterns)
    func appliesTheNarrowestPattern(
        patterns: [String],
        path: String,
        decides: String?
    ) throws {
        var backend = BackendConfiguration()
        backend.policies = try patterns.map {
            PathPolicy(
                pattern: try #require(PathPattern($0)),
                policy: ResourcePolicy(fetchPolicy: .fromCache)
            )
        }
        let policy = PolicyResolver(configuration: backend).policy(for: path, now: Self.now)
        #expect(policy.fetchPolicy.pattern == decides)
        #expect(policy.fetchPolicy.level == (decides == nil ? .library : .path))
    }

    @Test func completesANarrowPatternFromAWiderOne() throws {
        var backend = BackendConfiguration()
        backend.policies = [
            PathPolicy(
                pattern: try #require(PathPattern("items/**")),
                policy: ResourcePolicy(fetchPolicy: .fromCache, noCache: true)
            ),
            PathPolicy(
                pattern: try #require(PathPattern("items/7")),
                policy: ResourcePolicy(fetchPolicy: .fromService)
            ),
        ]
        let policy = PolicyResolver(configuration: backend).policy(for: "items/7", now: Self.now)
        #expect(policy.fetchPolicy == ResolvedPolicy(.fromService, from: .path, pattern: "items/7"))
        #expect(policy.noCache == ResolvedPolicy(true, from: .path, pattern: "items/**"))
    }

    /// A text is a key as a segment and in quotes.
    @Test(arguments: [
        ("People/ann", "People('ann')"), ("People('ann')", "People/ann"),
        ("People/a%2Fb", "People('a%2Fb')"), ("People('O''Neil')", "People(Name='O''Neil')"),
        ("People('a,b')", "People('a,b')"), ("People/O'Neil", "People('O''Neil')"),
    ])
    func takesATextKeyInEachSpelling(_ pattern: String, _ path: String) throws {
        var backend = BackendConfiguration()
        backend.policies = [
            PathPolicy(
                pattern: try #require(PathPattern(pattern)),
                policy: ResourcePolicy(noCache: true)
            )
        ]
        let resolver = PolicyResolver(configuration: backend)
        #expect(resolver.policy(for: path, now: Self.now).noCache.value)
        #expect(!resolver.policy(for: path + "/Owner", now: Self.now).noCache.value)
        #expect(!resolver.policy(for: "People('bob')", now: Self.now).noCache.value)
    }

    @Test(arguments: ["", "/", "a/*/b", "*x", "a/**/b", "a('*')", "a('**')"])
    func refusesPatternsWithWildcardsInsideOrNothing(_ text: String) {
        #expect(PathPattern(text) == nil)
    }

    /// A path that covers a file says more of it than the defaults of files; those of the service do not concern it.
    @Test func putsPathsBeforeTheDefaultsOfFilesButNotTheService() throws {
        var configuration = BackendConfiguration()
        configuration.defaultPolicy = ResourcePolicy(fetchPolicy: .fromCache, expireAfter: 5)
        configuration.policies = [
            PathPolicy(
                pattern: try #require(PathPattern("Photos/**")),
                policy: ResourcePolicy(conflictResolutionPolicy: .clientWins)
            )
        ]
        let resolver = PolicyResolver(configuration: configuration)
        let policy = resolver.filePolicy(
            for: "Photos(1)/$value",
            request: ResourcePolicy(updatePolicy: .updateIfOnline),
            now: Date()
        )
        #expect(policy.fetchPolicy == ResolvedPolicy(.fromServiceIfOnline, from: .library))
        #expect(policy.expireAfter == ResolvedPolicy(86_400, from: .library))
        #expect(
            policy.conflictResolutionPolicy
                == ResolvedPolicy(.clientWins, from: .path, pattern: "Photos/**")
        )
        #expect(policy.updatePolicy == ResolvedPolicy(.updateIfOnline, from: .request))
    }

    @Test func hasTheDefaultsOfStorageObjects() {
        let values = PolicyResolver(defaults: .storage).policy(for: "x", now: Self.now).values
        #expect(
            values
                == ResourcePolicy(
                    fetchPolicy: .fromServiceIfOnline,
                    expirationPolicy: .after,
                    expireAfter: 86_400,
                    evictionPolicy: .onExpiryAtStartup,
                    updatePolicy: .queueIfOffline,
                    conflictResolutionPolicy: .serverWins,
                    noCache: false
                )
        )
    }

    /// A date between two seconds of the clock counts from the later one.
    @Test func countsBegunSecondsAsWhole() {
        let date = HeaderDateText.text(Self.now.addingTimeInterval(10))
        let headers = ResponsePolicyHeaders { $0 == "Oracle-Mobile-Sync-Expires" ? date : nil }
        let policy = PolicyResolver().policy(
            for: "x",
            headers: headers,
            now: Self.now.addingTimeInterval(0.5)
        )
        #expect(policy.expireAfter.value == 10)
    }

    @Test func hasTheDefaultsOfTheLibrary() {
        let values = PolicyResolver().policy(for: "x", now: Self.now).values
        #expect(
            values
                == ResourcePolicy(
                    fetchPolicy: .fromServiceIfOnline,
                    expirationPolicy: .onRestart,
                    expireAfter: .max,
                    evictionPolicy: .manual,
                    updatePolicy: .queueIfOffline,
                    conflictResolutionPolicy: .preserveConflict,
                    noCache: false
                )
        )
    }
}
