package import ODataSQLite
import StoreRecords
import OfflineStore
import ODataBinding
package import ODataModelComparison
import ODataValues
import ODataSQL
package import ODataModel
import ODataTables

/// Brings a store to another version of its service's model, in the caller's write transaction.
///
/// Only what adds is done; rows, copies and queue stay. Anything else is refused before a byte changes.
package struct SchemaUpgrade {
    private let connection: SQLiteConnection
    private let reached: (Stage) throws -> Void

    /// How far an upgrade has come, for those who want to stop it.
    package enum Stage: CaseIterable, Sendable {
        case columns
        case values
        case indexes
        case model
        case deltaLinks
    }

    /// Creates an upgrade; `reached` is called at the end of each stage, and stops everything by throwing.
    package init(
        _ connection: SQLiteConnection,
        reached: @escaping (Stage) throws -> Void = { _ in }
    ) {
        self.connection = connection
        self.reached = reached
    }

    /// Takes over a metadata document: the first one, the same, or one that adds to the present one.
    ///
    /// What has been worked out before is used where it still fits the file, so that the lock is held for the changes only.
    /// - Throws: ``StoreError`` (incompatible schema) with every reason; `CSDLError` where the document is none.
    package func run(
        _ document: [UInt8],
        prepared: UpgradePlan? = nil,
        limits: CSDLLimits = CSDLLimits()
    ) throws {
        if let prepared, try prepared.fits(connection) { return try apply(prepared) }
        guard let plan = try UpgradePlan(document, on: connection, limits: limits) else {
            guard try !StoreSchema.holds(document, on: connection) else { return }
            return try StoreSchema.save(
                StoreSchema.make(document, limits: limits),
                on: connection
            )
        }
        try apply(plan)
    }

    private func apply(_ plan: UpgradePlan) throws {
        if let refusal = try refusal(plan) { throw refusal }
        try addColumns(plan)
        try reached(.columns)
        let conversion = RowConversion(connection, from: plan.old, to: plan.new)
        let effects = EffectConversion(connection: connection, rows: conversion)
        for table in plan.tables where table.name == table.change.old.name {
            try effects.convert(table.change)
        }
        for table in plan.tables { try conversion.convert(table.change, named: table.name) }
        try RelationConversion(connection, from: plan.old, to: plan.new).convert(plan.relations)
        try reached(.values)
        try renewIndexes(plan)
        try reached(.indexes)
        try save(plan)
        try reached(.model)
        try forgetDeltas(plan)
        try reached(.deltaLinks)
    }
}

// MARK: - Refusing

extension SchemaUpgrade {
    /// What stands against an upgrade: changes, and requests that they touch.
    private struct Obstacles {
        var changes: [ModelChange] = []
        var touched: [(entry: QueueEntry, by: [ModelChange])] = []
        var misfits: [QueuedMisfit] = []
        /// Whether nothing waits and nothing was refused.
        var isQueueEmpty = true

        /// Everything, a line each.
        var reasons: [String] {
            changes.map(SchemaUpgrade.line)
                + misfits.map {
                    "\($0.entry.standing) request \($0.entry.id) does not fit, \($0.entry.method) \($0.entry.url): \($0.reason)"
                }
        }
    }

    /// Returns what stands against the upgrade to a document, with the differences; nothing is changed.
    ///
    /// The comparison is nil where the store has the document already. Requests that are touched stand with the changes that concern
    /// them; none where they change links that the model has in another form.
    /// - Throws: `CSDLError` where the document is none.
    package func obstacles(to document: [UInt8]) throws -> (
        comparison: ModelComparison?, reasons: [String], touched: [Int64: [ModelChange]],
        misfits: [Int64: String]
    ) {
        guard let plan = try UpgradePlan(document, on: connection) else {
            return (nil, [], [:], [:])
        }
        let obstacles = try obstacles(plan)
        let misfits = obstacles.misfits.map { ($0.entry.id, $0.reason) }
        return (
            plan.comparison, obstacles.reasons,
            Dictionary(obstacles.touched.map { ($0.entry.id, $0.by) }) { first, _ in first },
            Dictionary(misfits) { first, _ in first }
        )
    }

    private func obstacles(_ plan: UpgradePlan) throws -> Obstacles {
        guard plan.comparison.verdict != .identical || !plan.relations.isEmpty else {
            return Obstacles()
        }
        let links = try QueuedLinks(connection, plan.relations)
        let entries = try RequestQueue(connection).entries([
            .pending, .sending, .parked, .unknownOutcome, .failed,
        ])
        let misfits = try QueuedMisfit.all(among: entries, in: plan, on: connection)
        let calls = QueuedCalls(entries, in: plan.old.model)
        let reasons = plan.comparison.changes.filter { !$0.isCompatible || calls.contain($0) }
        let touched: [(entry: QueueEntry, by: [ModelChange])] = entries.compactMap { entry in
            let queued = QueuedChange(entry, in: plan.old)
            let concerned = reasons.filter { change in
                change.isWarning
                    ? calls.touches(change, entry: entry)
                    : queued?.isConcerned(by: change) ?? false
            }
            let isTouched = !concerned.isEmpty || links.requests.contains(entry.id)
            return isTouched ? (entry, concerned) : nil
        }
        return Obstacles(
            changes: reasons + links.changes,
            touched: touched,
            misfits: misfits,
            isQueueEmpty: entries.isEmpty
        )
    }

