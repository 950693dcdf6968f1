import OfflinePolicies

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// A file in a string property: its bytes as text until the change is synchronised, after which the service has a URL in its place.
///
///     Content-Type: image/png
///     Content-Disposition: attachment; filename=goat.png
///     Content-Transfer-Encoding: base64
///
///     iVBORw0KGgo…
public struct BinaryText: Sendable, Hashable {
    /// The content of the file.
    public var bytes: [UInt8]
    /// Name of the file.
    public var name: String
    /// Media type of the file.
    public var contentType: String

    /// Creates a file.
    public init(bytes: [UInt8], name: String, contentType: String) {
        (self.bytes, self.name, self.contentType) = (bytes, name, contentType)
    }

    /// Reads the value of a property; nil where it is no file's content, such as a URL.
    public init?(_ text: String) {
        let text = text.replacing("\r\n", with: "\n")
        guard let gap = text.firstRange(of: "\n\n") else { return nil }
        var fields: [String: String] = [:]
        for line in text[..<gap.lowerBound].split(separator: "\n") {
            let pair = line.split(separator: ":", maxSplits: 1).map { String($0).withoutOuterSpace }
            guard pair.count == 2 else { return nil }
            fields[pair[0].lowercased()] = pair[1]
        }
        let content = text[gap.upperBound...].filter { !$0.isWhitespace }
        guard fields["content-transfer-encoding"]?.lowercased() == "base64",
            let data = Data(base64Encoded: content)
        else { return nil }
        bytes = Array(data)
        contentType = fields["content-type"] ?? "application/octet-stream"
        name =
            fields["content-disposition"]?.split(separator: "filename=").last.map(String.init) ?? ""
    }

    /// The value for the property.
    public var text: String {
        """
        Content-Type: \(Self.line(contentType))
        Content-Disposition: attachment; filename=\(Self.line(name))
        Content-Transfer-Encoding: base64

        \(Data(bytes).base64EncodedString())
        """
    }

    /// A name cannot begin a line of its own.
    private static func line(_ text: String) -> String {
        String(text.map { $0.isNewline ? " " : $0 })
    }

    /// Whether the value of a property is the URL that the service gave the file (`stringContainsURL`).
    public static func containsURL(_ text: String) -> Bool {
        let start = text.prefix { $0 != ":" }.lowercased()
        return ["http", "https"].contains(start) && text.dropFirst(start.count).hasPrefix("://")
            && !text.contains(where: \.isWhitespace)
    }
}
