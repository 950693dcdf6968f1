import ODataBinding
import StoreRecords
import OfflinePolicies
import ODataModel
import ODataTables
import OfflineOData
import OfflineStore

/// Reads that are never kept by themselves: a part of what is kept (a count, a property, a raw value), entities of several sets,
/// functions.
extension PolicyRead {
    /// What the store has of that of which the URL addresses a part or a combination; nil where it addresses none.
    func whole(_ query: TableQuery, in schema: TableSchema) throws -> CopyState? {
        guard let request = try? BoundRequest(ofService: url, in: schema.model) else { return nil }
        switch request.resource {
        case .serviceDocument, .metadata, .batch: return nil
        case .operation: return .absent
        case .crossjoin(let sources):
            return CopyState(
                isPresent: try sources.allSatisfy { try holds($0, query: query, in: schema) }
            )
        case .all:
            let sets = schema.model.container.entitySets.indices.map(NavigationSource.entitySet)
            let own = sets.filter { !BuiltInSets.contains($0, in: schema.model) }
            return CopyState(
                isPresent: try own.allSatisfy { try holds($0, query: query, in: schema) }
            )
        case .entities(let path) where request.options.apply.isEmpty:
            return try whole(path, query: query, in: schema)
        // What is worked out of a set is no part of it that is kept.
        case .entities(let path):
            guard !BuiltInSets.contains(path.source, in: schema.model) else { return nil }
            return CopyState(
                isPresent: try path.steps.isEmpty && holds(path.source, query: query, in: schema)
            )
        }
    }

    /// Whether the store has all entities of a set.
    private func holds(
        _ source: NavigationSource,
        query: TableQuery,
        in schema: TableSchema
    ) throws -> Bool {
        let name = schema.model.name(of: source)
        if try HeldResource(name, query: query, schema: schema).isPresent { return true }
        return try StoredCollections(query).collection(named: name)?.isFetched == true
    }

    private func whole(
        _ path: EntityPath,
        query: TableQuery,
        in schema: TableSchema
    ) throws -> CopyState? {
        guard path.finalSource != nil, !BuiltInSets.contains(path.source, in: schema.model) else {
            return nil
        }
        if case .entities = path.target { return nil }
        for owner in Self.owners(of: url) {
            let asked = owner + Self.selection(in: url.dropFirst(owner.count + 1))
            guard let held = try? HeldResource(asked, query: query, schema: schema), held.isEntities
            else {
                continue
            }
            let stored = try StoredCollections(query).collection(named: owner)
            return CopyState(
                isPresent: held.isPresent || !held.isSingle && stored?.isFetched == true,
                isPart: held.isPart
            )
        }
        return .absent
    }

    /// The option that asks an entity for the property that a path inside of it begins with; nothing where it begins with none.
    private static func selection(in path: Substring) -> String {
        let name = path.prefix { $0 != "/" && $0 != "?" }
        return name.contains { "$.(".contains($0) } ? "" : "?$select=\(name)"
    }

    /// The paths that a URL leads through, the longest first.
    static func owners(of url: String) -> [String] {
        var path = url.prefix { $0 != "?" }
        var owners: [String] = []
        while let slash = path.lastIndex(of: "/") {
            path = path[..<slash]
            owners.append(String(path))
        }
        return owners
    }

    /// Where the answer comes from to a part of what the store has or has not.
    ///
    /// - Parameter whole: The copy of that of which it is a part.
    func source(ofPartOf whole: CopyState) async throws -> ReadSource {
        let resource = rule.resource(
            name,
            url: url,
            stored: nil,
            request: request.policy,
            state: state
        )
        let policy = resource.policy
        let copy = policy.noCache.value ? .absent : whole
        // A plain REST service knows no parts.
        let isOnline = rule.network.isOnline && !(router.transport is RESTTransport)
        var plan = ReadPlan(policy.fetchPolicy.value, isOnline: isOnline, copy: copy)
        request.note { $0.resource = resource }
        if plan.place == .service {
            rule.countMiss()
            await rule.flushChanges()
            do {
                let response = try await router.response(to: url, headers: headers)
                let now = rule.options.clock.now
                request.note { $0.origin = OfflineODataOrigin(place: .service, date: now) }
                return .response(response, at: now)
            } catch let error as OfflineODataError where error.isUnreachable {
                request.note { $0.failure = error }
                plan = ReadPlan(policy.fetchPolicy.value, isOnline: false, copy: copy)
            }
        }
        guard plan.place == .copy else {
            request.note { $0.origin = OfflineODataOrigin(place: .nowhere) }
            return .nothing
        }
        rule.countHit()
        return .store
    }
}
