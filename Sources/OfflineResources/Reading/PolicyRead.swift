#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif
import StoreRecords
import OfflinePolicies
import ODataBinding
import ODataModel
import ODataHTTP
import ODataTables
import OfflineOData
import OfflineStore

/// One read that policies decide about.
///
///     look, in the transaction that may answer ──> local source
///       └ the service is wanted ──> source, which looks again and fetches
struct PolicyRead: Sendable {
    let rule: PolicyRule
    let router: ReadRouter
    let state: PolicyState.Loaded
    /// Relative to the service root.
    let url: String
    /// Name of the stored collection.
    let name: String
    let headers: HTTPHeaders
    let request: PolicyRequest

    /// Name of the stored collection of a read.
    static func name(_ url: String, headers: HTTPHeaders = [:]) -> String {
        named(URLSpelling.common(url), headers: headers)
    }

    /// Name of the stored collection of a read, which an earlier version may have kept under its URL as it was written.
    static func name(_ url: String, headers: HTTPHeaders, query: TableQuery) throws -> String {
        let (name, written) = (name(url, headers: headers), named(url, headers: headers))
        guard name != written else { return name }
        let collections = StoredCollections(query)
        guard try collections.collection(named: name) == nil,
            try collections.collection(named: written) != nil
        else { return name }
        return written
    }

    private static func named(_ url: String, headers: HTTPHeaders) -> String {
        if headers.fields.isEmpty { return url }
        let fields = headers.fields.map { "\($0.name.lowercased()): \($0.value)" }.sorted()
        return ([url] + fields).joined(separator: "\n")
    }

    /// Header fields that make another answer; those of the local request's form do not.
    static func ownHeaders(_ headers: HTTPHeaders) -> HTTPHeaders {
        if headers.fields.isEmpty { return headers }
        var own = headers
        for name in ["Accept", "Prefer", "OData-Version", "OData-MaxVersion", "Host"] {
            own[name] = nil
        }
        return own
    }

    /// What is known before the decision.
    struct Known: Sendable {
        var held: HeldResource
        var stored: StoredCollection?
        var resource: KnownResource
        var copy: Copy
    }

    // MARK: Looking

    /// Looks at what the store has, in a read transaction; nil for a URL that addresses no entities.
    ///
    /// - Parameter entity: The entity, where it is known without reading the URL.
    func look(_ entity: KeyedEntity?, query: TableQuery, in schema: TableSchema) throws -> Known? {
        let collections = StoredCollections(query)
        let stored = try collections.collection(named: name)
        // A read of a stored collection costs one look at its record, and no reading of the URL.
        let held: HeldResource
        if let stored, stored.isFetched, rule.attributes(of: stored).isCollection {
            held = .ofStoredCollection
        } else if let entity {
            held = try HeldResource(entity, query: query)
        } else {
            held = try HeldResource(url, query: query, schema: schema)
        }
        guard held.isEntities else { return nil }
        // An entity without a record of its own has the policies of the collection that brought it.
        let record = stored ?? (held.isSingle ? held.newest : nil)
        let resource = rule.resource(
            name,
            url: url,
            stored: record,
            request: request.policy,
            state: state
        )
        let copy = try Copy(held, stored: stored) {
            let now = rule.options.clock.now
            return CopyAge($0, attributes: rule.attributes(of: $0), at: now, session: state.session)
        } isEmpty: {
            try isEmpty($0, held: held, resource: resource, collections: collections)
        }
        return Known(held: held, stored: stored, resource: resource, copy: copy)
    }

    /// Asked only where the answer matters.
    private func isEmpty(
        _ collection: StoredCollection,
        held: HeldResource,
        resource: KnownResource,
        collections: StoredCollections
    ) throws -> Bool {
        // Of a related entity, and of one with others, the answer that was kept says whether there is one.
        if held.isSingle, held.isPresent { return false }
        switch resource.policy.fetchPolicy.value {
        case .fromServiceOnCacheMiss, .fromServiceOnCacheMissOrExpiry:
            return try collections.isEmpty(collection)
        default: return held.isSingle
        }
    }

    // MARK: Deciding

    /// Where the answer comes from without asking the service; nil where it is to be asked.
    func localSource(_ known: Known) -> ReadSource? {
        guard !known.resource.policy.noCache.value else { return nil }
        let plan = plan(known, isOnline: rule.network.isOnline)
        guard plan.place != .service else { return nil }
        if plan.refreshes { scheduleRefresh(known) }
        return local(plan, knowing: known)
    }

    private func plan(_ known: Known, isOnline: @autoclosure () -> Bool) -> ReadPlan {
        ReadPlan(
            known.resource.policy.fetchPolicy.value,
            isOnline: isOnline(),
            copy: known.copy.state
        )
    }

    /// Where the answer comes from for a reader that cannot wait for the service.
    func sourceAtHand(_ known: Known) -> ReadSource {
        guard !known.resource.policy.noCache.value else {
            request.note { $0.origin = OfflineODataOrigin(place: .nowhere) }
            return .nothing
        }
        let plan = plan(known, isOnline: false)
        if plan.refreshes { scheduleRefresh(known) }
        return local(plan, knowing: known)
    }

