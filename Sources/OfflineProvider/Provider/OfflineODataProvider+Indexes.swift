public import OfflineValues
public import ODataBinding
import StoreRecords
import ODataURL
import ODataSQL
import ODataTables
import OfflineStore
import ODataModel

/// Indexes, and how queries use them.
extension OfflineODataProvider {
    /// Explains how the store answers a query: the SQL of each level, and SQLite's query plan.
    ///
    /// - Parameter query: URL relative to the service root, such as `Events?$filter=Price lt 20`.
    /// - Throws: ``OfflineODataError`` where the URL is wrong, or addresses no entities.
    public func explainQuery(_ query: String) async throws -> OfflineODataExplanation {
        let limits = settings.limits.url
        return try await explanation {
            try BoundRequest(ofApplication: query, in: $0.model, limits: limits)
        }
    }

    /// Explains how the store answers a query made in Swift.
    ///
    /// - Throws: ``OfflineODataError`` where a name is unknown, or the path leads to no entities.
    public func explainQuery(_ query: ODataQuery) async throws -> OfflineODataExplanation {
        try await explanation { try query.bound(in: $0.model) }
    }

    /// Makes an index over properties of an entity set, for queries that filter or order by them.
    ///
    /// - Parameter properties: Paths in the order of the index, such as `Address/City`.
    /// - Throws: ``OfflineODataError`` where the set or a property is unknown.
    public func createIndex(on entitySet: String, properties: [String])
        async throws(OfflineODataError)
    {
        guard !properties.isEmpty else {
            throw OfflineODataError(
                .invalidInput,
                "an index is made over at least one property",
                code: .invalidArgument
            )
        }
        let paths = properties.map { $0.split(separator: "/").map(String.init) }
        try await changeIndexes(of: entitySet) { try $0.createIndex(on: $1, over: paths) }
    }

    /// Makes an index over all texts of an entity set, for queries with `$search`; the answers are the same without it.
    ///
    /// It is kept up with every change from then on, and takes about twice the room of the texts.
    /// - Throws: ``OfflineODataError`` where the set is unknown, or has no string properties.
    public func createSearchIndex(on entitySet: String) async throws(OfflineODataError) {
        try await changeIndexes(of: entitySet) { try $0.createSearchIndex(on: $1) }
    }

    /// Removes the search index of an entity set, where there is one.
    ///
    /// - Throws: ``OfflineODataError`` where the set is unknown.
    public func removeSearchIndex(on entitySet: String) async throws(OfflineODataError) {
        try await changeIndexes(of: entitySet) { _ = try $0.dropSearchIndex(on: $1) }
    }

    private func changeIndexes(
        of entitySet: String,
        _ change: @escaping @Sendable (TableCatalog, NavigationSource) throws -> Void
    ) async throws(OfflineODataError) {
        try await uncancelled {
            let store = store
            try await store.file.write { connection in
                let schema = try store.schema(connection)
                guard let source = schema.model.navigationSource(named: entitySet) else {
                    throw OfflineODataError(.notFound, "there is no entity set \(entitySet)")
                }
                try change(TableCatalog(connection, layout: schema.layout), source)
            }
        }
    }

    private func explanation(_ bound: @escaping @Sendable (TableSchema) throws -> BoundRequest)
        async throws -> OfflineODataExplanation
    {
        try await mapping {
            try await store.readCancellable { tables, schema in
                let request = try bound(schema)
                guard case .entities(let path) = request.resource else {
                    throw OfflineODataError(.invalidInput, "the URL addresses no entities")
                }
                return OfflineODataExplanation(
                    try tables.explanation(path, options: request.options)
                )
            }
        }
    }

    /// Makes an index for each property by whose order, or by several values of which, a defining query chooses entities.
    ///
    /// The application is likely to ask by it again. A property that all entities share a value of needs none.
    func indexFilteredProperties() async throws {
        let store = store
        try await store.file.write { connection in
            let schema = try store.schema(connection)
            let catalog = TableCatalog(connection, layout: schema.layout)
            for query in try DefiningQueries(connection).all() {
                // Queries in the words of the service that this model does not know suggest nothing.
                guard let asked = AddressedEntities(query.url, in: schema.model),
                    asked.path.steps.isEmpty,
                    let filter = asked.options.filter
                else { continue }
                for property in Self.chosenProperties(filter) {
                    do {
                        try catalog.createIndex(on: asked.path.source, over: [property])
                    } catch is QueryError {
                        // A property without a column of its own has no index.
                    }
                }
            }
        }
    }

    private static func chosenProperties(_ filter: BoundExpression) -> [[String]] {
        switch filter {
        case .and(let terms): terms.flatMap(chosenProperties)
        case .or(let terms): terms.flatMap(comparedProperties)
        case .comparison(.equal, _, _), .comparison(.notEqual, _, _): []
        default: comparedProperties(filter)
        }
    }

    private static func comparedProperties(_ filter: BoundExpression) -> [[String]] {
        switch filter {
        case .and(let terms), .or(let terms): terms.flatMap(comparedProperties)
        case .comparison(_, .path(let path), .literal), .comparison(_, .literal, .path(let path)),
            .isIn(.path(let path), _):
            path.steps.isEmpty && path.form != nil ? [path.property] : []
        default: []
        }
    }
}
