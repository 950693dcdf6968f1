/// Reads the synchronization settings out of the tree of a file, whatever its format.
///
/// Unknown names are errors inside of `synchronization` only: the rest of these files belongs to other parts of an application.
struct ConfigurationReader {
    private(set) var warnings: [PolicyConfigurationWarning] = []

    /// Reads the whole document.
    mutating func read(_ root: ConfigurationNode) throws(PolicyConfigurationError)
        -> PolicyConfiguration
    {
        guard let members = root.members else {
            throw PolicyConfigurationError(
                "expected an object, found \(root.kind)",
                line: root.line
            )
        }
        try refuseMisspelt(in: root, names: Self.rootNames, at: "")
        let common = try synchronization(of: root, "")
        let express = try root["syncExpress"].map { node throws(PolicyConfigurationError) in
            try self.express(node, at: "syncExpress")
        }
        if express != nil { try refuseBoth(common, at: "") }
        if let backends = Self.backends(root) {
            var read = try readBackends(backends.node, at: backends.path)
            if let express {
                try apply(
                    express,
                    to: &read,
                    beside: backends.node,
                    line: root["syncExpress"]?.line
                )
            }
            if let common { try apply(common, to: &read, beside: backends.node) }
            if common == nil, express == nil {
                try warnOfServicesWithoutSettings(backends.node, at: backends.path)
            }
            return PolicyConfiguration(backends: read)
        }
        if let express {
            var backend = BackendConfiguration()
            backend.express = express
            return PolicyConfiguration(backends: [backend])
        }
        guard let common else {
            let found = members.map(\.name).joined(separator: ", ")
            throw PolicyConfigurationError(
                "expected 'mobileBackends', 'synchronization' or 'syncExpress', found "
                    + (found.isEmpty ? "nothing" : found),
                line: members.first?.value.line ?? root.line,
                path: members.first?.name ?? ""
            )
        }
        return PolicyConfiguration(backends: [
            try settingsOf(common.node, named: "", at: common.key)
        ])
    }

    // MARK: Services

    /// The services of a file, and where they stand: a list, or the only one.
    private static func backends(_ root: ConfigurationNode) -> (
        node: ConfigurationNode, path: String
    )? {
        if let list = root["mobileBackends"] { return (list, "mobileBackends") }
        guard let only = root["mobileBackend"] else { return nil }
        let value = ConfigurationNode.Value.object([(name: Self.name(of: only), value: only)])
        return (ConfigurationNode(value: value, line: only.line), "mobileBackend")
    }

    /// The name of a service with its version; empty where it has none.
    private static func name(of item: ConfigurationNode) -> String {
        let name = (item["mbeName"] ?? item["name"] ?? item["mobileBackendName"])?.word ?? ""
        let version = (item["mbeVersion"] ?? item["version"])?.word
        return name.isEmpty ? "" : name + (version.map { "/" + $0 } ?? "")
    }

    private mutating func readBackends(
        _ node: ConfigurationNode,
        at path: String
    ) throws(PolicyConfigurationError) -> [BackendConfiguration] {
        var backends: [BackendConfiguration] = []
        for (name, backend) in try named(node, at: path) {
            let place = name.isEmpty ? path : path + "/" + name
            guard backend.members != nil else {
                throw wrong(backend, expected: "an object", at: place)
            }
            try refuseMisspelt(in: backend, names: Self.serviceNames, at: place + "/")
            try refuseServiceNames(in: backend, place)
            try refuseTwiceNamed(backend, at: place)
            let own = try synchronization(of: backend, place + "/")
            var read =
                try own.map { own throws(PolicyConfigurationError) in
                    try settingsOf(own.node, named: name, at: place + "/" + own.key)
                } ?? BackendConfiguration(name: name)
            if let node = backend["syncExpress"] {
                try refuseBoth(own, at: place + "/")
                read.express = try express(node, at: place + "/syncExpress")
            }
            if let flag = backend["default"] {
                guard let isDefault = flag.boolean else {
                    throw wrong(flag, expected: "true or false", at: place + "/default")
                }
                read.isDefault = isDefault
            }
            guard !backends.contains(where: { $0.name == name }) else {
                throw PolicyConfigurationError(
                    "the service is configured twice",
                    line: backend.line,
                    path: place
                )
            }
            backends.append(read)
        }
        guard !backends.isEmpty else {
            throw PolicyConfigurationError(
                "expected at least one service",
                line: node.line,
                path: path
            )
        }
        return backends
    }

