import ODataText

extension XMLConfiguration {
    static func text(of configuration: PolicyConfiguration) -> [UInt8] {
        let backends = configuration.backends.map { backend in
            let parts = backend.name.split(separator: "/", maxSplits: 1)
            var lines = [element("mbeName", text: parts.first.map(String.init) ?? "service")]
            if parts.count > 1 { lines.append(element("mbeVersion", text: String(parts[1]))) }
            if backend.isDefault { lines.append(element("default", text: "true")) }
            lines.append(settings(of: backend))
            return group("mobileBackend", children: lines)
        }
        let root =
            configuration.unnamed.map { settings(of: $0) }
            ?? group("mobileBackends", children: backends)
        let text = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n" + root
        return Array((text + "\n").utf8)
    }

    private static func settings(of backend: BackendConfiguration) -> String {
        guard let express = backend.express else {
            return group("synchronization", children: synchronization(of: backend))
        }
        let entries = express.templates.map {
            group("policy", children: [element("path", text: $0.text)])
        }
        return group(
            "syncExpress",
            children: [
                element("handler", text: express.handler), group("policies", children: entries),
            ]
        )
    }

    private static func synchronization(of backend: BackendConfiguration) -> [String] {
        let entries = backend.policies.map { entry in
            group(
                "policy",
                children: [element("path", text: entry.pattern.text)] + elements(of: entry.policy)
            )
        }
        return WrittenSetting.settings(of: backend).map { element($0.name, text: $0.value.text) }
            + [
                group("policies", children: entries),
                group("defaultPolicy", children: elements(of: backend.defaultPolicy)),
            ]
    }

    private static func elements(of policy: ResourcePolicy) -> [String] {
        WrittenSetting.settings(of: policy).map { element($0.name, text: $0.value.text) }
    }

    private static func group(_ name: String, children: [String]) -> String {
        let lines = children.flatMap { $0.split(separator: "\n") }.map { "  " + $0 }
        return (["<\(name)>"] + lines + ["</\(name)>"]).joined(separator: "\n")
    }

    private static func element(_ name: String, text: String) -> String {
        "<\(name)>\(XMLText.escaped(text))</\(name)>"
    }
}
