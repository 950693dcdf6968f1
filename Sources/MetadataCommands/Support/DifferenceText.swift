import CommandSupport
import ODataProtocol
public import OfflineOData

/// Differences between a store and its service, for people and for scripts.
public enum DifferenceText: Sendable {
    /// One line for people.
    public static func line(_ difference: OfflineODataDifference) -> String {
        let url = difference.url ?? ""
        let names = difference.properties.joined(separator: ", ")
        return switch difference.kind {
        case .missing: "\(url): the store does not have it"
        case .extra: "\(url): the service's answers to the queries do not have it"
        case .link: "\(url): links of \(names)"
        case .stream: "\(url): stream \(names)"
        default: "\(url): \(names)"
        }
    }

    /// The result of a check as JSON; its members are a promise to scripts.
    ///
    /// - Parameter comparison: How many entities were compared and passed over; nil where the service was not asked.
    public static func json(
        isSound: Bool,
        comparison: OfflineODataComparison?,
        faults: [String] = [],
        time: Duration
    ) -> [UInt8] {
        var writer = JSONWriter()
        writer.beginObject()
        writer.name("sound")
        writer.boolean(isSound)
        writer.name("differences")
        writer.beginArray()
        for difference in comparison?.differences ?? [] {
            writer.beginObject()
            writer.member("url", value: difference.url ?? "")
            writer.member("kind", value: difference.kind.rawValue)
            writer.name("properties")
            writer.strings(difference.properties)
            writer.endObject()
        }
        writer.endArray()
        writer.name("faults")
        writer.strings(faults)
        if let comparison {
            writer.member("compared", value: comparison.comparedCount)
            writer.member("passedOver", value: comparison.passedOverCount)
        }
        writer.member("seconds", seconds: time)
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
