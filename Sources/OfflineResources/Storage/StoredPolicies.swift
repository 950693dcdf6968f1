import OfflinePolicies
import OfflineOData

extension ResourcePolicy {
    /// Reads policies from the JSON object that ``stored`` makes.
    init(stored value: ODataValue) {
        func word<Policy: RawRepresentable<String>>(_ name: String) -> Policy? {
            value[name]?.stringValue.flatMap(Policy.init)
        }
        self.init(
            fetchPolicy: word("fetchPolicy"),
            expirationPolicy: word("expirationPolicy"),
            expireAfter: value["expireAfter"]?.integerValue.map(Int.init),
            evictionPolicy: word("evictionPolicy"),
            updatePolicy: word("updatePolicy"),
            conflictResolutionPolicy: word("conflictResolutionPolicy"),
            noCache: value["noCache"]?.booleanValue
        )
    }

    /// The policies that are set, as a JSON object.
    var stored: ODataValue {
        var members: [(name: String, value: ODataValue)] = []
        func add(_ name: String, _ value: ODataValue?) {
            if let value { members.append((name, value)) }
        }
        add("fetchPolicy", fetchPolicy.map { .string($0.rawValue) })
        add("expirationPolicy", expirationPolicy.map { .string($0.rawValue) })
        add("expireAfter", expireAfter.map { .integer(Int64($0)) })
        add("evictionPolicy", evictionPolicy.map { .string($0.rawValue) })
        add("updatePolicy", updatePolicy.map { .string($0.rawValue) })
        add("conflictResolutionPolicy", conflictResolutionPolicy.map { .string($0.rawValue) })
        add("noCache", noCache.map { .boolean($0) })
        return .object(members)
    }

    /// These policies, with those of another level in front of them.
    func overridden(by other: ResourcePolicy) -> ResourcePolicy {
        ResourcePolicy(
            fetchPolicy: other.fetchPolicy ?? fetchPolicy,
            expirationPolicy: other.expirationPolicy ?? expirationPolicy,
            expireAfter: other.expireAfter ?? expireAfter,
            evictionPolicy: other.evictionPolicy ?? evictionPolicy,
            updatePolicy: other.updatePolicy ?? updatePolicy,
            conflictResolutionPolicy: other.conflictResolutionPolicy ?? conflictResolutionPolicy,
            noCache: other.noCache ?? noCache
        )
    }
}

extension EffectivePolicy {
    /// Reads policies from the JSON object that ``stored`` makes: each value with its level and pattern.
    init(stored value: ODataValue) {
        self = .library
        guard case .object(let members) = value else { return }
        for member in members {
            guard let parts = member.value.items, let first = parts.first,
                let level = parts.dropFirst().first?.stringValue.flatMap(PolicyLevel.init)
            else { continue }
            let policy = ResourcePolicy(stored: .object([(member.name, first)]))
            apply(policy, from: level, pattern: parts.dropFirst(2).first?.stringValue)
        }
    }

    /// Each value with its level and pattern, as a JSON object.
    var stored: ODataValue {
        guard case .object(let values) = values.stored else { return .object([]) }
        return .object(
            values.map { member in
                let (level, pattern) = source(of: member.name)
                let parts = [member.value, .string(level.rawValue)]
                return (member.name, .collection(parts + (pattern.map { [.string($0)] } ?? [])))
            }
        )
    }

    private func source(of name: String) -> (PolicyLevel, String?) {
        func pair<Value>(_ policy: ResolvedPolicy<Value>) -> (PolicyLevel, String?) {
            (policy.level, policy.pattern)
        }
        return switch name {
        case "fetchPolicy": pair(fetchPolicy)
        case "expirationPolicy": pair(expirationPolicy)
        case "expireAfter": pair(expireAfter)
        case "evictionPolicy": pair(evictionPolicy)
        case "updatePolicy": pair(updatePolicy)
        case "conflictResolutionPolicy": pair(conflictResolutionPolicy)
        default: pair(noCache)
        }
    }
}
