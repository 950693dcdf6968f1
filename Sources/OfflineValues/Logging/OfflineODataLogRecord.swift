import ODataText

#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

/// Something that the engine did, with what is to be known about it.
public struct OfflineODataLogRecord: Sendable {
    /// A value of a field.
    public enum Value: Sendable, Equatable {
        /// A word of the engine or of the model, or a name that the application gave.
        case text(String)
        /// A count, an id of a request, a status.
        case integer(Int64)
        /// Milliseconds.
        case milliseconds(Double)
    }

    /// When it happened.
    public let time: Date
    /// How much it matters.
    public let level: OfflineODataLogLevel
    /// What happened: `download.begin`, `request.retry`, `conflict` and others.
    public let event: String
    /// What is to be known about it, by name; the same event has the same names.
    public let fields: [(name: String, value: Value)]

    /// The value of a field; nil where the record has none of that name.
    public subscript(name: String) -> Value? { fields.first { $0.name == name }?.value }
}

extension OfflineODataLogRecord.Value {
    /// A URL without what data may stand in: the name of its first segment, the segments of the standard behind it, and the names of
    /// the standard's query options.
    ///
    /// `Orders(17)/Items?$filter=Name eq 'x'` becomes `Orders(…)/…?$filter`, since any other segment may be a key.
    public static func url(_ relative: String) -> Self {
        var parts = URLParts(relative)
        let segments = parts.path.split(separator: "/").enumerated().map { place, text in
            let name = Self.name(text)
            if place > 0 { return text.hasPrefix("$") ? name : "…" }
            return name.count == text.count ? name : name + "(…)"
        }
        parts.path = segments.joined(separator: "/")
        parts.options = parts.options.map { $0.hasPrefix("$") ? Self.name($0[...]) : "…" }
        return .text(parts.url)
    }

    /// The characters of a name that a text begins with.
    private static func name(_ text: Substring) -> String {
        String(text.prefix { $0.isLetter || $0.isNumber || "$_.".contains($0) })
    }
}
