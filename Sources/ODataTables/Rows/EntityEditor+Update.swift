package import ODataModel
import ODataProtocol

/// Merging into entities, and replacing them.
extension EntityEditor {
    /// Merges a body into an entity; or replaces it, so that properties not mentioned get their default or null.
    package func update(_ entity: RowReference, with body: EntityBody, isReplacing: Bool) throws {
        let table = try table(entity.source)
        var body = body
        try journal.willTake(&body, for: entity.row, in: table)
        if isReplacing {
            try takeOwnType(&body, entity.row, table)
            try resetAbsent(&body, table)
        }
        var later: [EntityBody.Binding] = []
        for binding in body.bindings {
            if case .dependent(let pairs) = relationship(binding.navigation, entity.source) {
                try setForeignKey(&body, pairs, from: resolve(binding.reference))
            } else {
                later.append(binding)
            }
        }
        try journal.willSet(body, of: entity.row, in: table)
        try journal.willChange(entity.row, in: table)
        try rows.update(entity.row, in: table, with: body)
        try journal.didChange(entity.row, in: table, to: body)
        for binding in later {
            try relate(entity, binding.navigation, to: resolve(binding.reference))
        }
        try updateInline(body.inline, of: entity)
    }

    /// A body that names no type replaces all that the entity has, what derived types declare too.
    private func takeOwnType(_ body: inout EntityBody, _ row: Int64, _ table: TableLayout) throws {
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

    /// Sets everything that a replacing body leaves out to its default or null, but for the key and what clients cannot change.
    ///
    /// The key of an entity is that of its URL, whatever default the model declares (OData 4.01 Part 1 § 11.4.3).
    private func resetAbsent(_ body: inout EntityBody, _ table: TableLayout) throws {
        let given = Set(body.values.map(\.slot))
        let fixed = Set(
            model.properties(of: body.plan.type)
                .filter { $0.isComputed || $0.isImmutable || $0.isReadOnly }.map(\.name)
        )
        func isFixed(_ slot: Int) -> Bool {
            table.columns[slot].keyIndex != nil || fixed.contains(table.columns[slot].path[0])
        }
        try setDefaults(&body, table)
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

    /// Deep update: an inline entity with a known key is updated and related, any other created (OData 4.01 Part 1 § 11.4.3.1).
    ///
    /// A collection that is no delta is the whole of it: entities that it leaves out are related no more, contained ones go.
    private func updateInline(_ inlines: [EntityBody.Inline], of entity: RowReference) throws {
        for inline in inlines {
            guard let target = model.target(of: inline.navigation, from: entity.source) else {
                throw EditError(.invalid, "\(model[inline.navigation].name) leads to no known set")
            }
            let kept = try inline.entities.map {
                try take($0, inline.navigation, target, of: entity)
            }
            guard !inline.isDelta else { continue }
            for related in try related(entity, inline.navigation)
            where !kept.contains(related) {
                if model[inline.navigation].containsTarget {
                    try delete(related)
                } else {
                    try unrelate(entity, inline.navigation, from: related)
                }
            }
        }
    }

    private func take(
        _ inner: EntityBody,
        _ navigation: NavigationPropertyID,
        _ target: NavigationSource,
        of entity: RowReference
    ) throws -> RowReference {
        guard let row = try row(of: inner, navigation, target, of: entity) else {
            return try create(
                inner,
                in: target,
                through: .init(entity: entity, navigation: navigation)
            )
        }
        let reference = RowReference(source: target, row: row)
        try update(reference, with: inner, isReplacing: false)
        if try !model[navigation].containsTarget && !related(entity, navigation).contains(reference)
        {
            try relate(entity, navigation, to: .row(reference))
        }
        return reference
    }

    /// The row that an inline entity means by its key; of contained entities, among those of the parent.
    package func row(
        of inner: EntityBody,
        _ navigation: NavigationPropertyID,
        _ target: NavigationSource,
        of entity: RowReference
    ) throws -> Int64? {
        let table = try table(target)
        let key = table.keyColumns.map { inner.value(of: $0) ?? .null }
        guard !key.isEmpty, !key.contains(.null) else { return nil }
        let parent = model[navigation].containsTarget ? entity.row : nil
        return try rows.row(withKey: key, in: table, parent: parent)
    }
}
