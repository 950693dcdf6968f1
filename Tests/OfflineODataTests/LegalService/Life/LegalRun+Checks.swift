import StoreRecords
import OfflineOData
import TestSupport

/// The user's invariant.
extension LegalRun {
    /// All requests that are not done.
    func entries() async throws -> [QueueEntry] {
        try await (provider.requestQueue() + provider.errorArchive()).map(\.entry)
    }

    private func isOpen(_ change: LegalChange, _ entries: [QueueEntry]) -> Bool {
        guard !change.marker.isEmpty, change.kind != .stream,
            change.set != "Photos" || change.kind != .create
        else { return entries.contains { change.requests.contains($0.id) } }
        return entries.contains { $0.body?.contains(change.marker) ?? false }
    }

    /// Changes that have gone without a synchronisation were taken back, or others have taken their place.
    func lookForReplaced() async throws {
        let entries = try await entries()
        for index in changes.indices where changes[index].isOpen && !changes[index].isUndone {
            guard !isOpen(changes[index], entries) else { continue }
            changes[index].isOpen = false
            changes[index].isUndone = true
        }
    }

    /// A decision of a person about waiting or refused requests.
    func editing(_ body: (OfflineODataProvider) async throws -> Void) async throws {
        do {
            try await body(provider)
        } catch let error as OfflineODataError where error.category != .internal {
            note("not allowed: \(error.message)")
        }
        try await lookForReplaced()
    }

    /// After a synchronisation: what no longer waits has had its effect once, on what it was meant for.
    func check(_ name: String) async throws {
        let entries = try await entries()
        let effects = transport.with { $0.world.effects }
        for index in changes.indices where changes[index].isOpen {
            changes[index].isOpen = isOpen(changes[index], entries)
            try check(changes[index], entries, effects, name)
        }
        for effect in effects.dropFirst(checkedEffects) where effect.author == .client {
            try checkEffect(effect)
            try checkCustomer(effect)
        }
        checkedEffects = effects.count
        try checkDoubled(effects)
    }

    private func check(
        _ change: LegalChange,
        _ entries: [QueueEntry],
        _ effects: [LegalWorld.Effect],
        _ name: String
    ) throws {
        if !change.isOpen, !hasEffect(change, effects), !isMoot(change) {
            throw LegalFailure(
                kind: "lost",
                text: "\(name): \(change.kind) \(change.marker) of \(change.target ?? "?") is lost"
            )
        }
        // What others have deleted before its creation was answered may be refused when it is sent again.
        guard change.isOpen, change.kind == .create, hasEffect(change, effects), isThere(change)
        else { return }
        // A later replacement of the entity holds the marker too.
        let entry = entries.first {
            $0.method == "POST" && $0.body?.contains(change.marker) ?? false
        }
        if entry?.status == .failed {
            throw LegalFailure(
                kind: "archived",
                text: "\(name): \(change.marker) was carried out and stands in the archive"
            )
        }
    }

    private func hasEffect(_ change: LegalChange, _ effects: [LegalWorld.Effect]) -> Bool {
        effects.contains { effect in
            guard effect.author == .client else { return false }
            if !change.marker.isEmpty { return effect.marker?.hasPrefix(change.marker) ?? false }
            return effect.mark == change.target
        }
    }

    private func isThere(_ change: LegalChange) -> Bool {
        transport.with { $0.world.entities.values.contains { $0.mark == change.marker } }
    }

    /// Whether there is nothing more to do: what it is about is gone, or is as wanted already.
    private func isMoot(_ change: LegalChange) -> Bool {
        guard change.marker.isEmpty, let target = change.target else { return true }
        return transport.with { service in
            let marks = Set(service.world.entities.values.map(\.mark))
            switch change.kind {
            case .delete: return !marks.contains(target)
            case .link, .unlink:
                let ends = target.split(separator: ">").map { String($0) }
                guard ends.allSatisfy(marks.contains) else { return true }
                let isThere = service.world.links.contains { link in
                    let customer = service.world.entities[link.customer]?.mark
                    let tag = service.world.entities[link.tag]?.mark
                    return [customer, tag] == [ends.first, ends.last]
                }
                return isThere == (change.kind == .link)
            default: return true
            }
        }
    }

    // MARK: Effects

