/// The value of a `Prefer` or `Preference-Applied` field (RFC 7240, OData 4.01 Part 1 § 8.2.8).
///
/// OData 4.0 writes its own preferences with the prefix `odata.`, 4.01 without; both are found.
public struct PreferHeader: Sendable, Equatable {
    /// One preference.
    public struct Preference: Sendable, Equatable {
        /// Name in small letters, as written otherwise.
        public var name: String
        /// Value without quotes; empty where there is none.
        public var value: String
        /// Parameters in order, written `;name=value`.
        public var parameters: [MediaType.Parameter]

        /// Creates a preference.
        public init(
            _ name: String,
            _ value: String = "",
            parameters: [MediaType.Parameter] = []
        ) {
            self.name = name.lowercased()
            self.value = value
            self.parameters = parameters
        }
    }

    /// What an answer holds.
    public enum Return: String, Sendable {
        /// The entity.
        case representation
        /// Nothing, where that can be.
        case minimal
    }

    /// The preferences in order.
    public var preferences: [Preference]

    /// Creates a list of preferences.
    public init(_ preferences: [Preference] = []) {
        self.preferences = preferences
    }

    /// Reads the value of a field; elements that cannot be read are passed over, as RFC 7240 § 2 wants.
    public init(_ text: String) {
        var scanner = HTTPFieldScanner(text)
        preferences = []
        while !scanner.isAtEnd {
            scanner.skipSpace()
            if let preference = Self.read(&scanner) { preferences.append(preference) }
            scanner.skipElement()
            _ = scanner.take(",")
        }
    }

    /// Reads all fields of that name.
    public init(_ headers: HTTPHeaders, field: String = "Prefer") {
        self.init(headers.values(of: field).joined(separator: ","))
    }

    /// Returns the first preference of a name, or else the first with the prefix `odata.` before it (OData 4.01 Part 1 § 8.2.8.5).
    public subscript(name: String) -> Preference? {
        let name = name.lowercased()
        return preferences.first { $0.name == name }
            ?? preferences.first { $0.name == "odata." + name }
    }

    // MARK: - The known ones

    /// What the answer to a change shall hold (OData 4.01 Part 1 § 8.2.8.7).
    public var returns: Return? {
        self["return"].flatMap { Return(rawValue: $0.value.lowercased()) }
    }

    /// Greatest number of entities in a page (OData 4.01 Part 1 § 8.2.8.5).
    public var maximumPageSize: Int? { positiveNumber("maxpagesize") }

    /// Whether changes shall be tracked (OData 4.01 Part 1 § 8.2.8.8).
    public var tracksChanges: Bool { self["track-changes"] != nil }

    /// Whether a batch goes on after an error; nil where nothing is said (OData 4.01 Part 1 § 8.2.8.3).
    public var continuesOnError: Bool? {
        self["continue-on-error"].map { $0.value.lowercased() != "false" }
    }

    /// Whether the service may answer later (OData 4.01 Part 1 § 8.2.8.9).
    public var respondsAsynchronously: Bool { self["respond-async"] != nil }

    /// Seconds that the client waits (OData 4.01 Part 1 § 8.2.8.10).
    public var waitSeconds: Int? { positiveNumber("wait") }

    /// Whether references may stand for entities (OData 4.01 Part 1 § 8.2.8.1).
    public var allowsEntityReferences: Bool { self["allow-entityreferences"] != nil }

    /// Which annotations shall come (OData 4.01 Part 1 § 8.2.8.4).
    public var includedAnnotations: String? { self["include-annotations"]?.value }

    /// `nulls` or `defaults`, where such values shall be left out (OData 4.01 Part 1 § 8.2.8.6).
    public var omittedValues: String? { self["omit-values"]?.value.lowercased() }

    private func positiveNumber(_ name: String) -> Int? {
        self[name].flatMap { Int($0.value) }.flatMap { $0 > 0 ? $0 : nil }
    }

    // MARK: - Reading

    private static func read(_ scanner: inout HTTPFieldScanner) -> Preference? {
        guard let (name, value) = readPair(&scanner) else { return nil }
        var preference = Preference(name, value)
        while scanner.take(";") {
            scanner.skipSpace()
            guard let (name, value) = readPair(&scanner) else { continue }
            preference.parameters.append(.init(name: name.lowercased(), value: value))
        }
        return preference
    }

    /// `name`, `name=token` or `name="text"`, with white space as RFC 7240 allows it.
    private static func readPair(_ scanner: inout HTTPFieldScanner) -> (String, String)? {
        guard let name = scanner.takeToken() else { return nil }
        scanner.skipSpace()
        guard scanner.take("=") else { return (name, "") }
        scanner.skipSpace()
        let value = scanner.takeQuotedString() ?? scanner.takeToken()
        scanner.skipSpace()
        return (name, value ?? "")
    }
}

extension PreferHeader: CustomStringConvertible {
    /// The preferences as they are written in a field.
    public var description: String {
        preferences.map { preference in
            preference.parameters.reduce(into: Self.pair(preference.name, value: preference.value))
            {
                $0 += ";" + Self.pair($1.name, value: $1.value)
            }
        }
        .joined(separator: ", ")
    }

    private static func pair(_ name: String, value: String) -> String {
        value.isEmpty ? name : "\(name)=" + HTTPFieldScanner.quotedWhereNeeded(value)
    }
}
