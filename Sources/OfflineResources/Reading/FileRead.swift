#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif
import OfflinePolicies
import StoreRecords
import OfflineOData

/// One read of a file that policies decide about.
struct FileRead: Sendable {
    let fetch: FileFetch
    let request: PolicyRequest

    private var rule: PolicyRule { fetch.rule }

    /// What is known before the decision.
    private struct Known {
        var attributes: CopyAttributes
        /// The reader's policies over those of the file itself.
        var asked: ResourcePolicy
        var policy: EffectivePolicy
        var copy: CopyState
        var origin: OfflineODataOrigin
    }

    /// Where the content comes from; fetches first where that is the service.
    func source() async throws -> ReadSource {
        guard let held = try await fetch.router.heldFile(fetch.url) else { return .store }
        let known = try await known(held)
        guard !known.policy.noCache.value else { return try await unstored(known) }
        let plan = plan(known, isOnline: rule.network.isOnline)
        guard plan.place == .service else {
            if plan.refreshes { scheduleRefresh(known) }
            return local(plan, knowing: known)
        }
        rule.countMiss()
        await rule.flushChanges()
        do {
            return noted(try await rule.fetches.run(fetch.url) { try await fetch.run(known.asked) })
        } catch let error as OfflineODataError where error.isMissing {
            return noted(.nothing)
        } catch let error as OfflineODataError where error.isUnreachable {
            request.note { $0.failure = error }
            return local(self.plan(known, isOnline: false), knowing: known)
        }
    }

    private func known(_ held: HeldFile) async throws -> Known {
        let now = rule.options.clock.now
        let stored = try await fetch.router.collection(named: fetch.url)
        let attributes = CopyAttributes(stored?.attributes)
        let asked = attributes.own.overridden(by: request.policy)
        let policy = fetch.policy(asked, headers: nil, now: now)
        let age = stored.map {
            CopyAge($0, attributes: attributes, at: now, session: fetch.state.session)
        }
        // What is changed here, or brought by a defining query, does not expire.
        let isExpired = !held.isChangedHere && !held.isDurable && age?.isExpired ?? false
        let resource = KnownResource(
            KnownAttributes(stored?.attributes),
            request: request.policy,
            state: fetch.state
        ) {
            _ in policy
        }
        request.note { $0.resource = resource }
        return Known(
            attributes: attributes,
            asked: asked,
            policy: policy,
            copy: CopyState(isPresent: held.byteCount != nil, isExpired: isExpired),
            origin: OfflineODataOrigin(place: .store, date: age?.fetched, isExpired: isExpired)
        )
    }

    private func plan(_ known: Known, isOnline: Bool) -> ReadPlan {
        ReadPlan(known.policy.fetchPolicy.value, isOnline: isOnline, copy: known.copy)
    }

    private func local(_ plan: ReadPlan, knowing known: Known) -> ReadSource {
        guard plan.place == .copy else {
            rule.countMiss()
            return noted(.nothing)
        }
        rule.countHit()
        request.note { $0.origin = known.origin }
        return .store
    }

    /// Passes the service's content through, past the store.
    private func unstored(_ known: Known) async throws -> ReadSource {
        guard rule.network.isOnline, known.policy.fetchPolicy.value != .fromCache else {
            return noted(.nothing)
        }
        do {
            return noted(try await fetch.passed(at: rule.options.clock.now))
        } catch let error as OfflineODataError where error.isMissing {
            return noted(.nothing)
        } catch let error as OfflineODataError where error.isUnreachable {
            request.note { $0.failure = error }
            return noted(.nothing)
        }
    }

    private func noted(_ source: ReadSource) -> ReadSource {
        let now = rule.options.clock.now
        let origin: OfflineODataOrigin =
            switch source {
            case .nothing: OfflineODataOrigin(place: .nowhere)
            case .response(_, let date): OfflineODataOrigin(place: .service, date: date)
            case .store, .collection: OfflineODataOrigin(place: .service, date: now)
            }
        request.note { $0.origin = origin }
        return source
    }

    private func scheduleRefresh(_ known: Known) {
        guard rule.network.isOnline else { return }
        let policy = known.attributes.policy?.values(from: .request) ?? known.asked
        let asked = policy.overridden(by: known.attributes.own)
        rule.fetches.schedule(fetch.url, priority: known.attributes.pin) {
            try await fetch.run(asked)
        }
    }
}
