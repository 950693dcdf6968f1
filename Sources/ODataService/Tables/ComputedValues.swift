import ODataSQL
import ODataValues
import ODataAnswers
import ODataModel
import ODataPayload
import ODataTables

/// Gives the properties that a service computes (`Core.Computed`) their values in a created entity.
///
/// Instants say when an entity was changed last and are set by `EntityRules`; numbers are counted, everything else has the plainest
/// value of its type.
struct ComputedValues {
    let rows: RowEditor
    /// Ticks of 100 ns.
    let now: Int64

    /// Sets values that a body does not have.
    ///
    /// - Parameter isImport: Whether the body contains values computed before: then only required values are computed.
    func complete(_ body: inout EntityBody, in table: TableLayout, isImport: Bool) throws {
        let model = rows.layout.model
        for property in model.properties(of: body.plan.type)
        where property.annotations.isTagged(CoreTerm.computed) && !property.type.isCollection {
            guard !isImport || !property.isNullable,
                let slot = table.column(at: [property.name], of: body.plan.type, in: model),
                table.columns[slot].keyIndex == nil, body.value(of: slot) ?? .null == .null,
                let value = try value(of: property, slot, in: table)
            else { continue }
            body.set(value, slot: slot)
        }
    }

    /// Gives the properties that have a computed default (`Core.ComputedDefaultValue`) and cannot be null the plainest values of their
    /// types where a body does not mention them; answers the first for which there is none.
    func completeDefaults(
        of body: inout EntityBody,
        as type: StructuredTypeID,
        in table: TableLayout
    ) -> String? {
        let model = rows.layout.model
        let complex = table.typeColumns(of: type, in: model).requiredComplex
        var missing: String?
        for property in model.properties(of: type)
        where property.hasComputedDefault && !property.isNullable && !property.type.isCollection {
            guard let slot = table.column(at: [property.name], of: type, in: model),
                table.columns[slot].keyIndex == nil, !body.mentions(slot),
                !complex.contains(where: { $0.place == slot && $0.isMadeOfDefaults })
            else { continue }
            if let value = plainDefault(of: property, table.columns[slot]) {
                body.set(value, slot: slot)
            } else {
                missing = missing ?? property.name
            }
        }
        return missing
    }

    private func plainDefault(of property: StructuralProperty, _ column: Column) -> Scalar? {
        if let value = PlainComputedValue(layout: rows.layout, now: now).value(of: property, column)
        {
            return value
        }
        guard case .scalar = column.kind else { return nil }
        if case .integer? = column.form { return .integer(0) }
        return column.form == .guid ? .blob(KeyMaker.randomGuid()) : nil
    }

    private func value(
        of property: StructuralProperty,
        _ slot: Int,
        in table: TableLayout
    ) throws -> Scalar? {
        let column = table.columns[slot]
        let plain = PlainComputedValue(layout: rows.layout, now: now)
        if let value = plain.value(of: property, column) { return value }
        guard let form = column.form, case .scalar = column.kind else { return nil }
        if case .integer = form { return try KeyMaker(rows: rows).nextNumber(column, in: table) }
        return form == .guid ? .blob(KeyMaker.randomGuid()) : nil
    }
}
