extension EntityValue: Equatable {
    /// Whether both have the same set and the same members.
    public static func == (left: Self, right: Self) -> Bool {
        left.entitySet == right.entitySet && ODataValue.areEqual(left.members, right.members)
    }
}

extension EntityValue: Hashable {
    /// Hashes what is compared.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(entitySet)
        hasher.combine(members.count)
    }
}

extension EntityValue: Identifiable {
    /// Identifies an entity in its store for as long as it exists: before the service has given it a key, and after it.
    ///
    /// An entity that is in no store has an identity of its own, which its copies share.
    public struct ID: Hashable, Sendable {
        let row: Int64
    }

    /// The entity's identity in its store.
    public var id: ID { ID(row: rowID) }
}

extension EntityValue: CustomStringConvertible {
    /// The entity's link, or its set, and its members.
    public var description: String { "\(readLink ?? entitySet) \(json)" }
}

extension EntityValue: Codable {
    private enum CodingKeys: String, CodingKey { case entitySet, members }

    /// Writes the set and the members.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(entitySet, forKey: .entitySet)
        try container.encode(ODataValue.object(members), forKey: .members)
    }

    /// Reads the set and the members; the entity is in no store then.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        let set = try container.decode(String.self, forKey: .entitySet)
        guard case .object(let members) = try container.decode(ODataValue.self, forKey: .members)
        else {
            throw DecodingError.dataCorruptedError(
                forKey: .members,
                in: container,
                debugDescription: "the members are no object"
            )
        }
        self.init(entitySet: set, members: members)
    }
}
