/// Something that a check found wrong; never a value of the data, but for keys.
public struct OfflineODataDifference: Sendable, Hashable, Codable {
    /// What is wrong.
    public struct Kind: RawRepresentable, Sendable, Hashable, Codable {
        /// The kind's name.
        public let rawValue: String

        /// Creates a kind from its name.
        public init(rawValue: String) { self.rawValue = rawValue }

        /// The store's file is damaged.
        public static let file = Kind(rawValue: "file")
        /// The service has the entity, the store has not.
        public static let missing = Kind(rawValue: "missing")
        /// The store has the entity, the service has not.
        public static let extra = Kind(rawValue: "extra")
        /// Properties differ.
        public static let different = Kind(rawValue: "different")
        /// A navigation property leads elsewhere.
        public static let link = Kind(rawValue: "link")
        /// A stream has another content.
        public static let stream = Kind(rawValue: "stream")
    }

    /// What is wrong.
    public let kind: Kind
    /// The entity's URL, relative to the service root; nil where it is about the file.
    public let url: String?
    /// The properties that differ.
    public let properties: [String]
    /// What SQLite says about a damaged file.
    public let message: String?

    init(file message: String) {
        (kind, url, properties, self.message) = (.file, nil, [], message)
    }

    package init(_ url: String, kind: Kind, properties: [String] = []) {
        (self.kind, self.url, self.properties, message) = (kind, url, properties, nil)
    }
}
