#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif
import OfflinePolicies
import OfflineOData

/// Decides which version stays where both sides have changed an entity.
public struct ConflictRule: Sendable {
    private let decide: @Sendable (ResourceConflict) async throws -> ConflictDecision

    /// Lets the application decide, with base, local and server version and the changed properties at hand.
    public init(_ decide: @escaping @Sendable (ResourceConflict) async throws -> ConflictDecision) {
        self.decide = decide
    }

    func decision(on conflict: ResourceConflict) async throws -> ConflictDecision {
        try await decide(conflict)
    }

    /// Both versions stay.
    public static let preserve = ConflictRule { _ in .preserve }
    /// The service's version stays, since it was changed after it was read here.
    public static let serverModifiedWins = ConflictRule { _ in .server }
    /// The local version stays; what the service has deleted is created anew only where the application decides so itself.
    public static let clientWins = ConflictRule { $0.server == nil ? .preserve : .local }

    /// The version that was changed last stays, by a property that holds the time of the last change.
    ///
    /// Where the property was not changed here, the time of the local change counts. Where a time is missing both versions stay.
    public static func lastModifiedWins(property: String) -> ConflictRule {
        ConflictRule { conflict in
            let own = conflict.changedProperties.contains(property) || conflict.base == nil
            let mine = own ? conflict.local?[property]?.stringValue : conflict.changed
            guard let local = mine.flatMap(time) ?? time(conflict.changed),
                let server = conflict.server?[property]?.stringValue.flatMap(time)
            else { return .preserve }
            return local > server ? .local : .server
        }
    }

    /// Properties that only one side has changed are taken from that side; where both have changed one, the fallback decides.
    public static func mergingProperties(otherwise fallback: ConflictRule) -> ConflictRule {
        ConflictRule { conflict in
            guard let base = conflict.base, let local = conflict.local, let server = conflict.server
            else { return try await fallback.decision(on: conflict) }
            let clash = conflict.changedProperties.contains { path in
                let name = String(path.prefix { $0 != "/" })
                return server[name] != base[name]
                    && server[name] != local[name]
            }
            // The local change is what was changed here alone: sent over the service's version it leaves the rest as it is there.
            return clash ? try await fallback.decision(on: conflict) : .local
        }
    }

    /// The rule that a configured policy means.
    static func of(_ policy: ConflictResolutionPolicy) -> ConflictRule {
        switch policy {
        case .preserveConflict: .preserve
        case .serverWins: .serverModifiedWins
        case .clientWins: .clientWins
        }
    }

    private static func time(_ text: String) -> Date? {
        let fractions = Date.ISO8601FormatStyle(includingFractionalSeconds: true)
        return (try? Date(text, strategy: fractions)) ?? (try? Date(text, strategy: .iso8601))
    }
}

/// Rules for all conflicts, separately for what was done here.
public struct ConflictRules: Sendable {
    /// For entities created here.
    public var inserts: ConflictRule
    /// For entities changed here.
    public var updates: ConflictRule
    /// For entities deleted here.
    public var deletes: ConflictRule

    /// Creates rules that are one for everything unless given separately.
    public init(
        _ rule: ConflictRule,
        inserts: ConflictRule? = nil,
        updates: ConflictRule? = nil,
        deletes: ConflictRule? = nil
    ) {
        self.inserts = inserts ?? rule
        self.updates = updates ?? rule
        self.deletes = deletes ?? rule
    }

    func rule(for change: ResourceConflict.Change) -> ConflictRule {
        switch change {
        case .insert: inserts
        case .update: updates
        case .delete: deletes
        }
    }
}
