/// A setting with its value, in the order in which settings are written.
enum WrittenSetting {
    case word(String)
    case number(Int)
    case flag(Bool)

    /// The settings of a policy that are set.
    static func settings(of policy: ResourcePolicy) -> [(name: String, value: WrittenSetting)] {
        let settings: [(name: String, value: WrittenSetting?)] = [
            ("fetchPolicy", policy.fetchPolicy.map { .word($0.rawValue) }),
            ("expirationPolicy", policy.expirationPolicy.map { .word($0.rawValue) }),
            ("expireAfter", policy.expireAfter.map { .number($0) }),
            ("evictionPolicy", policy.evictionPolicy.map { .word($0.rawValue) }),
            ("updatePolicy", policy.updatePolicy.map { .word($0.rawValue) }),
            (
                "conflictResolutionPolicy",
                policy.conflictResolutionPolicy.map { .word($0.rawValue) }
            ),
            ("noCache", policy.noCache.map { .flag($0) }),
        ]
        return settings.compactMap { name, value in value.map { (name, $0) } }
    }

    /// The settings of a service besides its policies.
    static func settings(of backend: BackendConfiguration) -> [(
        name: String, value: WrittenSetting
    )] {
        [
            ("maxStoreSize", .number(backend.maxStoreSize)),
            ("periodicRefreshPolicy", .word(backend.periodicRefreshPolicy.rawValue)),
            ("periodicRefreshInterval", .number(backend.periodicRefreshInterval)),
        ] + (backend.purgesOnStartup ? [("purgeOnStartup", .flag(true))] : [])
            + (backend.usesStandardCacheHeaders ? [("usesStandardCacheHeaders", .flag(true))] : [])
    }

    /// The value as text.
    var text: String {
        switch self {
        case .word(let text): text
        case .number(let number): "\(number)"
        case .flag(let flag): flag ? "true" : "false"
        }
    }
}
