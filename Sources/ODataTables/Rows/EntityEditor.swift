package import ODataModel
import ODataProtocol

/// Carries out creates, updates, deletes and links of entities with all that hangs on them; used inside a write transaction.
///
/// It knows the model's relationships and nothing of queues or ETags: a journal sees to what a service or a store keeps besides.
package struct EntityEditor {
    package let rows: RowEditor
    package let journal: any RowJournal
    /// Finds the row that a reference in a payload means.
    package let resolve: (String) throws -> EntityReference

    package var layout: Layout { rows.layout }
    package var model: EdmModel { rows.layout.model }

    /// Inline entities nested deeper than this are refused.
    static let maximumDepth = 32

    package init(
        _ rows: RowEditor,
        journal: any RowJournal,
        resolve: @escaping (String) throws -> EntityReference
    ) {
        self.rows = rows
        self.journal = journal
        self.resolve = resolve
    }

    func table(_ source: NavigationSource) throws -> TableLayout {
        try rows.catalog.ensureTable(source)
    }
}

// MARK: - Create

extension EntityEditor {
    /// Where a created entity belongs: the entity and the navigation property that it is created through.
    package struct Parent {
        package var entity: RowReference
        package var navigation: NavigationPropertyID

        package init(entity: RowReference, navigation: NavigationPropertyID) {
            self.entity = entity
            self.navigation = navigation
        }
    }

    /// Creates an entity with its inline entities and references, and answers its row.
    @discardableResult
    package func create(
        _ body: EntityBody,
        in source: NavigationSource,
        through parent: Parent? = nil,
        depth: Int = 0
    ) throws -> RowReference {
        guard depth <= Self.maximumDepth else {
            throw EditError(.invalid, "entities are nested deeper than \(Self.maximumDepth) levels")
        }
        let table = try table(source)
        guard !layout.model[body.plan.type].isAbstract else {
            throw EditError(
                .invalid,
                "\(model[body.plan.type].name) is abstract: name a derived type"
            )
        }
        var body = body
        try journal.willTake(&body, for: nil, in: table)
        let row = try rows.connection.takeRowID()
        let reference = RowReference(source: source, row: row)
        try setDefaults(&body, table)
        let later = try takePrincipals(&body, source, table, depth)
        let container = try parent.flatMap { try attach(&body, table, to: $0) }
        var system = try journal.prepare(&body, as: row, in: table)
        system.parent = container
        try checkKey(body, table, parent: container)
        try rows.insert(body, as: row, into: table, absent: .null, system: system)
        try journal.inserted(row, in: table)
        try relateLater(later, to: reference, parent, depth)
        return reference
    }

    /// Declared default values of properties that the body does not mention.
    func setDefaults(_ body: inout EntityBody, _ table: TableLayout) throws {
        for known in table.typeColumns(of: body.plan.type, in: layout.model).defaults
        where !body.mentions(known.place) {
            body.set(known.value, slot: known.place)
        }
    }

    private func checkKey(_ body: EntityBody, _ table: TableLayout, parent: Int64?) throws {
        let key = table.keyColumns.map { body.value(of: $0) ?? .null }
        guard !key.isEmpty, !key.contains(.null) else { return }
        if try rows.row(withKey: key, in: table, parent: parent) != nil {
            throw EditError(.duplicateKey, "an entity with this key is in \(table.name) already")
        }
    }

    /// What can be related only once the row is there.
    private struct Later {
        var bindings: [EntityBody.Binding] = []
        var inline: [EntityBody.Inline] = []
    }

    /// Sets the foreign keys of references to entities that come before this one; answers the rest.
    private func takePrincipals(
        _ body: inout EntityBody,
        _ source: NavigationSource,
        _ table: TableLayout,
        _ depth: Int
    ) throws -> Later {
        var later = Later()
        for binding in body.bindings {
            if case .dependent(let pairs) = relationship(binding.navigation, source) {
                try setForeignKey(&body, pairs, from: resolve(binding.reference))
            } else {
                later.bindings.append(binding)
            }
        }
        for inline in body.inline {
            guard case .dependent(let pairs) = relationship(inline.navigation, source),
                let target = model.target(of: inline.navigation, from: source)
            else {
                later.inline.append(inline)
                continue
            }
            guard let inner = inline.entities.first else { continue }
            let created = try create(inner, in: target, depth: depth + 1)
            try setForeignKey(&body, pairs, from: .row(created))
        }
        return later
    }

    private func setForeignKey(
        _ body: inout EntityBody,
        _ pairs: [Relationship.ColumnPair],
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

    /// Gives a body what makes it a child by its key; answers the row that contains it, where one does.
    private func attach(
        _ body: inout EntityBody,
        _ table: TableLayout,
        to parent: Parent
    ) throws -> Int64? {
        switch relationship(parent.navigation, parent.entity.source) {
        case .contained: return parent.entity.row
        case .principal(let pairs):
            let flipped = pairs.map { Relationship.ColumnPair(here: $0.there, there: $0.here) }
            try setForeignKey(&body, flipped, from: .row(parent.entity))
        case .dependent, .links, .unbound: break
        }
        return nil
    }

    private func relateLater(
        _ later: Later,
        to reference: RowReference,
        _ parent: Parent?,
        _ depth: Int
    ) throws {
        if let parent, !isByColumns(parent.navigation, parent.entity.source) {
            try relate(parent.entity, parent.navigation, to: .row(reference))
        }
        for binding in later.bindings {
            try relate(reference, binding.navigation, to: resolve(binding.reference))
        }
        for inline in later.inline {
            guard let target = model.target(of: inline.navigation, from: reference.source) else {
                throw EditError(.invalid, "\(model[inline.navigation].name) leads to no known set")
            }
            for entity in inline.entities {
                try create(
                    entity,
                    in: target,
                    through: Parent(entity: reference, navigation: inline.navigation),
                    depth: depth + 1
                )
            }
        }
    }

    private func isByColumns(_ id: NavigationPropertyID, _ source: NavigationSource) -> Bool {
        switch relationship(id, source) {
        case .contained, .principal: true
        case .dependent, .links, .unbound: false
        }
    }

    func relationship(_ id: NavigationPropertyID, _ source: NavigationSource) -> Relationship {
        layout.relationship(id, from: source, to: model.target(of: id, from: source))
    }
}

// MARK: - Update

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

