import ODataProtocol

extension JSONConfiguration {
    static func text(of configuration: PolicyConfiguration) -> [UInt8] {
        var writer = JSONWriter()
        writer.beginObject()
        if let only = configuration.unnamed {
            writer.name("synchronization")
            write(only, to: &writer)
            writer.endObject()
            return writer.bytes
        }
        writer.name("mobileBackends")
        writer.beginObject()
        for backend in configuration.backends {
            writer.name(backend.name)
            writer.beginObject()
            if backend.isDefault {
                writer.name("default")
                writer.boolean(true)
            }
            writer.name("synchronization")
            write(backend, to: &writer)
            writer.endObject()
        }
        writer.endObject()
        writer.endObject()
        return writer.bytes
    }

    private static func write(_ backend: BackendConfiguration, to writer: inout JSONWriter) {
        writer.beginObject()
        write(WrittenSetting.settings(of: backend), to: &writer)
        writer.name("policies")
        writer.beginArray()
        for entry in backend.policies {
            writer.beginObject()
            write([("path", .word(entry.pattern.text))], to: &writer)
            write(WrittenSetting.settings(of: entry.policy), to: &writer)
            writer.endObject()
        }
        writer.endArray()
        writer.name("defaultPolicy")
        writer.beginObject()
        write(WrittenSetting.settings(of: backend.defaultPolicy), to: &writer)
        writer.endObject()
        writer.endObject()
    }

    private static func write(
        _ settings: [(name: String, value: WrittenSetting)],
        to writer: inout JSONWriter
    ) {
        for (name, value) in settings {
            writer.name(name)
            switch value {
            case .word(let text): writer.string(text)
            case .number(let number): writer.integer(Int64(number))
            case .flag(let flag): writer.boolean(flag)
            }
        }
    }
}
