package import StoreRecords
import ODataSQL
import ODataBinding
import ODataModel
package import ODataTables

/// What the store holds of the entity or the collection that a URL addresses, beside a stored collection of that URL.
package struct HeldResource: Sendable {
    /// Whether the URL addresses entities; nothing else is stored by fetch policies.
    package private(set) var isEntities = false
    /// Whether the URL addresses one entity at most.
    package private(set) var isSingle = false
    /// The entity's row, where the URL addresses one that the store has.
    package private(set) var row: Int64?
    /// Whether the store has the entity, or all of the collection by a defining query.
    package private(set) var isPresent = false
    /// Whether only reads of a part of its properties have brought the entity, and more of them is asked for.
    package private(set) var isPart = false
    /// Whether a defining query holds it, so that it neither expires nor is evicted.
    package private(set) var isDurable = false
    /// Whether the entity has changes that the service has not taken.
    package private(set) var hasPendingChanges = false
    /// The stored collection that was fetched last of those that hold the entity.
    package private(set) var newest: StoredCollection?

    /// What is known without looking of a URL that a stored collection of several entities has.
    package static var ofStoredCollection: HeldResource {
        var held = HeldResource()
        held.isEntities = true
        return held
    }

    private init() {}

    /// Looks for a URL relative to the service root; in a read transaction.
    package init(_ url: String, query: TableQuery, schema: TableSchema) throws {
        self.init()
        // A service of an older version has a language of its own, which no plan is kept of.
        guard let plans = query.plans, schema.layout.model.version.isV4 else {
            let model = schema.model
            let request = try BoundRequest(ofService: url, in: model)
            try find(RequestedEntities(request, in: model), request: nil, query: query, in: schema)
            return
        }
        let request = try plans.request(url)
        try find(request.entities(in: schema.model), request: request, query: query, in: schema)
    }

    /// Looks for an entity by its key, all of which is read next; in a read transaction.
    package init(_ entity: KeyedEntity, query: borrowing TableQuery) throws {
        self.init()
        (isEntities, isSingle) = (true, true)
        let holder = MemberRows.newestHolder
        guard let found = try query.heldEntity(entity, holder: holder) else { return }
        try note(found, selected: nil, query: query)
    }

    private mutating func find(
        _ asked: RequestedEntities?,
        request: KnownRequest?,
        query: TableQuery,
        in schema: TableSchema
    ) throws {
        // The built-in sets are the store's own: no service has them, and no copy of them can be stale.
        guard let asked, asked.path.finalSource != nil,
            !BuiltInSets.contains(asked.path.source, in: schema.model)
        else { return }
        (isEntities, isSingle) = (true, asked.isSingle)
        if isSingle {
            try findEntity(asked, request: request, query: query)
            // Whether related entities are here, too, is known of what was asked for with them only.
            isPresent = isPresent && (isDurable || hasPendingChanges || !asked.areExpanded)
        } else {
            isPresent = try Self.isCovered(asked.path, query: query, in: schema)
            isDurable = isPresent
        }
    }

    private mutating func findEntity(
        _ asked: RequestedEntities,
        request: KnownRequest?,
        query: borrowing TableQuery
    ) throws {
        let holder = MemberRows.newestHolder
        let found =
            try asked.areWhole
            ? query.heldEntity(asked.path, of: request, holder: holder)
            : query.heldRow(asked.path, holder: holder)
        if let found { try note(found, selected: asked.selected, query: query) }
    }

    /// - Parameter selected: Paths of the properties that are asked for; nil for all.
    private mutating func note(
        _ found: TableQuery.HeldRow,
        selected: [[String]]?,
        query: borrowing TableQuery
    ) throws {
        (isPresent, row) = (true, found.row.row)
        hasPendingChanges = found.state.rawValue & RowCoverage.kept.rawValue != 0
        isDurable = found.queries & ~DefiningQueries.memberBit != 0
        // What was created here is no copy, although it stands in collections.
        guard !found.state.contains(.created) else { return }
        let collections = StoredCollections(query)
        newest = try found.holder.flatMap { try collections.collection(slot: $0) }
        guard !isDurable, !hasPendingChanges, newest?.isPartial == true else { return }
        guard try collections.holding(row: found.row.row).allSatisfy(\.isPartial) else { return }
        isPart = try selected.map { try !Self.knows($0, of: found.row, query: query) } ?? true
    }

    /// Whether the store knows the values of properties of an entity.
    private static func knows(
        _ paths: [[String]],
        of found: RowReference,
        query: borrowing TableQuery
    ) throws -> Bool {
        guard let table = query.layout[found.source],
            let values = try RowEditor(query.connection, layout: query.layout)
                .values(of: found.row, in: table)
        else { return false }
        return paths.allSatisfy { path in
            let slots = table.columns.indices.filter {
                let own = table.columns[$0].path
                return own.starts(with: path) || path.starts(with: own)
            }
            return !slots.isEmpty
                && !slots.contains { UnknownValue.isUnknown(values[$0], in: table.columns[$0]) }
        }
    }

    /// Whether a loaded defining query brings every entity of the set that a path addresses.
    private static func isCovered(
        _ path: EntityPath,
        query: TableQuery,
        in schema: TableSchema
    ) throws -> Bool {
        guard path.steps.isEmpty else { return false }
        let findings = CollectionFindings.present(query)
        if let known = findings?.wholeSets { return known.contains(path.source) }
        let found = try DefiningQueries(query.connection).all().filter { query in
            query.isLoaded && QueryReach.isWholeSet(query, in: schema)
        }
        let sources = Set(found.compactMap { QueryReach.ownSource(of: $0, in: schema) })
        findings?.wholeSets = sources
        return sources.contains(path.source)
    }
}

extension StoredCollection {
    /// Whether it was asked for a part of the properties alone.
    fileprivate var isPartial: Bool { url.contains("$select=") }
}
