#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif
import OfflinePolicies
import StoreRecords
import ODataValues
import ODataHTTP
import OfflineOData
import OfflineStore

/// Fetches a resource from the service and stores it with its policies.
struct CollectionFetch: Sendable {
    let rule: PolicyRule
    let router: ReadRouter
    let name: String
    let url: String
    let headers: HTTPHeaders
    let request: ResourcePolicy
    let state: PolicyState.Loaded
    /// Whether the URL addresses several entities; false where that is not known.
    var isCollection = false

    func run() async throws -> ReadSource {
        let now = rule.options.clock.now
        let quota = StoreQuota(router, configuration: state.configuration)
        let remaining = try await quota.remaining(replacing: name)
        guard remaining > 0 else { return try await passed(at: now) }
        let isUnstorable = try await rule.expandsUnstorable(
            url,
            configuration: state.configuration,
            router: router
        )
        do {
            let comparison = try await comparison()
            var fetch = fetch(remaining)
            if isUnstorable { fetch.isStorable = { _, _ in false } }
            let fetched = try await router.fetch(fetch, now: now) { collection, head in
                note(&collection, head: head, now: now)
            }
            rule.room.countAnew()
            if !fetched.isUnchanged {
                try await comparison?.publish(
                    fetched.collection,
                    router: router,
                    events: rule.events
                )
            }
            return .collection(
                fetched.collection,
                OfflineODataOrigin(place: .service, date: now)
            )
        } catch let answer as UnstoredAnswer {
            // What must not be stored must not stay stored, either.
            try await router.remove(collection: name)
            return answer.isPart
                ? try await passed(at: now) : .response(answer.response, at: now)
        } catch is AnswerTooLarge {
            // What is kept is no longer what the service has.
            try await router.update(collection: name) {
                $0.expires = Int64(now.timeIntervalSince1970 * 1_000)
            }
            return try await passed(at: now)
        }
    }

    /// Entities are compared only if there are observers of changes.
    private func comparison() async throws -> CopyComparison? {
        guard rule.events.hasReaders else { return nil }
        return try await CopyComparison(router.collection(named: name), router: router)
    }

    /// The answer of the service, for which the store has no room.
    private func passed(at now: Date) async throws -> ReadSource {
        let response = try await router.response(to: url, headers: headers)
        return .response(response, at: now)
    }

    /// - Parameter lasting: What earlier reads have said.
    private func policy(
        _ headers: HTTPHeaders,
        now: Date,
        over lasting: ResourcePolicy = ResourcePolicy()
    ) -> EffectivePolicy {
        rule.resolver(state.configuration).policy(
            for: url,
            request: lasting.overridden(by: request),
            headers: ResponsePolicyHeaders(headers),
            now: now
        )
    }

    private func fetch(_ maximumByteCount: Int) -> ReadRouter.Fetch {
        var fetch = ReadRouter.Fetch(url, name: name)
        fetch.headers = headers
        fetch.maximumByteCount = maximumByteCount
        let now = rule.options.clock.now
        fetch.isStorable = { _, headers in !policy(headers, now: now).noCache.value }
        return fetch
    }

    private func note(_ collection: inout StoredCollection, head: AnswerHead, now: Date) {
        var attributes = CopyAttributes(collection.attributes)
        var policy = policy(head.headers, now: now, over: attributes.lasting)
        if head.status == 304 {
            policy.keepHeaders(of: attributes.policy)
        } else {
            attributes.byteCount = max(
                head.byteCount,
                collection.deltaLink == nil ? 0 : attributes.byteCount
            )
        }
        attributes.policy = policy
        attributes.headers = headers
        attributes.isCollection = attributes.isCollection || isCollection
        attributes.session = policy.expirationPolicy.value == .onRestart ? state.session : nil
        collection.expires = CopyAge.expiry(of: policy, fetched: now)
        collection.attributes = attributes.text
    }
}
