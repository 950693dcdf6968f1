/// Header fields in order; names are compared without case (RFC 9110 § 5.1).
public struct HTTPHeaders: Sendable, Hashable, Codable, ExpressibleByDictionaryLiteral {
    /// Name and value pairs as they came or will go.
    public private(set) var fields: [Field]

    /// One field.
    public struct Field: Sendable, Hashable, Codable {
        /// Name as written.
        public var name: String
        /// Value without surrounding white space.
        public var value: String

        /// Creates a field.
        public init(name: String, value: String) {
            self.name = name
            self.value = value
        }
    }

    /// Creates fields from pairs.
    public init(_ fields: [Field] = []) {
        self.fields = fields
    }

    /// Creates fields from a literal, order and repeated names kept.
    public init(dictionaryLiteral elements: (String, String)...) {
        fields = elements.map { Field(name: $0.0, value: $0.1) }
    }

    /// The first value of a name; setting replaces every field of that name, nil removes them.
    public subscript(name: String) -> String? {
        get { fields.first { Self.same($0.name, name) }?.value }
        set {
            fields.removeAll { Self.same($0.name, name) }
            if let newValue { fields.append(Field(name: name, value: newValue)) }
        }
    }

    /// Returns every value of a name in order.
    public func values(of name: String) -> [String] {
        fields.filter { Self.same($0.name, name) }.map(\.value)
    }

    /// Returns the value of a field that is a list: what stands in several lines is one list, in order (RFC 9110 § 5.3).
    public func list(_ name: String) -> String? {
        let values = values(of: name)
        return values.count < 2 ? values.first : values.joined(separator: ", ")
    }

    /// Puts the lines of fields that are lists into one each.
    public mutating func joinLines(of names: [String]) {
        for name in names where values(of: name).count > 1 { self[name] = list(name) }
    }

    /// Adds a field and keeps those of the same name.
    public mutating func add(_ name: String, _ value: String) {
        fields.append(Field(name: name, value: value))
    }

    private static func same(_ left: String, _ right: String) -> Bool {
        left.utf8.count == right.utf8.count
            && zip(left.utf8, right.utf8).allSatisfy { folded($0) == folded($1) }
    }

    private static func folded(_ byte: UInt8) -> UInt8 {
        (0x41...0x5A).contains(byte) ? byte | 0x20 : byte
    }
}
