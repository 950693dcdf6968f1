#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif
import OfflinePolicies
import StoreRecords
import ODataHTTP
import OfflineOData
import OfflineStore

/// Fetches a file, the content of a stream, from the service and stores it with its policies.
struct FileFetch: Sendable {
    let rule: PolicyRule
    let router: ReadRouter
    /// Relative to the service root; the name of the copy, too.
    let url: String
    let headers: HTTPHeaders
    let state: PolicyState.Loaded
    /// Bytes beyond which the file is not kept.
    let limit: Int

    /// - Parameter request: The reader's policies.
    func run(_ request: ResourcePolicy) async throws -> ReadSource {
        let now = rule.options.clock.now
        let room = try await StoreQuota(router, configuration: state.configuration).remaining(
            replacing: url
        )
        guard min(room, limit) > 0 else { return try await unkept(at: now) }
        do {
            return try await stored(request, maximumByteCount: min(room, limit), now: now)
        } catch let answer as UnstoredAnswer {
            // "Not modified" is no content.
            let source: ReadSource =
                answer.response.status == 304
                ? try await passed(at: now) : .response(answer.response, at: now)
            // What must not be stored must not stay stored, either.
            try await router.remove(collection: url)
            return source
        } catch is AnswerTooLarge {
            return try await unkept(at: now)
        }
    }

    private func stored(_ request: ResourcePolicy, maximumByteCount: Int, now: Date)
        async throws -> ReadSource
    {
        var fetch = ReadRouter.Fetch(url)
        fetch.headers = headers
        fetch.maximumByteCount = maximumByteCount
        fetch.isStorable = { _, headers in
            !policy(request, headers: headers, now: now).noCache.value
        }
        var outcome = try await fetchFile(fetch, request: request, now: now)
        if case .noEntity = outcome {
            guard case .collection = try await fetchEntity(request) else {
                return try await passed(at: now)
            }
            // The entity has taken room, too.
            let room = try await StoreQuota(router, configuration: state.configuration).remaining(
                replacing: url
            )
            fetch.maximumByteCount = min(room, maximumByteCount)
            outcome = try await fetchFile(fetch, request: request, now: now)
        }
        rule.room.countAnew()
        if case .stored = outcome { return .store }
        try await router.remove(collection: url)
        return .nothing
    }

    private func fetchFile(_ fetch: ReadRouter.Fetch, request: ResourcePolicy, now: Date)
        async throws -> ReadRouter.FileOutcome
    {
        try await router.fetchFile(fetch, now: now) { collection, head in
            note(&collection, head: head, request: request, now: now)
        }
    }

    /// The entity whose stream it is comes with it.
    private func fetchEntity(_ request: ResourcePolicy) async throws -> ReadSource {
        let owner = url.lastIndex(of: "/").map { String(url[..<$0]) } ?? url
        return try await CollectionFetch(
            rule: rule,
            router: router,
            name: owner,
            url: owner,
            headers: headers,
            request: request,
            state: state
        ).run()
    }

    /// The content from the service, which is too large to be kept.
    private func unkept(at now: Date) async throws -> ReadSource {
        router.logUnkept(byteLimit: limit)
        return try await passed(at: now)
    }

    /// The content from the service, of which nothing is kept.
    func passed(at now: Date) async throws -> ReadSource {
        .response(try await router.fileResponse(to: url, headers: headers), at: now)
    }

    func policy(_ request: ResourcePolicy, headers: HTTPHeaders? = nil, now: Date)
        -> EffectivePolicy
    {
        rule.resolver(state.configuration).filePolicy(
            for: url,
            request: request,
            headers: headers.map { ResponsePolicyHeaders($0) },
            now: now
        )
    }

    private func note(
        _ collection: inout StoredCollection,
        head: AnswerHead,
        request: ResourcePolicy,
        now: Date
    ) {
        var attributes = CopyAttributes(collection.attributes)
        var policy = policy(
            attributes.lasting.overridden(by: request),
            headers: head.headers,
            now: now
        )
        if head.status == 304 { policy.keepHeaders(of: attributes.policy) }
        attributes.byteCount = head.byteCount
        attributes.isFile = true
        attributes.fileLimit = limit == .max ? nil : limit
        attributes.policy = policy
        attributes.headers = headers
        attributes.session = policy.expirationPolicy.value == .onRestart ? state.session : nil
        collection.expires = CopyAge.expiry(of: policy, fetched: now)
        collection.attributes = attributes.text
    }
}
