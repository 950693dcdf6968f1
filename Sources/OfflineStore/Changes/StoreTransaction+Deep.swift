import ODataModel
package import ODataProtocol
import ODataService
package import ODataTables

/// Changes that become several requests, or one of an unusual kind.
extension StoreTransaction: UpsertWriting {
    // MARK: Deep update

    /// Updates an entity with those inline in the body.
    ///
    /// Versions before 4.01 forbid inline entities in updates, so each becomes a request of its own (OData 4.01 Part 1 § 11.4.3.1): an
    /// entity with the key of one that is there is updated, any other created; a collection that is no delta is the whole of it.
    func updateDeep(_ body: EntityBody, of entity: RowReference, isReplacing: Bool) throws
        -> RowReference
    {
        var own = body
        own.inline = []
        if isReplacing || !own.isEmpty {
            try update(entity, with: own, isReplacing: isReplacing)
        }
        for inline in body.inline {
            guard let target = schema.model.target(of: inline.navigation, from: entity.source)
            else {
                throw EditError(
                    .invalid,
                    "\(schema.model[inline.navigation].name) leads to no known set"
                )
            }
            var kept: [RowReference] = []
            for inner in inline.entities {
                kept.append(try take(inner, inline.navigation, target, of: entity))
            }
            if !inline.isDelta { try leaveOut(inline.navigation, of: entity, but: kept) }
        }
        return entity
    }

    private func take(
        _ inner: EntityBody,
        _ navigation: NavigationPropertyID,
        _ target: NavigationSource,
        of entity: RowReference
    ) throws -> RowReference {
        let editor = editor(ChangeRecorder(rows, flags: options.flags))
        guard let row = try editor.row(of: inner, navigation, target, of: entity) else {
            return try add(inner, navigation, target, to: entity)
        }
        let reference = RowReference(source: target, row: row)
        var changed = inner
        let keys = Set(schema.layout[target]?.keyColumns ?? [])
        changed.values.removeAll { keys.contains($0.slot) }
        if !changed.isEmpty {
            _ = try update(
                changed,
                at: path(of: reference),
                isReplacing: false,
                precondition: .none
            )
        }
        if try !schema.model[navigation].containsTarget
            && !editor.related(entity, navigation).contains(reference)
        {
            try addLink(entity, navigation, to: .row(reference))
        }
        return reference
    }

    /// Creates an entity that another one leads to.
    private func add(
        _ inner: EntityBody,
        _ navigation: NavigationPropertyID,
        _ target: NavigationSource,
        to entity: RowReference
    ) throws -> RowReference {
        if schema.model[navigation].isCollection {
            var collection = try path(of: entity)
            collection.steps.append(.navigation(navigation, to: target))
            return try create(inner, at: collection)
        }
        guard !schema.model[navigation].containsTarget else {
            throw EditError(
                .notSupported,
                "\(schema.model[navigation].name) contains a single entity: change it by its own URL"
            )
        }
        let created = try create(inner, at: EntityPath(source: target))
        try addLink(entity, navigation, to: .row(created))
        return created
    }

    private func leaveOut(
        _ navigation: NavigationPropertyID,
        of entity: RowReference,
        but kept: [RowReference]
    ) throws {
        let editor = editor(ChangeRecorder(rows, flags: options.flags))
        for related in try editor.related(entity, navigation) where !kept.contains(related) {
            if schema.model[navigation].containsTarget {
                try delete(at: path(of: related), precondition: .none)
            } else {
                try removeLink(entity, navigation, from: .row(related))
            }
        }
    }

    private func path(of entity: RowReference) throws -> EntityPath {
        guard
            case .entities(let path) = try BoundRequest(
                parsing: link(entity),
                in: schema.model
            ).resource
        else { throw EditError(.notFound, "the entity cannot be addressed") }
        return path
    }

    // MARK: Upsert

    package func upsert(
        _ body: EntityBody,
        at path: EntityPath,
        isReplacing: Bool,
        isInsertOnly: Bool
    ) throws -> RowReference {
        guard case .key(let key)? = path.steps.last, path.steps.count == 1,
            let table = schema.layout[path.source]
        else {
            throw EditError(.invalid, "an upsert addresses an entity of a set by its key")
        }
        try refuseBuiltIn(path.source)
        var body = body
        for (slot, value) in zip(table.keyColumns, key) { body.set(value, slot: slot) }
        let recorder = ChangeRecorder(rows, flags: options.flags)
        let created = try editor(recorder).create(body, in: path.source)
        try enqueue(
            isReplacing ? "PUT" : "PATCH",
            link(created),
            body: json(body),
            affected: created,
            referred: referredRows(body) + recorder.insertedRows,
            recorder,
            after: deletions(freeing: created),
            flags: .upsert,
            header: isInsertOnly ? ("If-None-Match", "*") : nil
        )
        return created
    }
}

extension EntityBody {
    /// Whether the body changes nothing.
    package var isEmpty: Bool {
        values.isEmpty && undeclared.isEmpty && bindings.isEmpty && inline.isEmpty
    }
}
