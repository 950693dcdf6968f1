package import ODataSQL
import ODataValues
import ODataPayload
package import ODataModel
import ODataAnswers
package import ODataTables

/// What a local change must obey, so that a service that follows its own metadata does not refuse it later.
///
/// Values that the service computes are passed over, as a service passes over them (OData 4.01 Part 1 §§ 11.4.2, 11.4.3): clients
/// send back whole entities that they have read.
package struct LocalRules {
    private let rows: RowEditor
    /// Where a model is needed as a value; it is large.
    private var model: EdmModel { rows.layout.model }
    private var values: EntityRules {
        EntityRules(layout: rows.layout, tolerance: .absentComplexValues)
    }

    package init(_ rows: RowEditor) {
        self.rows = rows
    }

    // MARK: Sets

    private enum Change {
        case insert, update, delete
    }

    func checkInsertable(_ source: NavigationSource) throws { try check(.insert, from: source) }
    package func checkUpdatable(_ source: NavigationSource) throws {
        try check(.update, from: source)
    }
    package func checkDeletable(_ source: NavigationSource) throws {
        try check(.delete, from: source)
    }

    /// What the set's capabilities allow (`Capabilities.InsertRestrictions` and its kin, `sap:creatable` and its kin).
    private func check(_ change: Change, from source: NavigationSource) throws {
        if case .delete = change { try EntityRules(layout: rows.layout).checkSingleton(source) }
        if case .singleton = source, case .update = change,
            !rows.layout.model.isUpdatable(source)
        {
            throw EditError(
                .notAllowed,
                "\(model.name(of: source)) cannot be changed: the service's metadata says so"
            )
        }
        guard case .entitySet(let index) = source else { return }
        let set = rows.layout.model.container.entitySets[index]
        let (isAllowed, word) =
            switch change {
            case .insert: (set.isInsertable, "created")
            case .update: (set.isUpdatable, "changed")
            case .delete: (set.isDeletable, "deleted")
            }
        guard isAllowed else {
            throw EditError(
                .notAllowed,
                "entities of \(set.name) cannot be \(word): the service's metadata says so"
            )
        }
    }

    // MARK: Values

    /// Checks the values that a new entity is given, and takes those away that the service computes.
    func checkNew(_ body: inout EntityBody, in table: TableLayout) throws {
        try checkInsertable(table.source)
        removeComputed(from: &body, in: table)
        for index in body.values.indices {
            let slot = body.values[index].slot
            guard table.columns[slot].keyIndex != nil else { continue }
            let (item, column) = (body.values[index], table.columns[slot])
            // What stands for a key that is not known yet was not sent.
            guard !UnknownValue.isUnknown(item.value, in: column) else { continue }
            if item.value == .null {
                throw EditError(
                    .invalid,
                    "\(column.path.joined(separator: "/")) cannot be null: it is part of the key"
                )
            }
        }
    }

    /// Checks the values that a body gives, whatever it leaves out.
    func checkValues(_ body: EntityBody, in table: TableLayout) throws {
        try values.check(body, in: table, isComplete: false)
    }

    /// Checks that a new entity has all that it needs, and the values that it has.
    ///
    /// Versions 1 to 3 have no word for values that a service makes when none is given: there only a null is refused.
    func checkComplete(_ body: EntityBody, in table: TableLayout) throws {
        try values.check(body, in: table, isComplete: rows.layout.model.version.isV4)
    }

    /// Checks the values that an entity is to get, and takes those away that cannot change and are what they were.
    package func checkChange(_ body: inout EntityBody, of row: Int64, in table: TableLayout) throws
    {
        try checkUpdatable(table.source)
        removeComputed(from: &body, in: table)
        let known = table.typeColumns(of: body.plan.type, in: rows.layout.model)
        let fixed = body.values.filter { item in
            table.columns[item.slot].keyIndex == nil
                && known[item.slot]?.isImmutable ?? false
        }
        if !fixed.isEmpty {
            let present = try rows.values(of: row, in: table) ?? []
            for item in fixed {
                guard let rule = known[item.slot] else { continue }
                guard present.indices.contains(item.slot), present[item.slot] == item.value else {
                    throw immutable(rule.property)
                }
            }
            let unchanged = Set(fixed.map(\.slot))
            body.values.removeAll { unchanged.contains($0.slot) }
        }
        try values.check(body, in: table, isComplete: false)
        try values.checkMade(body, in: table) { try rows.values(of: row, in: table) }
    }

    /// Checks that a row which is to be replaced is known as a whole, or gets all that is not known.
    ///
    /// Values that were never downloaded would be reset at the service, although the application has not seen them.
    package func checkReplaceable(_ body: EntityBody, row: Int64, in table: TableLayout) throws {
        let present = try rows.values(of: row, in: table) ?? []
        let type = try rows.type(of: row, in: table) ?? body.plan.type
        for slot in table.columns(of: type, in: model)
        where body.value(of: slot) == nil && present.indices.contains(slot)
            && table.columns[slot].keyIndex == nil
            && UnknownValue.isUnknown(present[slot], in: table.columns[slot])
        {
            // A foreign key that the service has still to give is known here.
            if case .blob(let bytes) = present[slot], !bytes.isEmpty { continue }
            if case .text(let text) = present[slot], !text.isEmpty { continue }
            throw EditError(
                .invalid,
                "the store holds only a part of this entity, \(table.columns[slot].path[0]) is not in it: use PATCH, or give all its properties"
            )
        }
    }

    /// Takes away the values that the service alone sets, but for keys: services that compute them often take the one that a
    /// client gives.
    package func removeComputed(from body: inout EntityBody, in table: TableLayout) {
        let known = table.typeColumns(of: body.plan.type, in: rows.layout.model)
        body.values.removeAll { item in
            table.columns[item.slot].keyIndex == nil && known[item.slot]?.isServiceMade ?? false
        }
    }

    private func immutable(_ property: StructuralProperty) -> EditError {
        EditError(.invalid, "\(property.name) cannot be changed once the entity is created")
    }
}
