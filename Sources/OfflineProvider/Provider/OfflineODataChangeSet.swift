public import OfflineValues
import StoreRecords

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// Local changes that take effect together or not at all, here and at the service.
public struct OfflineODataChangeSet: Sendable {
    /// A change.
    enum Change: Sendable {
        case create(EntityValue)
        case createRelated(EntityValue, in: EntityValue, property: String)
        case update(EntityValue)
        case upsert(EntityValue)
        case delete(EntityValue)
        case link(EntityValue, String, to: EntityValue)
        case relink(EntityValue, String, to: EntityValue)
        case unlink(EntityValue, String, from: EntityValue?)
    }

    private(set) var changes: [Change] = []

    /// Creates a set without changes.
    public init() {}

    /// Number of changes.
    public var count: Int { changes.count }

    /// Adds the creation of an entity.
    public mutating func createEntity(_ entity: EntityValue) { changes.append(.create(entity)) }

    /// Adds the creation of an entity of a set.
    public mutating func createEntity(
        _ members: KeyValuePairs<String, ODataValue>,
        in entitySet: String
    ) { createEntity(EntityValue(entitySet: entitySet, members)) }

    /// Adds the creation of an entity in a collection that another one leads to.
    public mutating func createRelatedEntity(
        _ entity: EntityValue,
        in parent: EntityValue,
        property: String
    ) { changes.append(.createRelated(entity, in: parent, property: property)) }

    /// Adds an update.
    public mutating func updateEntity(_ entity: EntityValue) { changes.append(.update(entity)) }

    /// Adds the creation of an entity under the key that it gives, or its update where the store has it.
    public mutating func upsertEntity(_ entity: EntityValue) { changes.append(.upsert(entity)) }

    /// Adds a deletion.
    public mutating func deleteEntity(_ entity: EntityValue) { changes.append(.delete(entity)) }

    /// Adds a relation.
    public mutating func createLink(
        from entity: EntityValue,
        property: String,
        to target: EntityValue
    ) { changes.append(.link(entity, property, to: target)) }

    /// Adds a relation by a single-valued navigation property, instead of whatever the entity was related to.
    public mutating func updateLink(
        from entity: EntityValue,
        property: String,
        to target: EntityValue
    ) { changes.append(.relink(entity, property, to: target)) }

    /// Adds the end of a relation; of a single-valued property without naming the target.
    public mutating func deleteLink(
        from entity: EntityValue,
        property: String,
        to target: EntityValue? = nil
    ) { changes.append(.unlink(entity, property, from: target)) }
}

extension OfflineODataProvider {
    /// Applies several changes in one transaction of the store, and queues them as one of the service's.
    ///
    /// - Parameter options: Those of all requests; without a transaction of its own the set is one by itself.
    /// - Returns: The created entities in order, those of upserts among them.
    /// - Throws: ``OfflineODataError`` where one of them breaks a rule; then nothing is changed.
    @discardableResult
    public func processBatch(
        _ changeSet: OfflineODataChangeSet,
        options: OfflineODataRequestOptions = OfflineODataRequestOptions()
    ) async throws(OfflineODataError) -> [EntityValue] {
        var change = try mapping {
            try options.all.changeOptions(isOptimizing: settings.optimizesQueue)
        }
        if change.transaction == nil, changeSet.count > 1 {
            change.transaction = .named("batch-" + UUID().uuidString.lowercased())
        }
        return try await self.change(change, change: .operation("$batch")) { work in
            var created: [EntityValue.ID: EntityValue] = [:]
            return try changeSet.changes.compactMap { change in
                let made = try work.apply(change.replacing(created))
                if let draft = change.draft { created[draft.id] = made }
                return made
            }
        }
    }
}

extension LocalWork {
    /// Makes a change; answers the entity where it creates one.
    fileprivate func apply(_ change: OfflineODataChangeSet.Change) throws -> EntityValue? {
        switch change {
        case .create(let entity): return try create(entity)
        case .createRelated(let entity, let parent, let property):
            return try create(entity, at: path(of: parent, property))
        case .update(let entity): try update(entity, isReplacing: false)
        case .upsert(let entity): return try upsert(entity)
        case .delete(let entity): try delete(entity)
        case .link(let entity, let property, let target):
            try link(entity, property: property, to: target)
        case .relink(let entity, let property, let target):
            try replaceLink(entity, property: property, to: target)
        case .unlink(let entity, let property, let target):
            try unlink(entity, property: property, from: target)
        }
        return nil
    }
}

extension OfflineODataChangeSet.Change {
    /// The entity that is to be created, as the application has it; nil where none is.
    fileprivate var draft: EntityValue? {
        switch self {
        case .create(let entity), .createRelated(let entity, _, _), .upsert(let entity): entity
        default: nil
        }
    }

    /// Returns the change with the entities that were created before it in place of their drafts.
    fileprivate func replacing(_ created: [EntityValue.ID: EntityValue]) -> Self {
        func made(_ entity: EntityValue) -> EntityValue { created[entity.id] ?? entity }
        switch self {
        case .create, .upsert: return self
        case .createRelated(let entity, let parent, let property):
            return .createRelated(entity, in: made(parent), property: property)
        case .update(var entity):
            if let link = created[entity.id]?.readLink { entity.readLink = link }
            return .update(entity)
        case .delete(let entity): return .delete(made(entity))
        case .link(let entity, let property, let target):
            return .link(made(entity), property, to: made(target))
        case .relink(let entity, let property, let target):
            return .relink(made(entity), property, to: made(target))
        case .unlink(let entity, let property, let target):
            return .unlink(made(entity), property, from: target.map(made))
        }
    }
}