    /// Returns why the store cannot be upgraded; nil where it can.
    private func refusal(_ plan: UpgradePlan) throws -> StoreError? {
        let obstacles = try obstacles(plan)
        guard !obstacles.reasons.isEmpty else { return nil }
        let wayOut =
            if obstacles.changes.isEmpty {
                " edit or drop the requests that do not fit"
            } else if obstacles.changes.allSatisfy(\.isCompatible) {
                " upload the requests that it concerns, or drop them, and try again"
            } else if obstacles.isQueueEmpty {
                " clear the store and load it again, or ask for a compatible service"
            } else {
                " upload what waits, or drop it, then clear the store and load it again; or ask for a compatible service"
            }
        let misfits = Set(obstacles.misfits.map(\.entry.id))
        return StoreError(
            .incompatibleSchema,
            "the new metadata does not fit this store, which was left as it is;" + wayOut,
            details: obstacles.reasons
                + obstacles.touched.map(\.entry).filter { !misfits.contains($0.id) }.map {
                    "\($0.standing) request \($0.id) is affected: \($0.method) \($0.url)"
                }
        )
    }

    private static func line(_ change: ModelChange) -> String {
        "\(change.path): \(change.what.rawValue) \(change.change.rawValue)"
            + (change.detail.isEmpty ? "" : ": \(change.detail)")
    }
}

// MARK: - Adding

extension SchemaUpgrade {
    /// Adds all columns of all tables with one change of the schema.
    private func addColumns(_ plan: UpgradePlan) throws {
        guard plan.tables.contains(where: { !$0.columns.isEmpty }) else { return }
        try connection.withWritableSchema {
            for table in plan.tables where !table.columns.isEmpty {
                try connection.run(
                    "UPDATE sqlite_schema SET \"sql\" = ?2 WHERE rowid = ?1 AND \"name\" = ?3",
                    [.integer(table.schemaRow), .text(table.extendedText), .text(table.name)]
                )
            }
        }
        // Compiling reads the new schema, and finds every column that the store is going to ask for.
        for table in plan.tables where !table.columns.isEmpty {
            let columns = table.columns.map { "typeof(\($0.sql))" }.joined(separator: ", ")
            _ = try connection.prepare("SELECT \(columns) FROM \(table.name.sqlQuoted)")
        }
        try emptyCreated(plan)
    }

    /// Of an entity that was created here all is known: a property that its creation could not name is null.
    private func emptyCreated(_ plan: UpgradePlan) throws {
        for table in plan.tables where table.name == table.change.new.name {
            let columns = table.columns.filter { $0.isNullable && $0.kind != .json }
            guard !columns.isEmpty else { continue }
            try connection.execute(
                """
                UPDATE main.\(table.name.sqlQuoted) SET \(columns.map { "\($0.sql) = NULL" }.joined(separator: ", "))
                WHERE "$state" & \(RowState.created.rawValue) <> 0
                """
            )
        }
    }

    private func renewIndexes(_ plan: UpgradePlan) throws {
        let catalog = TableCatalog(connection, layout: plan.new.layout)
        for table in plan.tables where table.name == table.change.new.name {
            if table.change.changesKey {
                try catalog.dropKeyIndex(of: table.change.old)
                if let sql = table.change.new.createKeyIndexStatement {
                    try connection.execute(sql)
                }
            }
        }
        for table in plan.existing {
            try catalog.createMissingIndexes(of: table)
            for name in [table.baseName, table.serverName] where try catalog.exists(name) {
                try catalog.createAwaitedKeyIndexes(name, of: table)
            }
        }
        try catalog.renewOutdatedSearchIndexes(of: plan.existing)
    }

    private func save(_ plan: UpgradePlan) throws {
        try StoreSchema.save(plan.new, on: connection)
        let catalog = TableCatalog(connection, layout: plan.new.layout)
        for table in plan.existing { try catalog.saveNames(in: table) }
        if plan.comparison.verdict != .identical {
            try EventLog(connection).add(
                "Upgrade",
                details: "the service's model has \(plan.comparison.changes.count) additions"
            )
        }
    }

    /// Queries and stored collections that can bring an upgraded type are read in full the next time: a delta would bring changed rows
    /// only, and the ETag of what is here may still be that of the service.
    private func forgetDeltas(_ plan: UpgradePlan) throws {
        let types = UpgradedTypes(plan.comparison, model: plan.new.model)
        try forgetCollectionVersions(types, in: plan.new)
        let queries = DefiningQueries(connection)
        for query in try queries.all() where try isTouched(query, types: types, in: plan.new) {
            try queries.forgetDelta(of: query.name)
        }
    }

    private func forgetCollectionVersions(_ types: UpgradedTypes, in schema: TableSchema) throws {
        let collections = StoredCollections(connection)
        try collections.forEach { collection in
            // The bytes of a stream are of no type.
            guard let path = EntityPath(ofService: collection.url, in: schema.model),
                case .entities = path.target,
                try isTouched(collection.query, types: types, in: schema)
            else { return }
            var renewed = collection
            (renewed.validator, renewed.deltaLink) = (nil, nil)
            try collections.update(renewed)
        }
    }

    /// A query brings contained entities with those it asks for.
    private func isTouched(
        _ query: DefiningQuery,
        types: UpgradedTypes,
        in schema: TableSchema
    ) throws -> Bool {
        QueryReach.sources(of: query, in: schema).contains { source in
            if types.contains(source) { return true }
            guard let table = schema.layout[source] else { return false }
            return table.declaringTypes.contains { type in
                schema.model[type].navigationProperties.indices.contains { index in
                    let id = NavigationPropertyID(type: type, index: index)
                    return schema.model[id].containsTarget && types.contains(.contained(id))
                }
            }
        }
    }
}

extension QueueEntry {
    /// Where the request stands, in a word.
    fileprivate var standing: String { status == .failed ? "refused" : "waiting" }
}
