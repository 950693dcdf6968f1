import CommandSupport
import OfflineResources
import ODataProtocol

/// Policies as a person writes them: `NAME=VALUE`, names and values as in configuration files.
enum PolicySettings {
    /// Reads settings.
    ///
    /// - Throws: ``CommandFailure`` (invalid) that says which names and values there are.
    static func read(_ settings: [String]) throws(CommandFailure) -> ResourcePolicy {
        var writer = JSONWriter()
        var names: Set<Substring> = []
        writer.beginObject()
        for setting in settings {
            guard let equals = setting.firstIndex(of: "="), equals != setting.startIndex else {
                throw .usage(
                    "a policy is written NAME=VALUE, e.g. fetchPolicy=FETCH_FROM_CACHE, not '\(setting)'"
                )
            }
            let name = setting[..<equals]
            guard names.insert(name).inserted else {
                throw .usage("\(name) is given twice; give it once")
            }
            writer.name(String(name))
            write(String(setting[setting.index(after: equals)...]), to: &writer)
        }
        writer.endObject()
        let policy = String(decoding: writer.bytes, as: UTF8.self)
        let file = "{\"synchronization\":{\"defaultPolicy\":\(policy)}}"
        do {
            return try PolicyConfiguration(reading: Array(file.utf8)).backend().defaultPolicy
        } catch {
            let name = error.path.split(separator: "/").last.map { "\($0): " } ?? ""
            throw .usage("the policy is refused: \(name)\(error.message)")
        }
    }

    private static func write(_ value: String, to writer: inout JSONWriter) {
        if let number = Int64(value) { return writer.integer(number) }
        switch value {
        case "true": writer.boolean(true)
        case "false": writer.boolean(false)
        default: writer.string(value)
        }
    }
}
