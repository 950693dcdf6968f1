#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif
import ODataProtocol
import OfflineOData
import OfflineStore

/// One read that policies decide about.
struct PolicyRead: Sendable {
    let rule: PolicyRule
    let router: ReadRouter
    /// Relative to the service root.
    let url: String
    let headers: HTTPHeaders
    let request: PolicyRequest

    /// Name of the stored collection of a read.
    static func name(_ url: String, _ headers: HTTPHeaders = [:]) -> String {
        let fields = headers.fields.map { "\($0.name.lowercased()): \($0.value)" }.sorted()
        return ([url] + fields).joined(separator: "\n")
    }

    private var name: String { Self.name(url, ownHeaders) }

    /// Header fields that make another answer; those of the local request's form do not.
    private var ownHeaders: HTTPHeaders {
        var own = headers
        for name in ["Accept", "Prefer", "OData-Version", "OData-MaxVersion", "Host"] {
            own[name] = nil
        }
        return own
    }

    /// What is known before the decision.
    private struct Known: Sendable {
        var held: HeldResource
        var stored: StoredCollection?
        var state: PolicyState.Loaded
        var policy: EffectivePolicy
        var request: ResourcePolicy
        var now: Date
    }

    /// Says where the answer comes from; fetches first where it comes from the service.
    func source() async throws -> ReadSource {
        let stored = try await router.collection(named: name)
        let attributes = CopyAttributes(stored?.attributes)
        // A read of a stored collection costs one look at its record, and no reading of the URL.
        let held =
            stored?.isFetched == true && attributes.isCollection
            ? HeldResource.ofStoredCollection : try await router.held(url)
        guard held.isEntities else { return .store }
        let known = try await known(held, stored, attributes.own)
        request.note { $0.policy = known.policy }
        if known.policy.noCache.value { return try await unstored(known) }
        let copy = try await copy(known)
        return try await source(known, copy)
    }

    private func known(
        _ held: HeldResource,
        _ stored: StoredCollection?,
        _ own: ResourcePolicy
    ) async throws -> Known {
        let state = try await rule.state.current(router)
        let asked = own.overridden(by: request.policy)
        let now = rule.options.clock.now
        let policy = rule.resolver(state.configuration).policy(for: url, request: asked, now: now)
        return Known(
            held: held,
            stored: stored,
            state: state,
            policy: policy,
            request: asked,
            now: now
        )
    }

    // MARK: The copy

    /// The copy in the store, and how it is read.
    private struct Copy: Sendable {
        var state: CopyState
        var source: ReadSource
        var origin: OfflineODataOrigin
    }

    private func copy(_ known: Known) async throws -> Copy {
        func age(_ collection: StoredCollection) -> CopyAge {
            CopyAge(collection, at: known.now, session: known.state.session)
        }
        let own = known.stored.flatMap { $0.isFetched ? age($0) : nil }
        let holding = known.held.isSingle ? known.held.collections.map(age) : []
        if let own, !known.held.isDurable || !known.held.isSingle {
            // An entity is as new as the newest answer that brought it.
            let newest = ([own] + holding).max {
                ($0.fetched ?? .distantPast) < ($1.fetched ?? .distantPast)
            }
            let isExpired = newest?.isExpired ?? own.isExpired
            let origin = OfflineODataOrigin(
                place: .store,
                date: newest?.fetched,
                isExpired: isExpired
            )
            let isEmpty = try await isEmpty(own.collection, known)
            return Copy(
                state: CopyState(isPresent: true, isEmpty: isEmpty, isExpired: isExpired),
                source: .collection(own.collection, origin),
                origin: origin
            )
        }
        guard known.held.isPresent else {
            return Copy(
                state: .absent,
                source: .nothing,
                origin: OfflineODataOrigin(place: .nowhere)
            )
        }
        let newest = known.held.isDurable ? nil : holding.first
        let origin = OfflineODataOrigin(
            place: .store,
            date: newest?.fetched ?? (own ?? holding.first)?.fetched,
            isExpired: newest?.isExpired ?? false
        )
        return Copy(
            state: CopyState(isPresent: true, isExpired: origin.isExpired),
            source: .store,
            origin: origin
        )
    }

