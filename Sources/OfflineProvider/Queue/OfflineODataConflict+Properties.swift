public import OfflineValues

/// The versions property by property.
extension OfflineODataConflict {
    /// One property of the versions that an entity has.
    public struct Property: Sendable, Hashable {
        /// Name of the property; names of complex properties are joined by slashes.
        public let path: String
        /// As it was before the change here; nil where there is no such version.
        public let base: ODataValue?
        /// As it is here; nil where there is no such version.
        public let local: ODataValue?
        /// As the service has it; nil where nothing newer is known.
        public let server: ODataValue?
        /// Whether a change that waits gives it a value, be it the one that it had.
        public let isWrittenHere: Bool

        /// Whether it was changed here; the deletion of the entity changes none of its properties.
        public var isChangedHere: Bool { local != nil && (isWrittenHere || base != local) }
        /// Whether the service has another value than before.
        public var isChangedThere: Bool { server != nil && base != server }
        /// Whether both have changed it, to different values.
        public var isContested: Bool { isChangedHere && isChangedThere && local != server }
    }

    /// The properties of the versions, in the order in which the versions name them.
    public var properties: [Property] {
        let versions = [base, local, server].map { $0.map(Self.values) }
        var paths: [String] = []
        var known: Set<String> = []
        for values in versions {
            for value in values ?? [] where known.insert(value.path).inserted {
                paths.append(value.path)
            }
        }
        let tables = versions.map { values in
            values.map { Dictionary($0.map { ($0.path, $0.value) }, uniquingKeysWith: { $1 }) }
        }
        return paths.map { path in
            Property(
                path: path,
                base: tables[0].map { $0[path] ?? .null },
                local: tables[1].map { $0[path] ?? .null },
                server: tables[2].map { $0[path] ?? .null },
                isWrittenHere: changedProperties.contains(path)
            )
        }
    }

    /// The properties that were changed on either side.
    public var differences: [Property] {
        properties.filter { $0.isChangedHere || $0.isChangedThere }
    }

    private static func values(of entity: EntityValue) -> [(path: String, value: ODataValue)] {
        values(of: entity.members.map { ($0.name, $0.value) }, below: "")
    }

    /// Complex values are taken apart; annotations are no properties.
    private static func values(
        of members: [(name: String, value: ODataValue)],
        below path: String
    ) -> [(path: String, value: ODataValue)] {
        members.filter { !$0.name.contains("@") && $0.name != "__metadata" }.flatMap { member in
            let path = path + member.name
            guard case .object(let inner) = member.value else { return [(path, member.value)] }
            return values(of: inner, below: path + "/")
        }
    }
}
