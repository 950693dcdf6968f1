/// A media type with its parameters, such as `application/json;odata.metadata=minimal` (RFC 9110 § 8.3.1).
///
/// Types, parameter names and, as OData 4.01 JSON § 3 has it, parameter values do not depend on case.
public struct MediaType: Sendable, Equatable {
    /// One parameter.
    public struct Parameter: Sendable, Equatable {
        /// Name in small letters.
        public var name: String
        /// Value without quotes.
        public var value: String

        /// Creates a parameter.
        public init(name: String, value: String) {
            self.name = name
            self.value = value
        }
    }

    /// First half in small letters; `*` in a range.
    public var type: String
    /// Second half in small letters; `*` in a range.
    public var subtype: String
    /// Parameters in order, without a quality.
    public var parameters: [Parameter]

    /// Creates a media type.
    public init(type: String, subtype: String, parameters: [Parameter] = []) {
        self.type = type.lowercased()
        self.subtype = subtype.lowercased()
        self.parameters = parameters
    }

    /// Reads the value of a `Content-Type` field; nil where it is no media type.
    public init?(_ text: String) {
        var scanner = HTTPFieldScanner(text)
        scanner.skipSpace()
        guard let (type, _) = Self.read(&scanner, endsAtComma: false), scanner.isAtEnd else {
            return nil
        }
        self = type
    }

    /// `application/json`.
    public static let json = MediaType(type: "application", subtype: "json")

    /// Whether type and subtype are these.
    public func isType(_ name: String) -> Bool {
        "\(type)/\(subtype)" == name
    }

    /// Returns the value of a parameter, whose name is given in small letters.
    public subscript(parameter name: String) -> String? {
        parameters.first { $0.name == name }?.value
    }

    /// Returns the value of a parameter of OData's, which 4.01 writes without the prefix `odata.`.
    public func odataParameter(_ name: String) -> String? {
        self[parameter: name] ?? self[parameter: "odata." + name]
    }

    // MARK: - Reading

    /// Reads a type and its parameters; a parameter `q` is taken out (RFC 9110 § 12.4.2).
    static func read(
        _ scanner: inout HTTPFieldScanner,
        endsAtComma: Bool
    ) -> (MediaType, quality: String?)? {
        guard let type = scanner.takeToken(), scanner.take("/"), let subtype = scanner.takeToken()
        else { return nil }
        var media = MediaType(type: type, subtype: subtype)
        var quality: String?
        scanner.skipSpace()
        while scanner.take(";") {
            scanner.skipSpace()
            guard let name = scanner.takeToken() else { continue }
            guard let value = readValue(&scanner, endsAtComma: endsAtComma) else { return nil }
            if endsAtComma, name.lowercased() == "q" {
                quality = value
            } else {
                media.parameters.append(Parameter(name: name.lowercased(), value: value))
            }
            scanner.skipSpace()
        }
        return (media, quality)
    }

    /// Some services do not quote boundaries that need it, so a bare value goes up to the next separator.
    private static func readValue(
        _ scanner: inout HTTPFieldScanner,
        endsAtComma: Bool
    ) -> String? {
        guard scanner.take("=") else { return nil }
        if let quoted = scanner.takeQuotedString() { return quoted }
        return scanner.take { byte in
            byte > 0x20 && byte != 0x3B && byte != 0x22 && !(endsAtComma && byte == 0x2C)
        } ?? ""
    }
}

extension MediaType: CustomStringConvertible {
    /// The type as it is written in a field.
    public var description: String {
        parameters.reduce(into: "\(type)/\(subtype)") { text, parameter in
            text += ";\(parameter.name)=" + HTTPFieldScanner.quotedWhereNeeded(parameter.value)
        }
    }
}
