package import ODataSQL
import ODataValues
package import ODataModel
import ODataPayload

/// Relations by keys and by link tables.
extension EntityEditor {
    /// Finds what a binding refers to, of a type that its navigation property leads to.
    func resolve(_ binding: EntityBody.Binding, from source: NavigationSource) throws
        -> EntityReference
    {
        let reference = try resolve(binding.reference)
        try checkTarget(reference, of: binding.navigation, from: source)
        return reference
    }

    /// Refuses an entity that a navigation property cannot lead to.
    private func checkTarget(
        _ reference: EntityReference,
        of navigation: NavigationPropertyID,
        from source: NavigationSource
    ) throws {
        try checkType(of: reference, navigation)
        try checkSet(of: reference, navigation, from: source)
    }

    /// Refuses an entity of another set than the property is bound to (OData CSDL XML 4.01 § 13.4): one of the same key would be taken
    /// for it.
    private func checkSet(
        of reference: EntityReference,
        _ navigation: NavigationPropertyID,
        from source: NavigationSource
    ) throws {
        guard case .entitySet = reference.source,
            let wanted = model.target(of: navigation, from: source), case .entitySet = wanted,
            wanted != reference.source
        else { return }
        throw EditError(
            .invalid,
            "\(model[navigation].name) leads to entities of \(model.name(of: wanted)), not of \(model.name(of: reference.source))"
        )
    }

    private func checkType(of reference: EntityReference, _ navigation: NavigationPropertyID) throws
    {
        guard !model[navigation].containsTarget, let wanted = model[navigation].target,
            let given = layout[reference.source]?.entityType,
            !model.type(given, isOrExtends: wanted), !model.type(wanted, isOrExtends: given)
        else { return }
        throw EditError(
            .invalid,
            "\(model[navigation].name) leads to entities of \(model[wanted].name), not of \(model[given].name)"
        )
    }

    /// Relates two entities by a navigation property of the first; a single-valued one, and a single-valued partner, leaves its former
    /// target.
    package func relate(
        _ source: RowReference,
        navigation: NavigationPropertyID,
        to reference: EntityReference
    ) throws {
        try checkTarget(reference, of: navigation, from: source.source)
        switch relationship(navigation, from: source.source) {
        case .contained:
            throw EditError(
                .invalid,
                "\(model[navigation].name) contains its entities: create one instead"
            )
        case .unbound:
            throw EditError(.invalid, "\(model[navigation].name) leads to no known set")
        case .dependent(let pairs): try copyKey(pairs, of: reference, into: source)
        case .principal(let pairs):
            // What only the service has is changed there alone.
            guard case .row(let target) = reference else { return }
            let flipped = pairs.map(\.flipped)
            try copyKey(flipped, of: .row(source), into: target)
        case .links(let table, let isReversed):
            if !model[navigation].isCollection {
                try leaveTarget(source.row, in: table, isReversed: isReversed)
            }
            guard case .row(let target) = reference else { return }
            if let partner = layout.partner(of: navigation), !model[partner].isCollection {
                try leaveTarget(target.row, in: table, isReversed: !isReversed)
            }
            try announce(
                source.row,
                to: target.row,
                in: table,
                isReversed: isReversed,
                isAdded: true
            )
            try rows.link(source.row, to: target.row, table: table, isReversed: isReversed)
            try report(source.row, to: target.row, in: table, isReversed: isReversed, isAdded: true)
        }
    }

    /// Ends a relation; of a single-valued property without naming the target.
    package func unrelate(
        _ source: RowReference,
        navigation: NavigationPropertyID,
        from target: RowReference?
    ) throws {
        switch relationship(navigation, from: source.source) {
        case .contained, .unbound:
            throw EditError(.invalid, "\(model[navigation].name) cannot be unlinked")
        case .dependent(let pairs): try clearKey(pairs, of: source)
        case .principal(let pairs):
            let targets = try target.map { [$0] } ?? soleTargets(of: source, navigation)
            for target in targets { try clearKey(pairs.map(\.flipped), of: target) }
        case .links(let table, let isReversed):
            if !model[navigation].isCollection {
                try journal.willReplaceLink(of: source.row, table: table, isReversed: isReversed)
            }
            try announceRemoval(source.row, to: target?.row, in: table, isReversed: isReversed)
            try rows.unlink(source.row, to: target?.row, table: table, isReversed: isReversed)
            try report(
                source.row,
                to: target?.row,
                in: table,
                isReversed: isReversed,
                isAdded: false
            )
        }
    }

