import OfflinePolicies
import ODataValues
import OfflineOData
import OfflineStore

/// Conflicts between local changes and newer versions of the service, decided by policies or by the application.
extension PolicyEngine {
    /// Returns the entities in conflict with all of their versions, in the order in which they were first changed here.
    public func conflicts() async throws -> [ResourceConflict] {
        var found: [ResourceConflict] = []
        for entity in try await router.conflicts() { found.append(try await conflict(entity)) }
        return found
    }

    /// Ends the conflict of an entity; the change goes up with the next upload where the local version stays.
    ///
    /// - Throws: ``OfflineODataError`` where the store knows no newer version.
    public func resolve(_ url: String, with decision: ConflictDecision) async throws {
        let url = try await resolved(url)
        switch decision {
        case .local: try await provider.resolveConflict(url, with: .local)
        case .server: try await provider.resolveConflict(url, with: .server)
        case .merge(let body): try await provider.resolveConflict(url, with: .merge(body: body))
        case .preserve: break
        }
    }

    /// Decides every conflict by the policies in force; answers which version stays, by URL.
    ///
    /// It runs by itself after each upload and each download.
    ///
    /// - Throws: The first error, after every other conflict was decided.
    @discardableResult
    public func settleConflicts() async throws -> [String: ConflictDecision] {
        guard !PolicyObserver.isDeciding else { throw OfflineODataError.deciding }
        let (decisions, failure) = try await settleEachConflict()
        if let failure { throw failure }
        return decisions
    }

    /// Decides every conflict; one that cannot be decided does not keep the others from it.
    private func settleEachConflict() async throws -> (
        decisions: [String: ConflictDecision], failure: (any Error)?
    ) {
        var decisions: [String: ConflictDecision] = [:]
        var failure: (any Error)?
        for entity in try await router.conflicts() {
            do {
                decisions[entity.url] = try await settle(entity)
            } catch let error as CancellationError {
                throw error
            } catch {
                failure = failure ?? error
            }
        }
        return (decisions, failure)
    }

    private func settle(_ entity: ConflictedEntity) async throws -> ConflictDecision {
        let conflict = try await conflict(entity)
        let (rule, overwrites) = try await rule(for: conflict, entity.stream)
        let decision = try await PolicyObserver.$isDeciding.withValue(true) {
            try await rule.decision(on: conflict)
        }
        let before = decision == .server ? try await requestIDs() : []
        try await resolve(conflict.url, with: decision)
        if decision == .server {
            // A transaction goes as a whole.
            let gone = try await before.subtracting(requestIDs())
            settled.guarded { $0.formUnion(gone) }
        }
        if overwrites, decision == .local { try await router.overwriteAnyVersion(conflict.url) }
        return decision
    }

    /// Takes back changes of links that the service refuses because one of the entities is gone, where its version wins.
    ///
    /// Links have no ETags: nothing else is a conflict of theirs.
    private func settleLinks() async throws {
        for request in try await provider.errorArchive() where request.url.hasSuffix("/$ref") {
            guard [404, 409, 410].contains(request.failure?.httpStatus),
                let end = request.url.lastIndex(of: "("),
                let close = request.url[end...].firstIndex(of: ")")
            else { continue }
            let owner = String(request.url[...close])
            guard try await policy(for: owner).conflictResolutionPolicy.value == .serverWins else {
                continue
            }
            settled.guarded { _ = $0.insert(request.id) }
            try await router.dropNoted(request.id)
        }
    }

    /// The requests that wait, and those that were refused.
    private func requestIDs() async throws -> Set<Int64> {
        try await Set((provider.requestQueue() + provider.errorArchive()).map(\.id))
    }

    /// The policy of resource, path or service, and whether it overwrites any version; the application's rules where there is none.
    ///
    /// - Parameter stream: The stream that alone is in conflict: files have policies of their own.
    private func rule(for conflict: ResourceConflict, _ stream: String?) async throws -> (
        rule: ConflictRule, overwrites: Bool
    ) {
        let url = stream.map { conflict.url + "/" + $0 } ?? conflict.url
        let policy = try await policy(for: url).conflictResolutionPolicy
        if policy.level == .library, let rules = conflictRules {
            return (rules.rule(for: conflict.change), false)
        }
        return (.of(policy.value), policy.value == .clientWins)
    }

    private func conflict(_ entity: ConflictedEntity) async throws -> ResourceConflict {
        let versions = try await provider.conflict(for: entity.url)
        let change: ResourceConflict.Change =
            switch entity.change {
            case .creation: .insert
            case .update: .update
            case .deletion: .delete
            }
        // Where a stream alone is in conflict, the service has the entity as it is known.
        let known = entity.stream == nil ? nil : versions.base ?? versions.local
        return ResourceConflict(
            url: entity.url,
            entitySet: entity.entitySet,
            change: change,
            base: versions.base,
            local: versions.local,
            server: entity.isGone ? nil : versions.server ?? known,
            changedProperties: versions.changedProperties,
            changed: entity.changed
        )
    }

    // MARK: After a synchronisation

    /// How often changes that have won are sent again in one synchronisation, if others change the entities meanwhile.
    private static let maximumRounds = 3

    /// Resolves conflicts, and sends the winning local changes if the network is reachable.
    func settle(sendsAgain: Bool) async {
        // A link that cannot be settled now stays in the archive, and a conflict stays one: the next synchronisation tries again.
        do { try await settleLinks() } catch { router.logUnsettled(error) }
        do {
            for _ in 1...Self.maximumRounds {
                let settled = try await settleEachConflict()
                if let failure = settled.failure { router.logUnsettled(failure) }
                guard sendsAgain, settled.decisions.values.contains(where: \.sends) else { return }
                let uploaded = try await PolicyObserver.$isSettling.withValue(true) {
                    try await provider.upload()
                }
                guard uploaded.failedCount > 0 else { return }
            }
        } catch {
            router.logUnsettled(error)
        }
    }
}

extension ConflictDecision {
    /// Whether the change is sent after the decision.
    fileprivate var sends: Bool {
        switch self {
        case .local, .merge: true
        case .server, .preserve: false
        }
    }
}