    /// Everything that a replacing body leaves out, but for the key and what clients cannot change.
    private func resetAbsent(_ body: inout EntityBody, _ table: TableLayout) throws {
        try setDefaults(&body, table)
        let mentioned = Set(body.values.map(\.slot))
        let fixed = Set(
            model.properties(of: body.plan.type)
                .filter { $0.isComputed || $0.isImmutable || $0.isReadOnly }.map(\.name)
        )
        for slot in table.columns(of: body.plan.type, in: model) where !mentioned.contains(slot) {
            let column = table.columns[slot]
            guard column.keyIndex == nil, !fixed.contains(column.path[0]) else { continue }
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

// MARK: - Relating

extension EntityEditor {
    /// Relates two entities by a navigation property of the first; a single-valued one, and a single-valued partner, leaves its former
    /// target.
    package func relate(
        _ source: RowReference,
        _ navigation: NavigationPropertyID,
        to reference: EntityReference
    ) throws {
        switch relationship(navigation, source.source) {
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
            let flipped = pairs.map { Relationship.ColumnPair(here: $0.there, there: $0.here) }
            try copyKey(flipped, of: .row(source), into: target)
        case .links(let table, let isReversed):
            if !model[navigation].isCollection {
                try leaveTarget(source.row, table, isReversed)
            }
            guard case .row(let target) = reference else { return }
            if let partner = layout.partner(of: navigation), !model[partner].isCollection {
                try leaveTarget(target.row, table, !isReversed)
            }
            try announce(source.row, target.row, table, isReversed, isAdded: true)
            try rows.link(source.row, target.row, table: table, isReversed: isReversed)
            try report(source.row, target.row, table, isReversed, isAdded: true)
        }
    }

    /// Ends a relation; of a single-valued property without naming the target.
    package func unrelate(
        _ source: RowReference,
        _ navigation: NavigationPropertyID,
        from target: RowReference?
    ) throws {
        switch relationship(navigation, source.source) {
        case .contained, .unbound:
            throw EditError(.invalid, "\(model[navigation].name) cannot be unlinked")
        case .dependent(let pairs): try clearKey(pairs, of: source)
        case .principal(let pairs):
            guard let target else { throw EditError(.invalid, "the entity to unlink is not named") }
            try clearKey(pairs.map { .init(here: $0.there, there: $0.here) }, of: target)
        case .links(let table, let isReversed):
            if !model[navigation].isCollection {
                try journal.willReplaceLink(of: source.row, table: table, isReversed: isReversed)
            }
            try announceRemoval(source.row, target?.row, table, isReversed)
            try rows.unlink(source.row, target?.row, table: table, isReversed: isReversed)
            try report(source.row, target?.row, table, isReversed, isAdded: false)
        }
    }

    /// Ends the link of an entity by a single-valued property, which is about to get another target.
    private func leaveTarget(_ row: Int64, _ table: String, _ isReversed: Bool) throws {
        try journal.willReplaceLink(of: row, table: table, isReversed: isReversed)
        try announceRemoval(row, nil, table, isReversed)
        try rows.unlink(row, nil, table: table, isReversed: isReversed)
    }

    private func announce(
        _ source: Int64,
        _ target: Int64,
        _ table: String,
        _ isReversed: Bool,
        isAdded: Bool
    ) throws {
        let (first, second) = isReversed ? (target, source) : (source, target)
        try journal.willLink(first, second, table: table, isAdded: isAdded)
    }

    /// Tells the journal of each link that goes.
    private func announceRemoval(
        _ source: Int64,
        _ target: Int64?,
        _ table: String,
        _ isReversed: Bool
    ) throws {
        for linked in try rows.linked(to: source, table: table, isReversed: isReversed)
        where target == nil || target == linked {
            try announce(source, linked, table, isReversed, isAdded: false)
        }
    }

    private func report(
        _ source: Int64,
        _ target: Int64?,
        _ table: String,
        _ isReversed: Bool,
        isAdded: Bool
    ) throws {
        if isReversed, let target {
            try journal.linked(target, source, table: table, isAdded: isAdded)
        } else {
            try journal.linked(source, target, table: table, isAdded: isAdded)
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
        try setForeignKey(&body, pairs, from: principal)
        try journal.willChange(dependent.row, in: table)
        try rows.update(dependent.row, in: table, with: body)
        try journal.didChange(dependent.row, in: table, to: body)
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
        try journal.willChange(dependent.row, in: table)
        try rows.update(dependent.row, in: table, with: body)
        try journal.didChange(dependent.row, in: table, to: body)
    }
}
