import ODataBinding
import ODataValues
import ODataURL
import OfflineOData

/// An application's own type for the objects of an entity set: its columns by name and kind, and indexes for local searches.
///
///     let incident = ResourceObjectType(
///         entitySet: "incidents",
///         columns: ["title": .text, "priority": .integer],
///         indexes: [["priority"], ["title", "priority"]]
///     )
///     try await engine.register(incident)
///     let urgent = try await engine.endpoint("incidents").localObjects(
///         [LocalFilter(property: "priority", comparison: .greaterThan, value: 2)]
///     )
public struct ResourceObjectType: Sendable, Hashable {
    /// What a column holds.
    public enum Kind: String, Sendable, Hashable, CaseIterable {
        /// A text.
        case text
        /// An integer.
        case integer
        /// Whole or not.
        case number
        /// `true` or `false`.
        case boolean
        /// A point in time with its offset, RFC 3339.
        case date
        /// A GUID.
        case guid
    }

    /// Name of the entity set.
    public let entitySet: String
    /// The columns by name.
    public let columns: [String: Kind]
    /// Lists of columns over which the store makes indexes.
    public let indexes: [[String]]

    /// Creates a type.
    public init(entitySet: String, columns: [String: Kind], indexes: [[String]] = []) {
        (self.entitySet, self.columns, self.indexes) = (entitySet, columns, indexes)
    }

    // MARK: Conditions

    /// Refuses a condition that the type has no column for, or whose value is of another kind.
    func check(_ filter: LocalFilter) throws(OfflineODataError) { _ = try condition(filter) }

    /// A condition in terms of a query.
    func condition(_ filter: LocalFilter) throws(OfflineODataError) -> QueryExpression {
        guard let kind = columns[filter.property] else {
            let known = columns.keys.sorted().joined(separator: ", ")
            throw refusal("has no column '\(filter.property)'; it has: \(known)")
        }
        guard let value = Self.literal(filter.value, kind: kind) else {
            throw refusal("compares '\(filter.property)' with \(kind.rawValue) values only")
        }
        let column = QueryExpression.property(filter.property)
        switch filter.comparison {
        case .equals: return column == value
        case .notEquals: return column != value
        case .lessThan: return column < value
        case .lessThanOrEqual: return column <= value
        case .greaterThan: return column > value
        case .greaterThanOrEqual: return column >= value
        case .contains, .startsWith:
            guard kind == .text else {
                throw refusal("searches texts only: '\(filter.property)' is \(kind.rawValue)")
            }
            return filter.comparison == .contains
                ? column.contains(value) : column.startsWith(value)
        }
    }

    private func refusal(_ reason: String) -> OfflineODataError {
        OfflineODataError(.invalidInput, "the type of '\(entitySet)' \(reason)")
    }

    /// A value as a literal of a kind; nil where it is of another one.
    private static func literal(_ value: ODataValue, kind: Kind) -> QueryExpression? {
        if value == .null { return .null }
        switch kind {
        case .text: return value.stringValue.map { .string($0) }
        case .integer: return value.integerValue.map { .integer($0) }
        case .number:
            return value.integerValue.map { .integer($0) } ?? value.doubleValue.map { .double($0) }
        case .boolean: return value.booleanValue.map { .boolean($0) }
        case .date: return value.stringValue.map { .literal(.dateTimeOffset, $0) }
        case .guid: return value.stringValue.map { .literal(.guid, $0) }
        }
    }
}

extension PolicyEngine {
    /// Registers the application's type for the objects of an entity set, and makes its indexes.
    ///
    /// Local filters of fetches of the set are checked against it from then on.
    ///
    /// - Throws: ``OfflineODataError`` where the set or a column is unknown, or an index names a column that the type does not have.
    public func register(_ type: ResourceObjectType) async throws {
        for name in type.indexes.joined() where type.columns[name] == nil {
            throw OfflineODataError(
                .invalidInput,
                "an index of '\(type.entitySet)' names '\(name)', which is no column of the type"
            )
        }
        for (name, _) in type.columns.sorted(by: { $0.key < $1.key }) {
            _ = try await provider.explainQuery("\(type.entitySet)?$filter=\(name) eq null")
        }
        for index in type.indexes {
            try await provider.createIndex(on: type.entitySet, properties: index)
        }
        objectTypes.guarded { $0[type.entitySet] = type }
    }
}

extension ResourceEndpoint {
    /// Searches the objects that the store holds, by the indexes of the registered type; the service is not asked.
    ///
    /// - Throws: ``OfflineODataError`` where no type is registered for the collection, or a condition does not fit it.
    public func localObjects(_ filters: [LocalFilter]) async throws -> [ResourceObject] {
        guard let type = engine.objectType(of: path) else {
            throw OfflineODataError(
                .preconditionFailed,
                "no type is registered for '\(path)': register one, or use a local filter of a fetch"
            )
        }
        var query = ODataQuery(path)
        for filter in filters { query = query.filter(try type.condition(filter)) }
        var objects: [ResourceObject] = []
        for entity in try await engine.provider.executeQuery(query) {
            let link = try await engine.provider.link(of: entity)
            objects.append(
                ResourceObject(
                    engine: engine,
                    entity: entity,
                    url: link,
                    origin: OfflineODataOrigin(place: .store)
                )
            )
        }
        return objects
    }
}