    private mutating func warnOfServicesWithoutSettings(
        _ node: ConfigurationNode,
        at path: String
    ) throws(PolicyConfigurationError) {
        for (name, service) in try named(node, at: path) where service["syncExpress"] == nil {
            let place = name.isEmpty ? path : path + "/" + name
            guard try synchronization(of: service, place + "/") == nil else { continue }
            warn(
                "the service has no 'synchronization': the defaults are in force",
                at: service,
                path: place
            )
        }
    }

    /// The services by name: members of an object, or items that carry name and version as the XML format has them.
    func named(
        _ node: ConfigurationNode,
        at path: String
    ) throws(PolicyConfigurationError) -> [(name: String, value: ConfigurationNode)] {
        guard case .list(let items) = node.value else {
            guard let members = node.members else {
                throw wrong(node, expected: "an object", at: path)
            }
            return members
        }
        var found: [(name: String, value: ConfigurationNode)] = []
        for (index, item) in items.enumerated() {
            let place = "\(path)/mobileBackend[\(index + 1)]"
            let name = Self.name(of: item)
            guard !name.isEmpty else {
                throw PolicyConfigurationError(
                    "expected the name of the service in 'mbeName'",
                    line: item.line,
                    path: place
                )
            }
            found.append((name, item))
        }
        return found
    }

    /// Synchronization settings beside the services are those of every service that has none of its own.
    private mutating func apply(
        _ common: (key: String, node: ConfigurationNode),
        to backends: inout [BackendConfiguration],
        beside node: ConfigurationNode
    ) throws(PolicyConfigurationError) {
        let settings = try settingsOf(common.node, named: "", at: common.key)
        for (index, item) in try named(node, at: "mobileBackends").enumerated()
        where backends[index].express == nil {
            guard try synchronization(of: item.value, item.name + "/") == nil else { continue }
            let (name, isDefault) = (backends[index].name, backends[index].isDefault)
            backends[index] = settings
            (backends[index].name, backends[index].isDefault) = (name, isDefault)
        }
    }

    /// The synchronization settings of a service or of a whole file, under the name that they have there; nil where there are none.
    func synchronization(
        of node: ConfigurationNode,
        _ path: String
    ) throws(PolicyConfigurationError) -> (key: String, node: ConfigurationNode)? {
        guard let short = node["sync"] else {
            return node["synchronization"].map { ("synchronization", $0) }
        }
        guard node["synchronization"] == nil else {
            throw PolicyConfigurationError(
                "'sync' and 'synchronization' are one setting; write one of them",
                line: short.line,
                path: path + "sync"
            )
        }
        return ("sync", short)
    }

    // MARK: Settings of a service

    private mutating func settingsOf(
        _ node: ConfigurationNode,
        named name: String,
        at path: String
    ) throws(PolicyConfigurationError) -> BackendConfiguration {
        let members = try members(of: node, at: path)
        var settings = BackendConfiguration(name: name)
        var seen: Set<String> = []
        for (key, value) in members {
            let place = path + "/" + key
            try refuseTwice(key, at: value, seen: &seen, path: place)
            switch key {
            case "maxStoreSize": settings.maxStoreSize = try number(value, atLeast: 0, at: place)
            case "periodicRefreshPolicy":
                settings.periodicRefreshPolicy = try self.value(value, at: place)
            case "periodicRefreshInterval":
                settings.periodicRefreshInterval = try number(value, atLeast: 1, at: place)
            case "purgeOnStartup":
                settings.purgesOnStartup = try flag(value, at: place)
            case "usesStandardCacheHeaders":
                settings.usesStandardCacheHeaders = try flag(value, at: place)
            case "policies": settings.policies = try policies(value, at: place)
            case "defaultPolicy": settings.defaultPolicy = try policy(value, at: place)
            default:
                throw unknown(
                    key,
                    at: value,
                    path: path,
                    names: [
                        "maxStoreSize", "periodicRefreshPolicy", "periodicRefreshInterval",
                        "purgeOnStartup", "usesStandardCacheHeaders", "policies", "defaultPolicy",
                    ]
                )
            }
        }
        return settings
    }

    private mutating func policies(
        _ node: ConfigurationNode,
        at path: String
    ) throws(PolicyConfigurationError) -> [PathPolicy] {
        let items: [ConfigurationNode]
        if case .list(let list) = node.value {
            items = list
            try refuseExcess(node, at: path)
        } else if node.members?.isEmpty == true {
            items = []
        } else {
            throw wrong(node, expected: "a list of policies", at: path)
        }
        var entries: [PathPolicy] = []
        for (index, item) in items.enumerated() {
            let place = "\(path)[\(index + 1)]"
            let entry = try PathPolicy(
                pattern: pattern(item, at: place),
                policy: policy(item, at: place, isEntry: true)
            )
            guard !entries.contains(where: { $0.pattern.isSame(as: entry.pattern) }) else {
                throw PolicyConfigurationError(
                    "the path '\(entry.pattern.text)' has a policy already",
                    line: item["path"]?.line ?? item.line,
                    path: place + "/path"
                )
            }
            entries.append(entry)
        }
        return entries
    }

