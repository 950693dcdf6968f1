package import ODataSQL
import StoreRecords
import ODataValues
package import ODataBinding
import ODataPayload
package import ODataModel
import ODataAnswers
package import ODataTables

/// Changes that become several requests, or one of an unusual kind.
extension StoreTransaction: UpsertWriting {
    // MARK: Deep update

    /// Updates an entity with those inline in the body.
    ///
    /// Versions before 4.01 forbid inline entities in updates, so each becomes a request of its own (OData 4.01 Part 1 § 11.4.3.1): an
    /// entity with the key of an existing one is updated, any other created; a collection that is no delta is the whole of it.
    func updateDeep(_ body: EntityBody, of entity: RowReference, isReplacing: Bool) throws
        -> RowReference
    {
        let apart = separateLinks(of: body, isReplacing: isReplacing)
        let own = try ownPart(of: body, but: apart, entity)
        if isReplacing || !own.isEmpty {
            try update(entity, with: own, isReplacing: isReplacing)
        }
        try add(apart, to: entity)
        let editor = editor(ChangeRecorder(rows, flags: options.flags))
        for inline in body.inline where !editor.isOverruled(inline, by: body, from: entity.source) {
            try update(inline, of: entity, isReplacing: isReplacing)
        }
        return entity
    }

    /// Whether an update is more than one request.
    func isDeep(_ body: EntityBody, isReplacing: Bool) -> Bool {
        !body.inline.isEmpty || !separateLinks(of: body, isReplacing: isReplacing).isEmpty
    }

    /// The references that an update cannot say.
    ///
    /// Those of a collection are added by an update of version 4 (OData 4.0 Part 1 § 11.4.3); before, by requests of their own, and so is
    /// each reference beside a replacement, which services of these versions take for values alone.
    private func separateLinks(of body: EntityBody, isReplacing: Bool) -> [EntityBody.Binding] {
        guard !schema.model.version.isV4 else { return [] }
        return body.bindings.filter { isReplacing || schema.model[$0.navigation].isCollection }
    }

    /// What of a body one request says: its values and references, but no entity that a collection leads to already.
    private func ownPart(
        of body: EntityBody,
        but apart: [EntityBody.Binding],
        _ entity: RowReference
    ) throws -> EntityBody {
        var own = body
        own.inline = []
        let others = Set(apart.map(\.navigation))
        let whole = Set(body.inline.filter { !$0.references.isEmpty }.map(\.navigation))
        let editor = editor(ChangeRecorder(rows, flags: options.flags))
        own.bindings = try body.bindings.filter { binding in
            guard !others.contains(binding.navigation) else { return false }
            guard schema.model[binding.navigation].isCollection else { return true }
            guard whole.contains(binding.navigation), let row = try find(binding.reference).row
            else { return true }
            return try !editor.related(entity, id: binding.navigation).contains { $0.row == row }
        }
        return own
    }

    private func add(_ bindings: [EntityBody.Binding], to entity: RowReference) throws {
        let editor = editor(ChangeRecorder(rows, flags: options.flags))
        for binding in bindings {
            let target = try find(binding.reference)
            let related = try editor.related(entity, id: binding.navigation)
            guard !related.contains(where: { $0.row == target.row }) else { continue }
            try addLink(entity, navigation: binding.navigation, to: target)
        }
    }

    private func update(
        _ inline: EntityBody.Inline,
        of entity: RowReference,
        isReplacing: Bool
    ) throws {
        let navigation = inline.navigation
        guard let target = schema.model.target(of: navigation, from: entity.source) else {
            throw EditError(.invalid, "\(schema.model[navigation].name) leads to no known set")
        }
        try editor(ChangeRecorder(rows, flags: options.flags))
            .checkUpdatable(inline, isReplacing: isReplacing)
        var kept: [RowReference] = []
        for inner in inline.entities {
            kept.append(
                try take(
                    inner,
                    navigation: navigation,
                    target: target,
                    of: entity,
                    isReplacing: isReplacing
                )
            )
        }
        for reference in inline.references {
            if case .row(let row) = try find(reference) { kept.append(row) }
        }
        for removal in inline.removals { try remove(removal, navigation: navigation, of: entity) }
        guard !inline.isDelta else { return }
        try leaveOut(navigation, of: entity, but: kept)
        if inline.isEmpty { try leaveTargetOutside(navigation, of: entity) }
    }

