package import ODataSQL
import ODataValues
package import ODataModel
import ODataPayload

/// Merging into entities, and replacing them.
extension EntityEditor {
    /// Merges a body into an entity; or replaces it, so that properties not mentioned get their default or null.
    ///
    /// - Parameter keepsRelations: Whether a replacement leaves foreign keys that it does not mention as they are.
    package func update(
        _ entity: RowReference,
        with body: EntityBody,
        isReplacing: Bool,
        keepsRelations: Bool = true
    ) throws {
        let table = try table(entity.source)
        var body = body
        try journal.willTake(&body, for: entity.row, in: table)
        if isReplacing {
            try takeOwnType(&body, row: entity.row, in: table)
            try resetAbsent(&body, in: table, keepsRelations: keepsRelations)
            try removeDynamic(&body, row: entity.row, in: table)
        } else {
            try completeMade(&body, row: entity.row, in: table)
        }
        var later: [EntityBody.Binding] = []
        for binding in body.bindings {
            if case .dependent(let pairs) = relationship(binding.navigation, from: entity.source) {
                try setForeignKey(&body, pairs: pairs, from: resolve(binding, from: entity.source))
                try checkKeepsKey(body, pairs: pairs, of: entity.row, in: table)
            } else {
                later.append(binding)
            }
        }
        try journal.willSet(body, of: entity.row, in: table)
        try change(entity, in: table, with: body)
        for binding in later {
            try relate(entity, navigation: binding.navigation, to: resolve(binding.reference))
        }
        try updateInline(
            body.inline.filter { !isOverruled($0, by: body, from: entity.source) },
            of: entity,
            isReplacing: isReplacing
        )
    }

    /// A body that names no type replaces all that the entity has, what derived types declare too.
    private func takeOwnType(_ body: inout EntityBody, row: Int64, in table: TableLayout) throws {
        guard let own = try rows.type(of: row, in: table), own != body.plan.type,
            model.type(own, isOrExtends: body.plan.type)
        else { return }
        body.plan = EntityPlan(
            type: own,
            destination: body.plan.destination,
            members: body.plan.members,
            isOpen: body.plan.isOpen
        )
    }

    /// Sets everything that a replacing body leaves out to its default or null, but for the key, foreign keys, and what clients cannot
    /// change.
    ///
    /// The key of an entity is that of its URL, whatever default the model declares; a body without the foreign key leaves the relation
    /// as it is (OData 4.01 Part 1 § 11.4.3).
    private func resetAbsent(
        _ body: inout EntityBody,
        in table: TableLayout,
        keepsRelations: Bool
    ) throws {
        let given = Set(body.values.map(\.slot))
        let fixed = Set(
            model.properties(of: body.plan.type)
                .filter { $0.isComputed || $0.isImmutable || $0.isReadOnly }.map(\.name)
        )
        let foreign = keepsRelations ? layout.keptForeignKey(of: table) : []
        func isFixed(_ slot: Int) -> Bool {
            table.holdsKey(slot, of: body.plan.type, in: model) || foreign.contains(slot)
                || fixed.contains(table.columns[slot].path[0])
        }
        try setDefaults(&body, in: table)
        body.values.removeAll { !given.contains($0.slot) && isFixed($0.slot) }
        let mentioned = Set(body.values.map(\.slot))
        for slot in table.columns(of: body.plan.type, in: model)
        where !mentioned.contains(slot) && !isFixed(slot) {
            let column = table.columns[slot]
            let isCollection =
                column.path.count == 1
                && model.property(column.path[0], of: body.plan.type)?.type.isCollection ?? false
            body.set(isCollection ? .text("[]") : .null, slot: slot)
        }
    }

