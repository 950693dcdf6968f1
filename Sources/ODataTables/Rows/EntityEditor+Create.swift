package import ODataSQL
import ODataSQLite
import ODataValues
import ODataPayload
package import ODataModel

/// Creating entities with all that comes inline.
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
        try setDefaults(&body, in: table)
        let later = try takePrincipals(&body, from: source, in: table, depth: depth)
        let container = try parent.flatMap { try attach(&body, in: table, to: $0) }
        var system = try journal.prepare(&body, as: row, in: table)
        system.parent = container
        try checkKey(body, in: table, parent: container)
        try rows.insert(body, as: row, into: table, absent: .null, system: system)
        try journal.inserted(row, in: table)
        try relateLater(later, to: reference, in: parent, depth: depth)
        return reference
    }

    /// Declared default values of properties that the body does not mention; a complex value that cannot be null is there,
    /// made of its defaults.
    func setDefaults(_ body: inout EntityBody, in table: TableLayout) throws {
        let columns = table.typeColumns(of: body.plan.type, in: layout.model)
        for complex in columns.requiredComplex
        where complex.isMadeOfDefaults && !body.mentions(complex.place)
            && isPresent(complex.outer, in: body)
        {
            body.set(.integer(1), slot: complex.place)
        }
        for known in columns.defaults
        where !body.mentions(known.place) && isPresent(known.presence, in: body) {
            body.set(known.value, slot: known.place)
        }
    }

    /// Whether there is a complex value; always true for the entity itself.
    private func isPresent(_ place: Int?, in body: EntityBody) -> Bool {
        place.map { body.value(of: $0) == .integer(1) } ?? true
    }

    private func checkKey(_ body: EntityBody, in table: TableLayout, parent: Int64?) throws {
        let key = table.keyColumns.map { body.value(of: $0) ?? .null }
        guard !key.isEmpty, !key.contains(.null) else { return }
        if try rows.row(withKey: key, in: table, parent: parent) != nil {
            throw EditError(.duplicateKey, "an entity with this key is in \(table.name) already")
        }
    }

    /// Relations that need the row to exist first.
    private struct Later {
        var bindings: [EntityBody.Binding] = []
        var inline: [EntityBody.Inline] = []
    }

    /// Sets the foreign keys of references to entities that come before this one; answers the rest.
    private func takePrincipals(
        _ body: inout EntityBody,
        from source: NavigationSource,
        in table: TableLayout,
        depth: Int
    ) throws -> Later {
        var later = Later()
        for binding in body.bindings {
            if case .dependent(let pairs) = relationship(binding.navigation, from: source) {
                try setForeignKey(&body, pairs: pairs, from: resolve(binding, from: source))
            } else {
                later.bindings.append(binding)
            }
        }
        for inline in body.inline {
            try checkInsertable(inline)
            guard case .dependent(let pairs) = relationship(inline.navigation, from: source),
                let target = model.target(of: inline.navigation, from: source)
            else {
                later.inline.append(inline)
                continue
            }
            guard let inner = inline.entities.first else { continue }
            let created = try create(inner, in: target, depth: depth + 1)
            try setForeignKey(&body, pairs: pairs, from: .row(created))
        }
        return later
    }

    /// Refuses what only an update can say: removals, and values of entities that are there already.
    private func checkInsertable(_ inline: EntityBody.Inline) throws {
        let name = model[inline.navigation].name
        guard inline.removals.isEmpty else {
            throw EditError(.invalid, "\(name)@delta removes entities, but a new one has none")
        }
        for entity in inline.entities {
            guard let id = entity.control[.id], try rowIfAny(id) != nil else { continue }
            throw EditError(
                .invalid,
                "an entity in \(name) exists already: bind it by \(name)@odata.bind, and change it by its own URL"
            )
        }
    }

    /// The entity here of an id; nil for one that cannot be resolved.
    ///
    /// - Throws: `SQLiteError` if the tables cannot be read, which is no missing entity.
    func rowIfAny(_ id: String) throws -> RowReference? {
        do {
            if case .row(let row) = try resolve(id) { return row }
            return nil
        } catch let error as SQLiteError {
            throw error
        } catch {
            return nil
        }
    }

    /// Gives a body what makes it a child by its key; answers the row that contains it, where one does.
    private func attach(
        _ body: inout EntityBody,
        in table: TableLayout,
        to parent: Parent
    ) throws -> Int64? {
        switch relationship(parent.navigation, from: parent.entity.source) {
        case .contained:
            try inherit(&body, in: table, from: parent)
            return parent.entity.row
        case .principal(let pairs):
            let flipped = pairs.map(\.flipped)
            let bound = boundSlots(of: body, from: table.source)
            let said = body
            try setForeignKey(&body, pairs: flipped, from: .row(parent.entity))
            // OData 4.01 Part 1 § 11.4.2.1.
            for pair in flipped
            where bound.contains(pair.here)
                && said.value(of: pair.here) != body.value(of: pair.here)
            {
                throw EditError(
                    .invalid,
                    "the body relates the entity to another one than the URL does (\(table.columns[pair.here].name))"
                )
            }
        case .dependent, .links, .unbound: break
        }
        return nil
    }

    /// Foreign keys that follow from what a body binds or creates inline.
    private func boundSlots(of body: EntityBody, from source: NavigationSource) -> Set<Int> {
        let navigations = body.bindings.map(\.navigation) + body.inline.map(\.navigation)
        return Set(
            navigations.flatMap { navigation -> [Int] in
                guard case .dependent(let pairs) = relationship(navigation, from: source) else {
                    return []
                }
                return pairs.map(\.here)
            }
        )
    }

    private func relateLater(
        _ later: Later,
        to reference: RowReference,
        in parent: Parent?,
        depth: Int
    ) throws {
        if let parent, !isByColumns(parent.navigation, from: parent.entity.source) {
            try relate(parent.entity, navigation: parent.navigation, to: .row(reference))
        }
        for binding in later.bindings {
            try relate(reference, navigation: binding.navigation, to: resolve(binding.reference))
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

    private func isByColumns(_ id: NavigationPropertyID, from source: NavigationSource) -> Bool {
        switch relationship(id, from: source) {
        case .contained, .principal: true
        case .dependent, .links, .unbound: false
        }
    }
}