    /// Carries out `@removed` of a collection's delta (OData JSON 4.01 § 15.3).
    private func remove(
        _ removal: EntityBody.Removal,
        navigation: NavigationPropertyID,
        of entity: RowReference
    ) throws {
        let editor = editor(ChangeRecorder(rows, flags: options.flags))
        let target = try find(editor.reference(removal, navigation: navigation, of: entity))
        guard removal.reason == .deleted || schema.model[navigation].containsTarget else {
            return try removeLink(entity, navigation: navigation, from: target)
        }
        guard case .row(let row) = target else {
            throw EditError(
                .notFound,
                "an entity to be deleted with \(schema.model[navigation].name)@delta is not in the store"
            )
        }
        try delete(at: path(of: row), precondition: .none)
    }

    /// Clears the foreign key to an entity that only the service has.
    private func leaveTargetOutside(
        _ navigation: NavigationPropertyID,
        of entity: RowReference
    ) throws {
        let target = schema.model.target(of: navigation, from: entity.source)
        guard
            case .dependent(let pairs) = schema.layout.relationship(
                navigation,
                from: entity.source,
                to: target
            ), let table = schema.layout[entity.source],
            let values = try rows.values(of: entity.row, in: table),
            pairs.contains(where: { values[$0.here] != .null })
        else { return }
        try removeLink(entity, navigation: navigation, from: nil)
    }

    private func take(
        _ inner: EntityBody,
        navigation: NavigationPropertyID,
        target: NavigationSource,
        of entity: RowReference,
        isReplacing: Bool
    ) throws -> RowReference {
        let editor = editor(ChangeRecorder(rows, flags: options.flags))
        guard
            let row = try editor.row(of: inner, navigation: navigation, target: target, of: entity)
        else {
            return try add(inner, navigation: navigation, target: target, to: entity)
        }
        let reference = RowReference(source: target, row: row)
        var changed = inner
        let keys = Set(schema.layout[target]?.keyColumns ?? [])
        changed.values.removeAll { keys.contains($0.slot) }
        if isReplacing || !changed.isEmpty {
            _ = try update(
                changed,
                at: path(of: reference),
                isReplacing: isReplacing,
                precondition: .none
            )
        }
        if try !schema.model[navigation].containsTarget
            && !editor.related(entity, id: navigation).contains(reference)
        {
            try addLink(entity, navigation: navigation, to: .row(reference))
        }
        return reference
    }

    /// Creates an entity that another one leads to.
    private func add(
        _ inner: EntityBody,
        navigation: NavigationPropertyID,
        target: NavigationSource,
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
        try addLink(entity, navigation: navigation, to: .row(created))
        return created
    }

    private func leaveOut(
        _ navigation: NavigationPropertyID,
        of entity: RowReference,
        but kept: [RowReference]
    ) throws {
        let editor = editor(ChangeRecorder(rows, flags: options.flags))
        for related in try editor.related(entity, id: navigation) where !kept.contains(related) {
            if schema.model[navigation].containsTarget {
                try delete(at: path(of: related), precondition: .none)
            } else {
                try removeLink(entity, navigation: navigation, from: .row(related))
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

    /// Whether a single-valued navigation property leads from an entity to one in the store.
    package func leads(_ navigation: NavigationPropertyID, from entity: RowReference) throws -> Bool
    {
        guard !schema.model[navigation].isCollection else { return false }
        return try !related(navigation, of: entity).isEmpty
    }

    /// The entities in the store that a navigation property leads to.
    package func related(_ navigation: NavigationPropertyID, of entity: RowReference) throws
        -> [RowReference]
    {
        try editor(ChangeRecorder(rows, flags: options.flags)).related(entity, id: navigation)
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
            url: link(created),
            body: json(body),
            affected: created,
            referred: referredRows(body) + recorder.insertedRows,
            recorder: recorder,
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
