/// An entity set or singleton of a store: its type, key, properties, relations and stored entities.
public struct OfflineODataSetDescription: Sendable, Hashable, Codable, Identifiable {
    /// What a name at the service root addresses.
    public enum Kind: String, Sendable, Hashable, Codable {
        /// An entity set.
        case entitySet
        /// A singleton.
        case singleton
    }

    /// A structural property.
    public struct Property: Sendable, Hashable, Codable, Identifiable {
        /// Name.
        public let name: String
        /// Qualified name of the type; `Collection(…)` around that of a collection.
        public let type: String
        /// Whether the value may be null.
        public let isNullable: Bool
        /// Whether the property is part of the key.
        public let isKey: Bool
        /// Most characters or bytes; nil where there is no limit.
        public let maxLength: Int?
        /// Digits of a decimal, or of the fraction of seconds; nil where the metadata declares none.
        public let precision: Int?
        /// Digits behind the decimal point, `variable` or `floating`; nil where the metadata declares none.
        public let scale: String?
        /// Names of the members of an enumeration; empty for other types.
        public let members: [String]
        /// Qualified name of the type that declares the property: the type of the set, a base type, or a derived type.
        public let declaringType: String
        /// The declaring type and the name: two derived types may declare the same name.
        public var id: String { declaringType + "/" + name }
    }

    /// A navigation property.
    public struct NavigationProperty: Sendable, Hashable, Codable, Identifiable {
        /// Name.
        public let name: String
        /// Qualified name of the target's type; `Collection(…)` around that of a collection.
        public let type: String
        /// Whether the property may lead to no entity.
        public let isNullable: Bool
        /// Set or singleton of the targets; nil for contained entities, and where the metadata does not say.
        public let target: String?
        /// Whether the targets exist within their parent only.
        public let containsTarget: Bool
        /// Property of the target's type that leads back.
        public let partner: String?
        /// Qualified name of the type that declares the property.
        public let declaringType: String
        /// The declaring type and the name.
        public var id: String { declaringType + "/" + name }
    }

    /// Name, unique in the store.
    public let name: String
    /// Set or singleton.
    public let kind: Kind
    /// Qualified name of the entity type.
    public let type: String
    /// Qualified names of the types that extend it.
    public let derivedTypes: [String]
    /// Whether the engine provides the set, such as `RequestQueue`, and not the service.
    public let isBuiltIn: Bool
    /// Whether the entities are media entities.
    public let hasStream: Bool
    /// Names of the key properties in their order; empty for a singleton without key.
    public let key: [String]
    /// The properties: inherited ones, own ones, those of derived types.
    public let properties: [Property]
    /// The navigation properties in the same order.
    public let navigationProperties: [NavigationProperty]
    /// Stored entities; 0 also before the first of them has come.
    public let entityCount: Int
    /// The name.
    public var id: String { name }
}
