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
