/// `syncExpress`: path templates of a plain REST service.
extension ConfigurationReader {
    /// Settings beside the services are those of every service that has none of its own.
    func apply(
        _ express: ExpressConfiguration,
        to backends: inout [BackendConfiguration],
        beside node: ConfigurationNode,
        line: Int?
    ) throws(PolicyConfigurationError) {
        for (index, item) in try named(node, at: "mobileBackends").enumerated()
        where backends[index].express == nil {
            guard try synchronization(of: item.value, item.name + "/") == nil else {
                throw PolicyConfigurationError(
                    "'\(item.name)' has synchronization settings; one of them and 'syncExpress' is configured for a service",
                    line: line,
                    path: "syncExpress"
                )
            }
            backends[index].express = express
        }
    }

    func refuseBoth(
        _ other: (key: String, node: ConfigurationNode)?,
        at path: String
    ) throws(PolicyConfigurationError) {
        guard let other else { return }
        throw PolicyConfigurationError(
            "one of 'synchronization' and 'syncExpress' is configured for a service, not both",
            line: other.node.line,
            path: path + other.key
        )
    }

    func express(
        _ node: ConfigurationNode,
        at path: String
    ) throws(PolicyConfigurationError) -> ExpressConfiguration {
        let members = try members(of: node, at: path)
        var templates: [RESTTemplate] = []
        var seen: Set<String> = []
        for (key, value) in members {
            let place = path + "/" + key
            try refuseTwice(key, at: value, seen: &seen, path: place)
            switch key {
            case "handler":
                guard value.word == ExpressConfiguration.oracleRestHandler else {
                    throw wrong(value, expected: ExpressConfiguration.oracleRestHandler, at: place)
                }
            case "policies": templates = try self.templates(value, at: place)
            default: throw unknown(key, at: value, path: path, names: ["handler", "policies"])
            }
        }
        guard !templates.isEmpty else {
            throw PolicyConfigurationError(
                "expected the path template of a resource in 'policies'",
                line: node.line,
                path: path
            )
        }
        return ExpressConfiguration(templates: templates)
    }

    private func templates(
        _ node: ConfigurationNode,
        at path: String
    ) throws(PolicyConfigurationError) -> [RESTTemplate] {
        guard case .list(let items) = node.value else {
            throw wrong(node, expected: "a list of objects with a path", at: path)
        }
        var templates: [RESTTemplate] = []
        for (index, item) in items.enumerated() {
            let place = "\(path)[\(index + 1)]"
            let members = try members(of: item, at: place, expected: "an object with a path")
            if let other = members.first(where: { $0.name != "path" }) {
                throw unknown(other.name, at: other.value, path: place, names: ["path"])
            }
            guard let text = item["path"]?.word else {
                throw PolicyConfigurationError(
                    "expected a path template in 'path'",
                    line: item.line,
                    path: place
                )
            }
            do {
                templates.append(try RESTTemplate(text))
            } catch {
                throw PolicyConfigurationError(
                    error.message,
                    line: item["path"]?.line,
                    path: place + "/path"
                )
            }
        }
        return templates
    }
}