    /// Where the answer comes from; fetches first where that is the service.
    func source(_ known: Known) async throws -> ReadSource {
        if let source = localSource(known) { return source }
        request.note { $0.resource = known.resource }
        if known.resource.policy.noCache.value { return try await unstored(known) }
        rule.countMiss()
        await rule.flushChanges()
        do {
            return noted(try await fetched(known))
        } catch let error as OfflineODataError where known.held.isSingle && error.isMissing {
            return try await missing(known)
        } catch let error as OfflineODataError where error.isUnreachable {
            request.note { $0.failure = error }
            return local(plan(known, isOnline: false), knowing: known)
        }
    }

    private func missing(_ known: Known) async throws -> ReadSource {
        let isGone = try await rule.forget(url, named: name, router)
        request.note {
            $0.origin = isGone ? OfflineODataOrigin(place: .nowhere) : known.copy.origin
        }
        return isGone ? .nothing : known.copy.source
    }

    private func local(_ plan: ReadPlan, knowing known: Known) -> ReadSource {
        let isHit = plan.place == .copy
        let origin = isHit ? known.copy.origin : OfflineODataOrigin(place: .nowhere)
        request.note { ($0.resource, $0.origin) = (known.resource, origin) }
        guard isHit else {
            rule.countMiss()
            return .nothing
        }
        rule.countHit()
        return known.copy.source
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
        guard rule.network.isOnline, known.resource.policy.fetchPolicy.value != .fromCache else {
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
        try await rule.fetches.run(name) {
            try await fetch(known, asked: known.resource.asked)
        }
    }

    /// A refresh obeys response headers, then the policies stored with the resource.
    private func scheduleRefresh(_ known: Known) {
        guard rule.network.isOnline else { return }
        let attributes = known.resource.attributes
        let policy = attributes.policy?.values(from: .request) ?? known.resource.asked
        let asked = policy.overridden(by: attributes.own)
        let work = rule.forgetting(url, named: name, router) {
            await rule.flushChanges()
            return try await fetch(known, asked: asked)
        }
        rule.fetches.schedule(name, priority: attributes.pin, work: work)
    }

    private func fetch(_ known: Known, asked: ResourcePolicy) async throws -> ReadSource {
        guard try await bringsOwner(asked) else {
            let response = try await router.response(to: url, headers: headers)
            return .response(response, at: rule.options.clock.now)
        }
        return try await fetch(url, named: name, asked: asked, isCollection: !known.held.isSingle)
    }

    private func fetch(
        _ url: String,
        named name: String,
        asked: ResourcePolicy,
        isCollection: Bool
    ) async throws -> ReadSource {
        try await CollectionFetch(
            rule: rule,
            router: router,
            name: name,
            url: url,
            headers: Self.ownHeaders(headers),
            request: asked,
            state: state,
            isCollection: isCollection
        ).run()
    }

    /// Sees to it that the store has the entity from which the URL leads on: without it there is nothing that leads to an empty collection,
    /// and what is inside of it has no place.
    ///
    /// Answers false where the service does not show that entity; its contents cannot be kept then.
    private func bringsOwner(_ asked: ResourcePolicy) async throws -> Bool {
        let (owners, isContained) = try await router.look { try missingOwners($0, in: $1) }
        do {
            for owner in owners {
                let name = Self.name(owner)
                _ = try await fetch(owner, named: name, asked: asked, isCollection: false)
            }
        } catch let error as OfflineODataError where error.httpStatus != nil {
            return !isContained
        }
        guard isContained, !owners.isEmpty else { return true }
        return try await router.look { try missingOwners($0, in: $1).owners.isEmpty }
    }

    /// The entities from which the URL leads on and which the store does not have, those first that contain others, and whether what is
    /// addressed is contained itself.
    private func missingOwners(_ query: TableQuery, in schema: TableSchema) throws
        -> (owners: [String], isContained: Bool)
    {
        guard let path = EntityPath(ofService: url, in: schema.model),
            let source = path.finalSource,
            !path.isSingle(in: schema.model) || source.isContained
        else { return ([], false) }
        var missing: [String] = []
        for owner in Self.owners(of: url) {
            guard let held = try? HeldResource(owner, query: query, schema: schema),
                held.isEntities, held.isSingle
            else { continue }
            guard !held.isPresent else { break }
            missing.insert(owner, at: 0)
            // What is not contained has its own place.
            let place = EntityPath(ofService: owner, in: schema.model)?.finalSource
            guard place?.isContained == true else { break }
        }
        return (missing, source.isContained)
    }
}

extension OfflineODataError {
    /// Whether no answer came, so that the store may answer in the service's place.
    ///
    /// An error that the service answers is an answer.
    var isUnreachable: Bool { category == .communication && httpStatus == nil }

    /// Whether the service, or what is before it, wants to know who asks.
    var isUnauthorized: Bool { [401, 407].contains(httpStatus) }

    /// Whether no change was carried out, so that one that must not wait can be taken back.
    var leavesNothingDone: Bool { isUnauthorized || isUnreachable && code != .timedOut }

    /// Whether the service says that there is no such entity (any more).
    var isMissing: Bool { [404, 410].contains(httpStatus) }
}

extension NavigationSource {
    fileprivate var isContained: Bool {
        if case .contained = self { true } else { false }
    }
}
