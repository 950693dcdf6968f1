import ODataText
package import ODataSQL
package import ODataValues
import ODataPayload
package import ODataModel
package import ODataTables

/// What the model demands of the values that clients send, and which of them it takes.
package struct EntityRules {
    let layout: Layout
    private let tolerance: ValueTolerance
    private var model: EdmModel { layout.model }

    package init(layout: Layout, tolerance: ValueTolerance = []) {
        self.layout = layout
        self.tolerance = tolerance
    }

    // MARK: Values that are the service's

    /// Removes the values that clients cannot set: they are ignored, not refused (OData 4.01 Part 1 §§ 11.4.2, 11.4.3).
    package func removeIgnored(from body: inout EntityBody, in table: TableLayout, isUpdate: Bool) {
        let keyNames = model.key(of: body.plan.type).map(\.path)
        let slots = model.properties(of: body.plan.type)
            .filter { property in
                property.annotations.isTagged(CoreTerm.computed)
                    || property.isReadOnly && !keyNames.contains(property.name)
                    || isUpdate && property.annotations.isTagged(CoreTerm.immutable)
            }
            .flatMap { self.slots(below: [$0.name], of: body.plan.type, in: table) }
        let known = table.typeColumns(of: body.plan.type, in: model)
        let keys = isUpdate ? keyNames : []
        body.values.removeAll {
            slots.contains($0.slot)
                || isServiceMadeMember($0.slot, in: table, known, keyNames: keyNames)
                || keys.contains(table.columns[$0.slot].path.joined(separator: "/"))
        }
    }

    /// Whether a column holds a member of a complex value that the service alone sets.
    private func isServiceMadeMember(
        _ slot: Int,
        in table: TableLayout,
        _ known: TypeColumns,
        keyNames: [String]
    ) -> Bool {
        let path = table.columns[slot].path
        guard path.count > 1, let leaf = known[slot]?.leaf, leaf.isComputed || leaf.isReadOnly
        else {
            return false
        }
        return !keyNames.contains(path.joined(separator: "/"))
    }

    /// Sets the instants that the service computes, such as that of the last change.
    package func setComputedInstants(of body: inout EntityBody, in table: TableLayout, now: Int64) {
        for property in model.properties(of: body.plan.type)
        where property.annotations.isTagged(CoreTerm.computed) && !property.type.isCollection {
            guard let slot = table.column(at: [property.name], of: body.plan.type, in: model),
                table.columns[slot].form == .dateTimeOffset, table.columns[slot].keyIndex == nil
            else { continue }
            body.set(
                .integer(Self.truncated(now, digits: property.type.facets.precision ?? 0)),
                slot: slot
            )
        }
    }

    /// An instant in ticks of 100 ns, cut to so many digits of a second.
    private static func truncated(_ ticks: Int64, digits: Int) -> Int64 {
        var unit: Int64 = 1
        for _ in max(0, min(digits, 7))..<7 { unit *= 10 }
        return ticks - ticks % unit
    }

    /// Removes collections that are null: nothing is said of them.
    package func removeNullCollections(from body: inout EntityBody, in table: TableLayout) {
        let collections = Set(
            table.typeColumns(of: body.plan.type, in: layout.model).collections
        )
        body.values.removeAll { $0.value == .null && collections.contains($0.slot) }
    }

    /// Collections that are not mentioned are empty: they have no null.
    ///
    /// - Parameter isReplacing: Whether the body replaces an entity, which keeps the collections that it cannot change.
    package func setAbsentCollections(
        of body: inout EntityBody,
        in table: TableLayout,
        isReplacing: Bool = false
    ) {
        let known = table.typeColumns(of: body.plan.type, in: layout.model)
        for slot in known.collections where !body.mentions(slot) {
            if isReplacing, let rule = known[slot], rule.isImmutable || rule.isServiceMade {
                continue
            }
            body.set(.text("[]"), slot: slot)
        }
    }

    private func slots(below path: [String], of type: StructuredTypeID, in table: TableLayout)
        -> [Int]
    {
        table.columns(of: type, in: model).filter { table.columns[$0].path.starts(with: path) }
    }

    // MARK: Checks

    /// Refuses an update as of another type than the entity has: its properties would be lost (OData 4.01 Part 1 § 11.4.3).
    package func checkType(of body: EntityBody, on own: StructuredTypeID) throws {
        guard !model.type(own, isOrExtends: body.plan.type) else { return }
        throw EditError(
            .invalid,
            "the entity is of the type \(model[own].name), and an update cannot make it a \(model[body.plan.type].name)"
        )
    }

    /// Checks the values of a body; of a complete one also what it does not mention.
    ///
    /// Values that the service computes need not be there.
    ///
    /// - Throws: `EditError` that names the property.
    package func check(
        _ body: EntityBody,
        in table: TableLayout,
        isComplete: Bool,
        isReplacing: Bool = false
    ) throws {
        guard !tolerance.contains(.served) else { return }
        try checkRelations(body)
        if !body.undeclared.isEmpty, let fault = DynamicRules(layout: layout).fault(of: body) {
            throw EditError(.invalid, fault.text, at: fault.name)
        }
        let known = table.typeColumns(of: body.plan.type, in: layout.model)
        for index in body.values.indices {
            guard let rule = known[body.values[index].slot],
                !rule.allows(body.values[index].value, exact: body.values[index].exact)
            else { continue }
            try checkValue(
                body.values[index],
                column: table.columns[body.values[index].slot],
                rule: rule
            )
        }
        let scope = Scope(
            table: table,
            known: known,
            isComplete: isComplete,
            isReplacing: isReplacing
        )
        try checkComplexValues(of: body, in: scope)
        try checkRequiredValues(of: body, in: scope)
    }

    /// Where a body belongs, and what it stands for.
    private struct Scope {
        let table: TableLayout
        let known: TypeColumns
        /// Whether it describes a whole entity.
        let isComplete: Bool
        /// Whether it replaces one.
        let isReplacing: Bool
    }

    private func checkComplexValues(of body: EntityBody, in scope: Scope) throws {
        let isWhole =
            scope.isReplacing
            || scope.isComplete && model.version.isV4
                && !tolerance.contains(.absentComplexValues)
        for complex in scope.known.requiredComplex {
            let isNull = body.value(of: complex.place) == .null
            let isMissing =
                isWhole && complex.outer == nil && !complex.isMadeOfDefaults
                && !body.mentions(complex.place)
                && !mayBeAbsent(complex.place, of: body, in: scope)
            guard isNull || isMissing else { continue }
            let path = scope.table.columns[complex.place].path.joined(separator: "/")
            let fault = isNull ? "cannot be null" : "is missing"
            throw EditError(.invalid, "\(path) \(fault)", at: path)
        }
    }

    /// Whether the service makes a value that a body leaves out, or a replacement keeps it: with the key, and what cannot be changed.
    private func mayBeAbsent(_ slot: Int, of body: EntityBody, in scope: Scope) -> Bool {
        scope.known[slot]?.isMadeWhenAbsent == true || scope.known[slot]?.isImmutable == true
            || scope.table.holdsKey(slot, of: body.plan.type, in: model)
    }

    private func checkRequiredValues(of body: EntityBody, in scope: Scope) throws {
        let kept = scope.isReplacing ? layout.keptForeignKey(of: scope.table) : []
        var missing: [String] = []
        for slot in scope.known.required {
            let value = body.value(of: slot)
            guard value == .null || value == nil && (scope.isComplete || scope.isReplacing),
                value != nil || !isLeftToService(slot, of: body, in: scope, kept: kept)
            else { continue }
            let column = scope.table.columns[slot]
            guard !isInsideNull(column, of: body, in: scope.table) else { continue }
            let path = column.path.joined(separator: "/")
            guard value == nil || scope.isReplacing && !body.mentions(slot) else {
                throw EditError(.invalid, "\(path) cannot be null", at: path)
            }
            missing.append(path)
        }
        guard let first = missing.first else { return }
        let verb = missing.count == 1 ? "is" : "are"
        throw EditError(.invalid, "\(missing.joined(separator: ", ")) \(verb) missing", at: first)
    }

    /// Whether a value that a body leaves out is made by the service, has a default, or stays in a replacement.
    private func isLeftToService(
        _ slot: Int,
        of body: EntityBody,
        in scope: Scope,
        kept: Set<Int>
    ) -> Bool {
        if scope.known[slot]?.isMadeWhenAbsent ?? false || scope.known.hasDefault(slot) {
            return true
        }
        if tolerance.contains(.absentKeys),
            scope.table.holdsKey(slot, of: body.plan.type, in: model)
        {
            return true
        }
        return scope.isReplacing
            && (kept.contains(slot) || mayBeAbsent(slot, of: body, in: scope))
    }

    /// Refuses a body that makes a complex value where there was null, and leaves out what has to be in it.
    ///
    /// - Parameter present: Reads the row's values, by the places of its columns; only asked where the body makes one.
    package func checkMade(
        _ body: EntityBody,
        in table: TableLayout,
        present: () throws -> [Scalar]?
    ) throws {
        let made = body.values.filter {
            table.columns[$0.slot].kind == .presence && $0.value == .integer(1)
        }
        guard model.version.isV4, !made.isEmpty, let present = try present() else { return }
        for item in made where present.indices.contains(item.slot) && present[item.slot] == .null {
            guard let path = missingMember(of: table.columns[item.slot].path, of: body, in: table)
            else { continue }
            throw EditError(.invalid, "\(path) is missing", at: path)
        }
    }

    /// The first value that a complex value has to have and a body does not give.
    private func missingMember(of path: [String], of body: EntityBody, in table: TableLayout)
        -> String?
    {
        let known = table.typeColumns(of: body.plan.type, in: layout.model)
        let missing = known.places.first { place in
            let column = table.columns[place]
            return column.path.dropLast() == path[...] && !column.isNullable
                && body.value(of: place) == nil && !known.hasDefault(place)
                && known[place]?.isMadeWhenAbsent != true
        }
        return missing.map { table.columns[$0].path.joined(separator: "/") }
    }

    /// Whether a complex value around a leaf is null, or not mentioned, so that the leaf has no value to check.
    private func isInsideNull(
        _ column: Column,
        of body: EntityBody,
        in table: TableLayout
    ) -> Bool {
        for length in 1..<max(1, column.path.count) {
            let path = Array(column.path.prefix(length))
            guard let slot = table.column(at: path, of: body.plan.type, in: model) else { continue }
            switch body.value(of: slot) {
            case nil, .null: return true
            default: continue
            }
        }
        return false
    }

    /// Refuses to delete a singleton that is always there.
    package func checkSingleton(_ source: NavigationSource) throws {
        guard case .singleton(let index) = source, !model.container.singletons[index].isNullable
        else { return }
        throw EditError(
            .notAllowed,
            "\(model.container.singletons[index].name) cannot be deleted: the metadata says that it is"
                + " always there"
        )
    }

    private func checkValue(
        _ item: EntityBody.SlotValue,
        column: Column,
        rule: TypeColumns.Rule
    ) throws {
        if tolerance.contains(.unknownMembers), case .enumeration? = column.form { return }
        let path = column.path.joined(separator: "/")
        let tree = Self.tree(of: item, in: column)
        if let tree { try refuseRelations(in: tree, rule: rule, at: path) }
        let fault =
            itemFault(item, tree, column: column, rule: rule, at: path)
            ?? rule.facets.flatMap { ValueFacets($0, layout: layout).fault(of: item, in: column) }
            .map { "\(path) \($0)" }
        guard let fault else { return }
        // It begins with the path, of an item of a collection that of the item.
        throw EditError(.invalid, fault, at: String(fault.prefix { $0 != " " && $0 != ":" }))
    }

    /// The JSON of a collection or a complex value; nil for other values.
    private static func tree(of item: EntityBody.SlotValue, in column: Column) -> JSONTree? {
        guard case .json = column.kind, case .text(let json) = item.value else { return nil }
        return JSONTree(Array(json.utf8))
    }

    /// Refuses relations of complex values: they would be lost (OData 4.01 Part 1 § 11.4.2).
    private func refuseRelations(
        in tree: JSONTree,
        rule: TypeColumns.Rule,
        at path: String
    ) throws {
        guard model.version.isV4, let property = rule.leaf,
            let place = ComplexRelation(model: model).path(in: tree.root, of: property, at: path)
        else { return }
        throw EditError(
            .notSupported,
            "\(place): relations of complex values are not offered; leave them out",
            at: place
        )
    }

    /// What is wrong with the JSON of a collection or a complex value, with its place; nil where nothing is.
    private func itemFault(
        _ item: EntityBody.SlotValue,
        _ tree: JSONTree?,
        column: Column,
        rule: TypeColumns.Rule,
        at path: String
    ) -> String? {
        guard case .json = column.kind, let property = rule.leaf else { return nil }
        guard case .text = item.value else {
            // Inside of a complex value that is null there is nothing.
            let isNull = item.value == .null && column.path.count == 1
            return isNull && property.type.isCollection
                ? "\(path) cannot be null: a collection is empty at least" : nil
        }
        guard let tree else { return nil }
        return ItemRules(layout, tree: tree, tolerance: tolerance).fault(
            of: property,
            at: path
        )
    }

    // MARK: Relations

    /// Refuses a body that takes an entity away from a relation that always has one (OData CSDL XML 4.01 § 8.3).
    private func checkRelations(_ body: EntityBody) throws {
        guard model.version.isV4 else { return }
        let model = layout.model
        for inline in body.inline where inline.isEmpty && !inline.isDelta {
            let navigation = model[inline.navigation]
            guard !navigation.isCollection, !navigation.isNullable else { continue }
            throw EditError(
                .invalid,
                "\(navigation.name) cannot be null: name an entity, or leave \(navigation.name) out",
                at: navigation.name
            )
        }
    }
}

/// Terms of the Core vocabulary that a service obeys.
package enum CoreTerm {
    package static let computed = "Org.OData.Core.V1.Computed"
    package static let immutable = "Org.OData.Core.V1.Immutable"
    static let optimisticConcurrency = "Org.OData.Core.V1.OptimisticConcurrency"
}

extension [Annotation] {
    /// Whether a tagging term is applied and not switched off.
    package func isTagged(_ term: String) -> Bool {
        contains { annotation in
            guard annotation.term == term else { return false }
            if case .constant(_, "false") = annotation.value { return false }
            return true
        }
    }
}

extension EdmModel {
    /// Whether changes of the entities of a source want `If-Match` (`Core.OptimisticConcurrency`).
    package func wantsPrecondition(_ source: NavigationSource) -> Bool {
        let annotations =
            if case .contained(let id) = source { self[id].annotations } else {
                annotations(of: source)
            }
        if annotations.contains(where: { $0.term == CoreTerm.optimisticConcurrency }) {
            return true
        }
        // Versions 1 to 3 say it at the properties.
        return !version.isV4
            && entityType(of: source).map {
                properties(of: $0).contains(where: \.isConcurrencyToken)
            }
                ?? false
    }
}