    /// Gives complex values that a body makes where there was null the default values of what it leaves out.
    private func completeMade(_ body: inout EntityBody, row: Int64, in table: TableLayout) throws {
        let inner = table.typeColumns(of: body.plan.type, in: model).defaults.filter { known in
            known.presence.map { body.value(of: $0) == .integer(1) } ?? false
                && !body.mentions(known.place)
        }
        guard !inner.isEmpty, let present = try rows.values(of: row, in: table) else { return }
        for known in inner where known.presence.map({ present[$0] == .null }) ?? false {
            body.set(known.value, slot: known.place)
        }
    }

    /// Missing dynamic properties are removed (OData 4.01 Part 1 § 11.4.3).
    private func removeDynamic(_ body: inout EntityBody, row: Int64, in table: TableLayout) throws {
        let given = Set(body.undeclared.map(\.name))
        let fixed = model.properties(of: body.plan.type)
            .filter { $0.isComputed || $0.isImmutable || $0.isReadOnly }.map(\.name)
        for name in try rows.members(.dynamic, of: row, named: table.name).keys.sorted()
        where !given.contains(name) && !fixed.contains(name) {
            body.undeclared.append((name: name, json: "null"))
        }
    }

    /// Deep update: an inline entity with a known key is updated and related, any other created (OData 4.01 Part 1 § 11.4.3.1).
    ///
    /// A collection that is no delta is the whole of it: entities that it leaves out are related no more, contained ones go. Entities in a
    /// body that replaces are replaced as well.
    private func updateInline(
        _ inlines: [EntityBody.Inline],
        of entity: RowReference,
        isReplacing: Bool
    ) throws {
        for inline in inlines {
            guard let target = model.target(of: inline.navigation, from: entity.source) else {
                throw EditError(.invalid, "\(model[inline.navigation].name) leads to no known set")
            }
            try checkUpdatable(inline, isReplacing: isReplacing)
            var kept = try inline.entities.map {
                try take(
                    $0,
                    navigation: inline.navigation,
                    target: target,
                    of: entity,
                    isReplacing: isReplacing
                )
            }
            kept += try inline.references.compactMap { try row(resolve($0)) }
            for removal in inline.removals {
                try remove(removal, navigation: inline.navigation, of: entity)
            }
            guard !inline.isDelta else { continue }
            for related in try related(entity, id: inline.navigation)
            where !kept.contains(related) {
                try leave(related, navigation: inline.navigation, of: entity)
            }
        }
    }

    private func row(_ reference: EntityReference) -> RowReference? {
        if case .row(let row) = reference { row } else { nil }
    }

    private func leave(
        _ related: RowReference,
        navigation: NavigationPropertyID,
        of entity: RowReference
    ) throws {
        if model[navigation].containsTarget {
            try delete(related)
        } else {
            try unrelate(entity, navigation: navigation, from: related)
        }
    }

    private func remove(
        _ removal: EntityBody.Removal,
        navigation: NavigationPropertyID,
        of entity: RowReference
    ) throws {
        guard
            let related = try row(
                resolve(self.reference(removal, navigation: navigation, of: entity))
            )
        else {
            throw EditError(.notFound, "an entity to be removed is not in these tables")
        }
        if removal.reason == .deleted {
            try delete(related)
        } else {
            try leave(related, navigation: navigation, of: entity)
        }
    }

    /// Whether a foreign key in the same body says more than null in place of an entity, as in the echo of a read that could not
    /// show an entity of the service.
    package func isOverruled(
        _ inline: EntityBody.Inline,
        by body: EntityBody,
        from source: NavigationSource
    ) -> Bool {
        guard inline.isEmpty,
            case .dependent(let pairs) = relationship(inline.navigation, from: source)
        else { return false }
        return pairs.contains { (body.value(of: $0.here) ?? .null) != .null }
    }

