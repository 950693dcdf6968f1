#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

extension PropertyListConfiguration {
    static func text(of configuration: PolicyConfiguration) -> [UInt8] {
        let encoder = PropertyListEncoder()
        encoder.outputFormat = .xml
        guard let data = try? encoder.encode(root(of: configuration)) else {
            preconditionFailure("words, numbers and flags are a property list")
        }
        return Array(data)
    }

    private static func root(of configuration: PolicyConfiguration) -> PropertyListNode {
        if let only = configuration.unnamed {
            return .object([name(of: only): settings(of: only)])
        }
        var backends: [String: PropertyListNode] = [:]
        for backend in configuration.backends {
            var entry = [name(of: backend): settings(of: backend)]
            if backend.isDefault { entry["default"] = .flag(true) }
            backends[backend.name] = .object(entry)
        }
        return .object(["mobileBackends": .object(backends)])
    }

    private static func name(of backend: BackendConfiguration) -> String {
        backend.express == nil ? "synchronization" : "syncExpress"
    }

    private static func settings(of backend: BackendConfiguration) -> PropertyListNode {
        if let express = backend.express {
            return .object([
                "handler": .text(express.handler),
                "policies": .list(express.templates.map { .object(["path": .text($0.text)]) }),
            ])
        }
        var settings = dictionary(WrittenSetting.settings(of: backend))
        settings["policies"] = .list(
            backend.policies.map { entry in
                let path: [(name: String, value: WrittenSetting)] = [
                    ("path", .word(entry.pattern.text))
                ]
                return .object(dictionary(path + WrittenSetting.settings(of: entry.policy)))
            }
        )
        settings["defaultPolicy"] = .object(
            dictionary(WrittenSetting.settings(of: backend.defaultPolicy))
        )
        return .object(settings)
    }

    private static func dictionary(_ settings: [(name: String, value: WrittenSetting)])
        -> [String: PropertyListNode]
    {
        Dictionary(settings.map { ($0.name, $0.value.node) }) { $1 }
    }
}

extension WrittenSetting {
    /// The value in a property list.
    fileprivate var node: PropertyListNode {
        switch self {
        case .word(let text): .text(text)
        case .number(let number): .number(number)
        case .flag(let flag): .flag(flag)
        }
    }
}