    private func pattern(
        _ item: ConfigurationNode,
        at path: String
    ) throws(PolicyConfigurationError) -> PathPattern {
        _ = try members(of: item, at: path, expected: "an object with a path")
        guard let node = item["path"] else {
            throw PolicyConfigurationError(
                "expected the path of a resource in 'path'",
                line: item.line,
                path: path
            )
        }
        try refuseExcess(node, at: path + "/path")
        guard let text = node.word, let pattern = PathPattern(text) else {
            throw wrong(
                node,
                expected:
                    "a path below the service root such as 'incidents', 'incidents/*' or 'incidents/**', with wildcards at its end only and without query options",
                at: path + "/path"
            )
        }
        return pattern
    }

    // MARK: One policy

    private mutating func policy(
        _ node: ConfigurationNode,
        at path: String,
        isEntry: Bool = false
    ) throws(PolicyConfigurationError) -> ResourcePolicy {
        let members = try members(of: node, at: path)
        var policy = ResourcePolicy()
        var seen: Set<String> = []
        for (key, value) in members {
            let place = path + "/" + key
            try refuseTwice(key, at: value, seen: &seen, path: place)
            switch key {
            case "path" where isEntry: break
            case "fetchPolicy": policy.fetchPolicy = try self.value(value, at: place)
            case "expirationPolicy": policy.expirationPolicy = try self.value(value, at: place)
            case "expireAfter": policy.expireAfter = try number(value, atLeast: 0, at: place)
            case "evictionPolicy": policy.evictionPolicy = try self.value(value, at: place)
            case "updatePolicy" where value.isLibraryDefault:
                // At a path it comes before what the service's default policy says.
                if isEntry { policy.updatePolicy = EffectivePolicy.library.updatePolicy.value }
            case "updatePolicy": policy.updatePolicy = try self.value(value, at: place)
            case "conflictResolutionPolicy":
                policy.conflictResolutionPolicy = try self.value(value, at: place)
            case "noCache": policy.noCache = try flag(value, at: place)
            default:
                throw unknown(
                    key,
                    at: value,
                    path: path,
                    names: Self.policyNames + (isEntry ? ["path"] : [])
                )
            }
        }
        if let node = node["expireAfter"], policy.expirationPolicy != .after {
            warn("expireAfter counts with expirationPolicy EXPIRE_AFTER only", at: node, path: path)
        }
        return policy
    }

    private static let policyNames = [
        "fetchPolicy", "expirationPolicy", "expireAfter", "evictionPolicy", "updatePolicy",
        "conflictResolutionPolicy", "noCache",
    ]

    // MARK: Values

    /// A value of a policy by its name in files; constants of code and known misspellings are read with a warning.
    private mutating func value<Policy: RawRepresentable & CaseIterable>(
        _ node: ConfigurationNode,
        at path: String
    ) throws(PolicyConfigurationError) -> Policy where Policy.RawValue == String {
        try refuseExcess(node, at: path)
        let names = Policy.allCases.map(\.rawValue)
        let setting = path.split(separator: "/").last.map(String.init) ?? ""
        guard let word = node.word else {
            throw wrong(node, expected: "one of " + names.joined(separator: ", "), at: path)
        }
        if let value = Policy(rawValue: word) { return value }
        for name in names where PolicySpelling.isVariant(word, of: name, setting: setting) {
            guard let value = Policy(rawValue: name) else { continue }
            warn("'\(word)' is read as \(name); write \(name)", at: node, path: path)
            return value
        }
        throw wrong(node, expected: "one of " + names.joined(separator: ", "), at: path)
    }

    private func flag(
        _ node: ConfigurationNode,
        at path: String
    ) throws(PolicyConfigurationError) -> Bool {
        try refuseExcess(node, at: path)
        guard let flag = node.boolean else {
            throw wrong(node, expected: "true or false", at: path)
        }
        return flag
    }

    private func number(
        _ node: ConfigurationNode,
        atLeast least: Int,
        at path: String
    ) throws(PolicyConfigurationError) -> Int {
        try refuseExcess(node, at: path)
        guard let number = node.integer, number >= least else {
            throw wrong(node, expected: "a whole number of at least \(least)", at: path)
        }
        return number
    }

    private mutating func warn(_ message: String, at node: ConfigurationNode, path: String) {
        warnings.append(
            PolicyConfigurationWarning(message: message, line: node.line, path: path)
        )
    }
}
