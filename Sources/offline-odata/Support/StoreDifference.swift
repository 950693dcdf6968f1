import ODataProtocol

/// Something in which a store differs from its service; never a value, but for keys.
struct StoreDifference: Sendable, Equatable {
    /// How it differs.
    enum Kind: String, Sendable {
        /// The service has the entity, the store does not.
        case missing
        /// The store has the entity, the service does not.
        case extra
        /// Properties have other values.
        case different
        /// A navigation property leads elsewhere.
        case link
        /// A stream has another content.
        case stream
    }

    /// The entity, relative to the service root.
    var url: String
    var kind: Kind
    /// Names of the properties that differ; empty where the entity as a whole does.
    var properties: [String]

    init(_ url: String, _ kind: Kind, _ properties: [String] = []) {
        (self.url, self.kind, self.properties) = (url, kind, properties)
    }

    /// One line for people.
    var line: String {
        let names = properties.joined(separator: ", ")
        return switch kind {
        case .missing: "\(url): the store does not have it"
        case .extra: "\(url): the service does not have it"
        case .different: "\(url): \(names)"
        case .link: "\(url): links of \(names)"
        case .stream: "\(url): stream \(names)"
        }
    }

    /// The result of a check as JSON; its members are a promise to scripts.
    static func json(
        isSound: Bool,
        _ differences: [StoreDifference],
        faults: [String] = []
    ) -> [UInt8] {
        var writer = JSONWriter()
        writer.beginObject()
        writer.name("sound")
        writer.boolean(isSound)
        writer.name("differences")
        writer.beginArray()
        for difference in differences {
            writer.beginObject()
            writer.member("url", difference.url)
            writer.member("kind", difference.kind.rawValue)
            writer.name("properties")
            writer.strings(difference.properties)
            writer.endObject()
        }
        writer.endArray()
        writer.name("faults")
        writer.strings(faults)
        writer.endObject()
        return writer.bytes
    }
}

extension JSONWriter {
    fileprivate mutating func strings(_ texts: [String]) {
        beginArray()
        for text in texts { string(text) }
        endArray()
    }
}
