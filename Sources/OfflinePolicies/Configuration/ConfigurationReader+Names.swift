import ODataText
import ODataValues

/// Names that belong to synchronization, in places where others are let pass since they belong to other parts of an application.
extension ConfigurationReader {
    /// What a file may have of synchronization beside its services.
    static let rootNames = [
        "mobileBackends", "mobileBackend", "synchronization", "sync", "syncExpress",
    ]
    /// What a service may have of it.
    static let serviceNames = settingsNames + ["default"]
    private static let settingsNames = ["synchronization", "sync", "syncExpress"]

    /// Refuses names that were meant to be one of these: passed over, they would leave an application without its policies.
    func refuseMisspelt(
        in node: ConfigurationNode,
        names: [String],
        at path: String
    ) throws(PolicyConfigurationError) {
        for (name, value) in node.members ?? [] where !names.contains(name) {
            guard let meant = Self.meant(by: name, among: names) else { continue }
            throw PolicyConfigurationError(
                "'\(name)' is unknown; did you mean '\(meant)'?",
                line: value.line,
                path: path + name
            )
        }
    }

    /// Refuses a service in the place of a service's settings: below `mobileBackend` stands the only one, without its name.
    func refuseServiceNames(
        in node: ConfigurationNode,
        _ path: String
    ) throws(PolicyConfigurationError) {
        for (name, value) in node.members ?? []
        where !Self.serviceNames.contains(name) && Self.hasSettings(value) {
            throw PolicyConfigurationError(
                "'\(name)' has the settings of a service; services stand by their names in 'mobileBackends'",
                line: value.line,
                path: path + "/" + name
            )
        }
    }

    private static func hasSettings(_ node: ConfigurationNode) -> Bool {
        settingsNames.contains { node[$0]?.members != nil }
    }

    /// Refuses what a service says twice of its name or its synchronization.
    func refuseTwiceNamed(
        _ node: ConfigurationNode,
        at path: String
    ) throws(PolicyConfigurationError) {
        var seen: Set<String> = []
        let known = Self.serviceNames + ["mbeName", "mbeVersion"]
        for (name, value) in node.members ?? [] where known.contains(name) {
            try refuseTwice(name, at: value, seen: &seen, path: path + "/" + name)
        }
    }

    private static func meant(by name: String, among names: [String]) -> String? {
        let small = name.lowercased()
        if let same = names.first(where: { $0.lowercased() == small }) { return same }
        let long = names.filter { $0.hasPrefix("sync") && $0.count > "sync".count }
        return NearestName.of(name, among: long.filter { abs($0.count - name.count) < 3 })
    }
}
