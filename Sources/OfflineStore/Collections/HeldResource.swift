import ODataModel
import ODataProtocol
package import ODataTables

/// What the store holds of the entity or the collection that a URL addresses, beside a stored collection of that URL.
package struct HeldResource: Sendable {
    /// Whether the URL addresses entities; nothing else is stored by fetch policies.
    package private(set) var isEntities = false
    /// Whether the URL addresses one entity at most.
    package private(set) var isSingle = false
    /// Whether the store has the entity, or all of the collection by a defining query.
    package private(set) var isPresent = false
    /// Whether a defining query or a local change holds it, so that it neither expires nor is evicted.
    package private(set) var isDurable = false
    /// Whether the entity has changes that the service has not taken.
    package private(set) var hasPendingChanges = false
    /// The stored collections that hold the entity, the last fetched first.
    package private(set) var collections: [StoredCollection] = []

    /// What is known without looking of a URL that a stored collection of several entities has.
    package static var ofStoredCollection: HeldResource {
        var held = HeldResource()
        held.isEntities = true
        return held
    }

    private init() {}

    /// Looks for a URL relative to the service root; in a read transaction.
    package init(_ url: String, _ connection: SQLiteConnection, _ schema: TableSchema) throws {
        let request = try BoundRequest(parsing: url, in: schema.model)
        guard case .entities(let path) = request.resource, case .entities = path.target,
            path.finalSource != nil
        else { return }
        isEntities = true
        isSingle = path.isSingle(in: schema.model)
        if isSingle {
            try findEntity(path, connection, schema)
            // Whether related entities are here, too, is known of what was asked for with them only.
            isPresent = isPresent && (isDurable || request.options.expand.isEmpty)
        } else {
            isPresent = try Self.isCovered(path, connection, schema)
            isDurable = isPresent
        }
    }

    private mutating func findEntity(
        _ path: EntityPath,
        _ connection: SQLiteConnection,
        _ schema: TableSchema
    ) throws {
        guard let row = try TableQuery(connection, schema.layout).rows(path).first,
            let table = schema.layout[row.source]
        else { return }
        isPresent = true
        try connection.forEachRow(
            "SELECT \"$queries\" & ~\(DefiningQueries.memberBit), \"$state\" FROM \(table.sql) WHERE \"$id\" = ?1",
            [.integer(row.row)]
        ) { found in
            let state = RowState(rawValue: found.integer(1))
            hasPendingChanges = !state.isDisjoint(with: [.pending, .inError, .created])
            isDurable = found.integer(0) != 0 || hasPendingChanges
        }
        collections = try StoredCollections(connection).holding(row: row.row)
            .filter(\.isFetched).sorted { ($0.fetched ?? 0) > ($1.fetched ?? 0) }
    }

    /// Whether a loaded defining query brings every entity of the set that a path addresses.
    private static func isCovered(
        _ path: EntityPath,
        _ connection: SQLiteConnection,
        _ schema: TableSchema
    ) throws -> Bool {
        guard path.steps.isEmpty else { return false }
        return try DefiningQueries(connection).all().contains { query in
            query.isLoaded && QueryReach.isWholeSet(query, in: schema)
                && QueryReach.ownSource(of: query, in: schema) == path.source
        }
    }
}