    /// What a single-valued property leads to, which need not be named.
    private func soleTargets(
        of source: RowReference,
        _ navigation: NavigationPropertyID
    ) throws -> [RowReference] {
        guard !model[navigation].isCollection else {
            throw EditError(.invalid, "the entity to unlink is not named")
        }
        return try related(source, id: navigation)
    }

    /// Ends the link of an entity by a single-valued property, which is about to get another target.
    private func leaveTarget(_ row: Int64, in table: String, isReversed: Bool) throws {
        try journal.willReplaceLink(of: row, table: table, isReversed: isReversed)
        try announceRemoval(row, to: nil, in: table, isReversed: isReversed)
        try rows.unlink(row, to: nil, table: table, isReversed: isReversed)
    }

    private func announce(
        _ source: Int64,
        to target: Int64,
        in table: String,
        isReversed: Bool,
        isAdded: Bool
    ) throws {
        let (first, second) = isReversed ? (target, source) : (source, target)
        try journal.willLink(first, to: second, table: table, isAdded: isAdded)
    }

    /// Records each removed link in the journal.
    private func announceRemoval(
        _ source: Int64,
        to target: Int64?,
        in table: String,
        isReversed: Bool
    ) throws {
        for linked in try rows.linked(to: source, table: table, isReversed: isReversed)
        where target == nil || target == linked {
            try announce(source, to: linked, in: table, isReversed: isReversed, isAdded: false)
        }
    }

    private func report(
        _ source: Int64,
        to target: Int64?,
        in table: String,
        isReversed: Bool,
        isAdded: Bool
    ) throws {
        if isReversed, let target {
            try journal.linked(target, to: source, table: table, isAdded: isAdded)
        } else {
            try journal.linked(source, to: target, table: table, isAdded: isAdded)
        }
    }

    private func copyKey(
        _ pairs: [Relationship.ColumnPair],
        of principal: EntityReference,
        into dependent: RowReference
    ) throws {
        let table = try table(dependent.source)
        var body = EntityBody(
            plan: EntityPlan(type: table.entityType, destination: 0, members: [], isOpen: false)
        )
        try setForeignKey(&body, pairs: pairs, from: principal)
        try checkKeepsKey(body, pairs: pairs, of: dependent.row, in: table)
        try change(dependent, in: table, with: body)
    }

    /// Refuses a relation that would give an entity another key (OData 4.01 Part 1 § 11.4.3).
    func checkKeepsKey(
        _ body: EntityBody,
        pairs: [Relationship.ColumnPair],
        of row: Int64,
        in table: TableLayout
    ) throws {
        for pair in pairs where table.columns[pair.here].keyIndex != nil {
            let column = table.columns[pair.here]
            guard let present = try rows.value(column.sql, of: row, in: table), present != .null,
                !UnknownValue.isUnknown(present, in: column), present != body.value(of: pair.here)
            else { continue }
            throw EditError(
                .invalid,
                "the relation would change \(column.name), which is part of the entity's key"
            )
        }
    }

    func clearKey(_ pairs: [Relationship.ColumnPair], of dependent: RowReference) throws {
        let table = try table(dependent.source)
        for pair in pairs where !table.columns[pair.here].isNullable {
            throw EditError(.invalid, "\(table.columns[pair.here].name) cannot be null")
        }
        var body = EntityBody(
            plan: EntityPlan(type: table.entityType, destination: 0, members: [], isOpen: false)
        )
        for pair in pairs { body.set(.null, slot: pair.here) }
        try change(dependent, in: table, with: body)
    }

    /// Writes values of an entity and tells the journal.
    func change(_ entity: RowReference, in table: TableLayout, with body: EntityBody) throws {
        try journal.willChange(entity.row, in: table)
        try rows.update(entity.row, in: table, with: body)
        try journal.didChange(entity.row, in: table, to: body)
    }

    /// Gives a body the key of an entity that it depends on.
    func setForeignKey(
        _ body: inout EntityBody,
        pairs: [Relationship.ColumnPair],
        from principal: EntityReference
    ) throws {
        for pair in pairs {
            body.set(try value(at: pair.there, of: principal), slot: pair.here)
        }
    }

    /// A value of a referenced entity; of one that is not in these tables, only its key is known.
    private func value(at place: Int, of principal: EntityReference) throws -> Scalar {
        switch principal {
        case .row(let reference):
            let table = try table(reference.source)
            return try rows.value(table.columns[place].sql, of: reference.row, in: table) ?? .null
        case .outside(let source, let key):
            guard let table = layout[source],
                let index = table.keyColumns.firstIndex(of: place), key.indices.contains(index)
            else {
                throw EditError(
                    .notFound,
                    "the entity that the request refers to is not in the store, and its key alone does not make the relation"
                )
            }
            return key[index]
        }
    }
}