    /// Asked only where the answer matters.
    private func isEmpty(_ collection: StoredCollection, _ known: Known) async throws -> Bool {
        if known.held.isSingle { return !known.held.isPresent }
        switch known.policy.fetchPolicy.value {
        case .fromServiceOnCacheMiss, .fromServiceOnCacheMissOrExpiry:
            return try await router.collections { try $0.isEmpty(collection) }
        default: return false
        }
    }

    // MARK: Deciding

    private func source(_ known: Known, _ copy: Copy) async throws -> ReadSource {
        let policy = known.policy.fetchPolicy.value
        let plan = ReadPlan(policy, isOnline: rule.network.isOnline, copy.state)
        if plan.refreshes { scheduleRefresh(known) }
        guard plan.place == .service else { return local(plan, copy) }
        rule.countMiss()
        await rule.flushChanges()
        do {
            return noted(try await fetched(known))
        } catch let error as OfflineODataError where known.held.isSingle && error.isMissing {
            return try await missing(known, copy)
        } catch let error as OfflineODataError where error.isUnreachable {
            request.note { $0.failure = error }
            return local(ReadPlan(policy, isOnline: false, copy.state), copy)
        }
    }

    /// What the service has no more goes from the store, too, unless it is changed here.
    private func missing(_ known: Known, _ copy: Copy) async throws -> ReadSource {
        if known.held.hasPendingChanges {
            request.note { $0.origin = copy.origin }
            return copy.source
        }
        try await router.remove(collection: name)
        _ = try await router.release(url)
        request.note { $0.origin = OfflineODataOrigin(place: .nowhere) }
        return .nothing
    }

    private func local(_ plan: ReadPlan, _ copy: Copy) -> ReadSource {
        guard plan.place == .copy else {
            rule.countMiss()
            request.note { $0.origin = OfflineODataOrigin(place: .nowhere) }
            return .nothing
        }
        rule.countHit()
        request.note { $0.origin = copy.origin }
        return copy.source
    }

    private func noted(_ source: ReadSource) -> ReadSource {
        let origin: OfflineODataOrigin? =
            switch source {
            case .collection(_, let origin): origin
            case .response(_, let date): OfflineODataOrigin(place: .service, date: date)
            case .store, .nothing: nil
            }
        request.note { $0.origin = origin }
        return source
    }

    /// Passes the service's answer through, past the store.
    private func unstored(_ known: Known) async throws -> ReadSource {
        guard rule.network.isOnline, known.policy.fetchPolicy.value != .fromCache else {
            request.note { $0.origin = OfflineODataOrigin(place: .nowhere) }
            return .nothing
        }
        do {
            let response = try await router.response(to: url, headers: headers)
            return noted(.response(response, at: rule.options.clock.now))
        } catch let error as OfflineODataError where error.isUnreachable {
            request.note { ($0.failure, $0.origin) = (error, OfflineODataOrigin(place: .nowhere)) }
            return .nothing
        }
    }

    // MARK: Fetching

    private func fetched(_ known: Known) async throws -> ReadSource {
        try await rule.fetches.run(name) { try await fetch(known) }
    }

    /// A refresh obeys response headers, then the policies stored with the resource.
    private func scheduleRefresh(_ known: Known) {
        guard rule.network.isOnline else { return }
        let attributes = CopyAttributes(known.stored?.attributes)
        var stored = known
        let policy = attributes.policy?.values(from: .request) ?? known.request
        stored.request = policy.overridden(by: attributes.own)
        let refreshed = stored
        rule.fetches.schedule(name, priority: attributes.pin) {
            _ = try await fetch(refreshed)
        }
    }

    private func fetch(_ known: Known) async throws -> ReadSource {
        try await CollectionFetch(
            rule: rule,
            router: router,
            name: name,
            url: url,
            headers: ownHeaders,
            request: known.request,
            state: known.state,
            isCollection: !known.held.isSingle
        ).run()
    }
}

extension OfflineODataError {
    /// Whether no answer came, so that the store may answer in the service's place.
    ///
    /// An error that the service answers is an answer.
    var isUnreachable: Bool { category == .communication && httpStatus == nil }

    /// Whether the service says that there is no such entity (any more).
    var isMissing: Bool { [404, 410].contains(httpStatus) }
}