    /// Refuses a delta in a replacement, removals in a whole collection, and a collection whose rest stands behind a link: what it leaves
    /// out is not known (OData 4.01 Part 1 § 11.4.3.1).
    package func checkUpdatable(_ inline: EntityBody.Inline, isReplacing: Bool) throws {
        let name = model[inline.navigation].name
        if inline.isDelta {
            guard isReplacing else { return }
            throw EditError(.invalid, "\(name)@delta is for PATCH: PUT has the whole of \(name)")
        }
        guard inline.removals.isEmpty else {
            throw EditError(.invalid, "\(name) is all that stays: send removals as \(name)@delta")
        }
        guard inline.isPartial else { return }
        throw EditError(
            .invalid,
            "\(name) is a page of its entities with a link to the rest: send changes as \(name)@delta"
        )
    }

    /// Returns the reference by which an entity to be removed can be found.
    package func reference(
        _ removal: EntityBody.Removal,
        navigation: NavigationPropertyID,
        of entity: RowReference
    ) throws -> String {
        guard removal.id.hasPrefix("(") else { return removal.id }
        if !model[navigation].containsTarget,
            let target = model.target(of: navigation, from: entity.source)
        {
            return model.name(of: target) + removal.id
        }
        guard let link = try EntityLink(rows).link(entity) else {
            throw EditError(.notFound, "the entity cannot be addressed")
        }
        return link + EntityLink(rows).path(from: entity.source, to: navigation) + removal.id
    }

    private func take(
        _ inner: EntityBody,
        navigation: NavigationPropertyID,
        target: NavigationSource,
        of entity: RowReference,
        isReplacing: Bool
    ) throws -> RowReference {
        guard let row = try row(of: inner, navigation: navigation, target: target, of: entity)
        else {
            return try create(
                inner,
                in: target,
                through: .init(entity: entity, navigation: navigation)
            )
        }
        let reference = RowReference(source: target, row: row)
        try update(reference, with: inner, isReplacing: isReplacing)
        if try !model[navigation].containsTarget
            && !related(entity, id: navigation).contains(reference)
        {
            try relate(entity, navigation: navigation, to: .row(reference))
        }
        return reference
    }

    /// The row that an inline entity means by its key, else by its id; of contained entities, among those of the parent.
    package func row(
        of inner: EntityBody,
        navigation: NavigationPropertyID,
        target: NavigationSource,
        of entity: RowReference
    ) throws -> Int64? {
        let table = try table(target)
        var inner = inner
        try setInheritedKey(&inner, navigation: navigation, of: entity)
        let key = table.keyColumns.map { inner.value(of: $0) ?? .null }
        guard !key.isEmpty, !key.contains(.null) else {
            return try inner.control[.id].map { try row(named: $0, in: target) }
        }
        let parent = model[navigation].containsTarget ? entity.row : nil
        let found = try rows.row(withKey: key, in: table, parent: parent)
        try checkID(of: inner, means: found)
        return found
    }

    /// Refuses an id that is that of another entity than the key (OData 4.01 Part 1 § 11.4.3.1); one that cannot be resolved says nothing.
    private func checkID(of inner: EntityBody, means row: Int64?) throws {
        guard let id = inner.control[.id], let other = try rowIfAny(id), other.row != row else {
            return
        }
        throw EditError(.invalid, "the id and the key of an inline entity are not of the same one")
    }

    /// Key properties that a referential constraint takes from the entity around; they need not stand in the body.
    private func setInheritedKey(
        _ inner: inout EntityBody,
        navigation: NavigationPropertyID,
        of entity: RowReference
    ) throws {
        let absent = inheritedPairs(navigation, from: entity.source)
            .filter { !inner.mentions($0.here) }
        try setForeignKey(&inner, pairs: absent, from: .row(entity))
    }

    /// The row of an inline entity without key, found by nothing but its id.
    private func row(named id: String, in target: NavigationSource) throws -> Int64 {
        guard case .row(let reference) = try resolve(id), reference.source == target else {
            throw EditError(
                .notFound,
                "the entity that an inline entity names by its id is not here"
            )
        }
        return reference.row
    }
}
