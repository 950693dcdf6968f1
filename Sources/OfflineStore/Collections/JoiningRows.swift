package import ODataSQLite
package import StoreRecords
import ODataSQL
import ODataValues
import ODataBinding
import ODataModel
package import ODataTables

/// Makes entities created here members of the stored collections whose query they meet, so that the same read shows them before the
/// service has them.
///
/// They stand behind the others. Members that stop meeting the query stay: they are not filtered again. A collection that skips
/// entities, is full by its `$top`, searches or aggregates takes none: only the service knows its result.
package struct JoiningRows {
    let connection: SQLiteConnection
    let schema: TableSchema

    package init(connection: SQLiteConnection, schema: TableSchema) {
        (self.connection, self.schema) = (connection, schema)
    }

    /// Adds the rows that a request inserted to collections.
    ///
    /// - Parameter url: Where the request is sent: a collection of that address may be one of related entities.
    func join(_ effects: [ChangeEffect], of url: String) throws {
        // Stores without collections pay for this look alone.
        guard try connection.integer("SELECT 1 FROM \"$collection\" LIMIT 1") != nil else { return }
        for case .inserted(let name, let row) in effects {
            guard let table = schema.layout.table(named: name) else { continue }
            let set = schema.layout.model.name(of: table.source)
            for collection in try Set([set, url]).sorted().flatMap(collections) {
                try join(row, in: table, to: collection)
            }
        }
    }

    /// Adds what was created here before a collection was fetched for the first time.
    package func joinCreated(to collection: StoredCollection) throws {
        guard let (path, _) = request(collection.url), let source = path.finalSource,
            let table = schema.layout[source],
            try TableCatalog(connection, layout: schema.layout).exists(table.name)
        else { return }
        var rows: [Int64] = []
        try connection.forEachRow(
            "SELECT \"$id\" FROM \(table.sql) WHERE \"$state\" & ?1 <> 0 ORDER BY 1",
            [.integer(RowState.created.rawValue)]
        ) { rows.append($0.integer(0)) }
        for row in rows {
            try join(row, in: table, to: (Int64(collection.slot), collection.url))
        }
    }

    /// The fetched collections whose address is a path, with or without a cast, options, or the reader's header fields behind it.
    private func collections(at path: String) throws -> [(slot: Int64, url: String)] {
        var found: [(slot: Int64, url: String)] = []
        try connection.forEachRow(
            """
            SELECT "slot", "name" FROM "$collection" WHERE "isFetched" <> 0 AND ("name" = ?1
                OR "name" BETWEEN ?1 || char(10) AND ?1 || char(11)
                OR "name" BETWEEN ?1 || '/' AND ?1 || '0' OR "name" BETWEEN ?1 || '?' AND ?1 || '@')
            """,
            [.text(path)]
        ) { found.append(($0.integer(0), String($0.string(1).prefix { $0 != "\n" }))) }
        return found
    }

    private func join(
        _ row: Int64,
        in table: TableLayout,
        to collection: (slot: Int64, url: String)
    ) throws {
        guard let (path, options) = request(collection.url), path.finalSource == table.source,
            try hasRoom(collection.slot, options: options),
            try meets(row, at: path, options: options)
        else { return }
        try connection.run(
            """
            INSERT OR IGNORE INTO "$member" ("query", "row", "position")
            SELECT ?1, ?2, coalesce(max("position"), 0) + 1 FROM "$member" WHERE "query" = ?1
            """,
            [.integer(collection.slot), .integer(row)]
        )
        try connection.run(
            "UPDATE \(table.sql) SET \"$queries\" = \"$queries\" | ?1 WHERE \"$id\" = ?2",
            [.integer(DefiningQueries.memberBit), .integer(row)]
        )
    }

    /// The collection of entities that a URL addresses; nil where a new entity's place in it cannot be known here.
    private func request(_ url: String) -> (EntityPath, BoundOptions)? {
        guard let asked = AddressedEntities(url, in: schema.model),
            case .entities = asked.path.target,
            !asked.path.isSingle(in: schema.model)
        else { return nil }
        let options = asked.options
        guard options.search == nil, options.apply.isEmpty, (options.skip ?? 0) == 0,
            options.skipToken == nil
        else { return nil }
        return (asked.path, options)
    }

    private func hasRoom(_ slot: Int64, options: BoundOptions) throws -> Bool {
        guard let top = options.top else { return true }
        let count = try connection.integer(
            "SELECT count(*) FROM \"$member\" WHERE \"query\" = ?1 AND \"position\" IS NOT NULL",
            [.integer(slot)]
        )
        return Int(count ?? 0) < top
    }

    private func meets(_ row: Int64, at path: EntityPath, options: BoundOptions) throws -> Bool {
        var condition = BoundOptions()
        (condition.filter, condition.compute) = (options.filter, options.compute)
        condition.select = .paths([])
        do {
            let query = try TableQuery(connection, layout: schema.layout)
            let answer = try query.entities(
                path,
                options: condition,
                among: [row],
                format: AnswerFormat()
            )
            return answer.entityCount > 0
        } catch is QueryError {
            // The service has evaluated what cannot be evaluated here.
            return false
        }
    }
}