    /// An effect at the service is one that was asked for here, and has overwritten nothing unseen.
    private func checkEffect(_ effect: LegalWorld.Effect) throws {
        switch effect.kind {
        case .delete:
            let isAsked = changes.contains {
                $0.kind == .delete && ($0.target == effect.mark || $0.target == nil)
            }
            let cascades =
                life.traits.contains(.cascadeDeclared) || life.traits.contains(.cascadeUndeclared)
            guard isAsked || cascades else {
                throw LegalFailure(kind: "stranger", text: "\(effect.mark) was deleted unasked")
            }
        case .update:
            guard let marker = effect.marker, let change = owner(of: marker) else { return }
            if change.kind == .update, let target = change.target, target != effect.mark {
                throw LegalFailure(
                    kind: "stranger",
                    text: "\(marker) was meant for \(target) and has changed \(effect.mark)"
                )
            }
            try checkOverwritten(effect, change)
        case .other:
            throw LegalFailure(
                kind: "stranger",
                text:
                    "\(effect.marker ?? "") of \(effect.mark) was changed unasked, before: \(effect.replaced ?? "")"
            )
        case .move:
            guard !changes.contains(where: { $0.kind == .move && $0.target == effect.mark }) else {
                return
            }
            throw LegalFailure(kind: "stranger", text: "\(effect.mark) was moved unasked")
        default: break
        }
    }

    /// An order is below the customer that was meant, whatever key the service has given it.
    private func checkCustomer(_ effect: LegalWorld.Effect) throws {
        guard [.create, .move].contains(effect.kind) else { return }
        let meant = changes.filter {
            [.create, .move].contains($0.kind) && $0.target == effect.mark && $0.set == "Orders"
        }
        let customers = meant.map(\.customer)
        // Once every move was taken back, the order is where it was.
        guard !meant.allSatisfy(\.isUndone), !customers.contains(effect.customer) else { return }
        // One that is gone leaves a foreign key that leads nowhere, or none.
        let marks = transport.with { Set($0.world.entities.values.map(\.mark)) }
        let isGone = effect.customer == nil && customers.contains { !marks.contains($0 ?? "") }
        guard !isGone else { return }
        throw LegalFailure(
            kind: "stranger",
            text:
                "\(effect.mark) is below \(effect.customer ?? "nobody"), meant was \(customers.map { $0 ?? "nobody" })"
        )
    }

    private func owner(of marker: String) -> LegalChange? {
        changes.last { !$0.marker.isEmpty && marker.hasPrefix($0.marker) }
    }

    /// The service's value that a change was made on, past changes from here that were merged into it.
    private func seen(by change: LegalChange) -> String? {
        guard let seen = change.seen, let earlier = owner(of: seen), earlier.seen != seen else {
            return change.seen
        }
        let effects = transport.with { $0.world.effects }
        return hasEffect(earlier, effects) ? seen : self.seen(by: earlier)
    }

    private func checkOverwritten(_ effect: LegalWorld.Effect, _ change: LegalChange) throws {
        let unguarded: [LegalTrait] = [.etagsMissing, .conditionsIgnored, .etagsPerSet]
        guard let replaced = effect.replaced, replaced.hasPrefix("s"), replaced != seen(by: change),
            !disclosed.contains(replaced), !unguarded.contains(where: life.traits.contains)
        else { return }
        throw LegalFailure(
            kind: "overwritten",
            text:
                "\(replaced) was overwritten by \(change.marker), which was made on \(change.seen ?? "nothing")"
        )
    }

    private func checkDoubled(_ effects: [LegalWorld.Effect]) throws {
        var living: [String: Int] = [:]
        for effect in effects {
            // A person may have what others deleted created anew; of what is gone before its creation was answered nobody can know.
            if effect.kind == .delete,
                !disclosed.isEmpty || deletedUnanswered.contains(effect.mark)
            {
                living[effect.mark] = nil
                // What was made inline is made again with it, and so is what it contained.
                for change in changes
                where change.kind == .create
                    && (change.customer == effect.mark || change.set == "Items")
                {
                    living[change.marker] = nil
                }
            }
            guard effect.kind == .create, effect.author == .client else { continue }
            let marker = effect.marker ?? ""
            guard living.updateValue(1, forKey: marker) == nil else {
                throw LegalFailure(kind: "doubled", text: "\(marker) was created twice")
            }
        }
    }
}
