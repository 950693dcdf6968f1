import ODataValues

extension JSONConfiguration {
    static func text(of configuration: PolicyConfiguration) -> [UInt8] {
        var writer = JSONWriter()
        writer.beginObject()
        if let only = configuration.unnamed {
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
            write(backend, to: &writer)
            writer.endObject()
        }
        writer.endObject()
        writer.endObject()
        return writer.bytes
    }

    private static func write(_ express: ExpressConfiguration, to writer: inout JSONWriter) {
        writer.name("syncExpress")
        writer.beginObject()
        write([("handler", .word(express.handler))], to: &writer)
        writer.name("policies")
        writer.beginArray()
        for template in express.templates {
            writer.beginObject()
            write([("path", .word(template.text))], to: &writer)
            writer.endObject()
        }
        writer.endArray()
        writer.endObject()
    }

    /// Writes the settings with their name.
    private static func write(_ backend: BackendConfiguration, to writer: inout JSONWriter) {
        if let express = backend.express { return write(express, to: &writer) }
        writer.name("synchronization")
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
